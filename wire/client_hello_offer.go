package wire

import "shakedown/spec"

// The methods here tell what the extensions of a ClientHello offer. An extension
// that is missing offers nothing; of one that is broken they return what could be
// read, and Check tells.

// ServerName returns the host name the client asks for, nil for none. With ECH it
// is the public name.
func (m *ClientHello) ServerName() []byte {
	data, _ := m.Extensions.Find(ExtServerName)
	name, _ := ParseServerName(data)
	return name
}

// Protocols returns the application protocols in the client's order (ALPN).
func (m *ClientHello) Protocols() ProtocolNames {
	data, _ := m.Extensions.Find(ExtALPN)
	names, _ := ParseProtocolNames(data)
	return names
}

// Versions returns the content of supported_versions, empty where the legacy
// version is the whole offer.
func (m *ClientHello) Versions() Codes {
	data, _ := m.Extensions.Find(ExtSupportedVersions)
	versions, _ := ParseSupportedVersions(data)
	return versions
}

// Groups returns the supported groups in the client's order.
func (m *ClientHello) Groups() Codes {
	data, _ := m.Extensions.Find(ExtSupportedGroups)
	groups, _ := ParseSupportedGroups(data)
	return groups
}

// KeyShares returns the shares in the client's order.
func (m *ClientHello) KeyShares() KeyShares {
	data, ok := m.Extensions.Find(ExtKeyShare)
	if !ok {
		data, _ = m.Extensions.Find(ExtKeyShareDraft)
	}
	shares, _ := ParseKeyShares(data)
	return shares
}

// Signatures returns the signature schemes in the client's order.
func (m *ClientHello) Signatures() Codes {
	data, _ := m.Extensions.Find(ExtSignatureAlgorithms)
	schemes, _ := ParseSignatureAlgorithms(data)
	return schemes
}

// PreSharedKeys returns the identities and binders of pre_shared_key.
func (m *ClientHello) PreSharedKeys() PreSharedKeys {
	data, _ := m.Extensions.Find(ExtPreSharedKey)
	keys, _ := ParsePreSharedKeys(data)
	return keys
}

// EarlyData reports whether the client offers 0-RTT data.
func (m *ClientHello) EarlyData() bool { return m.Extensions.Has(ExtEarlyData) }

// ECH reports whether there is an encrypted_client_hello extension. From outside,
// a real one and one of GREASE look alike.
func (m *ClientHello) ECH() bool { return m.Extensions.Has(ExtECH) }

// QUIC reports whether the hello carries transport parameters, as it does in
// QUIC alone.
func (m *ClientHello) QUIC() bool {
	return m.Extensions.Has(ExtQUICTransportParameters) || m.Extensions.Has(ExtQUICTransportDraft)
}

// MaxVersion returns the highest version that the client offers: of
// supported_versions, else the legacy version. GREASE and drafts do not count
// where a released version stands beside them.
func (m *ClientHello) MaxVersion() uint16 {
	best := uint16(0)
	for v := range m.Versions().All() {
		if !spec.IsGREASE(v) && newer(v, best) {
			best = v
		}
	}
	if best == 0 {
		return m.Version
	}
	return best
}

// newer orders versions. The numbers of DTLS count downwards; drafts of TLS 1.3
// come right below it.
func newer(a, b uint16) bool { return versionRank(a) > versionRank(b) }

func versionRank(v uint16) int {
	switch {
	case v == 0:
		return -1
	case v == VersionTLS13:
		return 0x1FFFF
	case IsVersion13(v) && v != VersionDTLS13:
		return 0x10000 + int(v&0xFF)
	case v >= 0xFE00:
		return 0xFFFF - int(v)
	}
	return int(v)
}

// Check reads the inside of every extension that has a form here, and returns
// the first error.
func (m *ClientHello) Check() error {
	for ext, rest, ok := m.Extensions.Next(); ok; ext, rest, ok = rest.Next() {
		if err := checkOffer(ext); err != nil {
			return err
		}
	}
	return nil
}

func checkOffer(ext Extension) (err error) {
	switch ext.Type {
	case ExtServerName:
		_, err = ParseServerName(ext.Data)
	case ExtALPN:
		_, err = ParseProtocolNames(ext.Data)
	case ExtSupportedVersions:
		_, err = ParseSupportedVersions(ext.Data)
	case ExtSupportedGroups:
		_, err = ParseSupportedGroups(ext.Data)
	case ExtKeyShare, ExtKeyShareDraft:
		_, err = ParseKeyShares(ext.Data)
	case ExtSignatureAlgorithms, ExtSignatureAlgorithmsCert:
		_, err = ParseSignatureAlgorithms(ext.Data)
	case ExtPreSharedKey:
		_, err = ParsePreSharedKeys(ext.Data)
	case ExtPSKModes:
		_, err = ParsePSKModes(ext.Data)
	case ExtECH:
		_, err = ParseECH(ext.Data)
	case ExtCookie:
		_, err = ParseCookie(ext.Data)
	case ExtRecordSizeLimit:
		_, err = ParseRecordSizeLimit(ext.Data)
	case ExtCompressCertificate:
		_, err = ParseCertificateCompression(ext.Data)
	default:
	}
	return err
}
