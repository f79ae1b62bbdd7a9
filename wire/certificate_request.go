package wire

// CertificateRequest asks the client for a certificate: RFC 8446 4.3.2, or RFC
// 5246 7.4.4 and before.
type CertificateRequest struct {
	Version uint16 // in whose form: VersionTLS13, VersionTLS12 or older

	Context    []byte     // TLS 1.3
	Extensions Extensions // TLS 1.3: signature_algorithms and others

	Types       []byte // up to TLS 1.2: client certificate types
	Schemes     Codes  // TLS 1.2 only: supported_signature_algorithms
	Authorities []byte // up to TLS 1.2: names, as they stand on the wire
}

// Type returns TypeCertificateRequest.
func (*CertificateRequest) Type() HandshakeType { return TypeCertificateRequest }

// Parse reads the body in the form of Version, which stays as it is.
func (m *CertificateRequest) Parse(body []byte) error {
	r := reader{what: "CertificateRequest", all: body}
	*m = CertificateRequest{Version: m.Version}
	if IsVersion13(m.Version) {
		m.Context, m.Extensions = r.vector8(), r.extensions()
		return r.done()
	}
	m.Types = r.vector8()
	if hasScheme(m.Version) {
		m.Schemes = r.codes16()
	}
	m.Authorities = r.vector16()
	return r.done()
}

// Append writes the body.
func (m *CertificateRequest) Append(dst []byte) []byte {
	if IsVersion13(m.Version) {
		return appendVector16(appendVector8(dst, m.Context), m.Extensions)
	}
	dst = appendVector8(dst, m.Types)
	if hasScheme(m.Version) {
		dst = appendVector16(dst, m.Schemes)
	}
	return appendVector16(dst, m.Authorities)
}

// hasScheme reports whether signatures name their scheme, which they do since
// TLS 1.2 (RFC 5246 4.7) and DTLS 1.2.
func hasScheme(version uint16) bool {
	return version == VersionTLS12 || version == VersionDTLS12 || IsVersion13(version)
}
