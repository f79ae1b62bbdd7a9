package wire

import "shakedown/wire/internal/codec"

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
	r := codec.Reader{What: "CertificateRequest", All: body}
	*m = CertificateRequest{Version: m.Version}
	if IsVersion13(m.Version) {
		m.Context, m.Extensions = r.Vector8(), extensions(&r)
		return r.Done()
	}
	m.Types = r.Vector8()
	if hasScheme(m.Version) {
		m.Schemes = codes16(&r)
	}
	m.Authorities = r.Vector16()
	return r.Done()
}

// Append writes the body.
func (m *CertificateRequest) Append(dst []byte) []byte {
	if IsVersion13(m.Version) {
		return codec.AppendVector16(codec.AppendVector8(dst, m.Context), m.Extensions)
	}
	dst = codec.AppendVector8(dst, m.Types)
	if hasScheme(m.Version) {
		dst = codec.AppendVector16(dst, m.Schemes)
	}
	return codec.AppendVector16(dst, m.Authorities)
}

// hasScheme reports whether signatures name their scheme, which they do since
// TLS 1.2 (RFC 5246 4.7) and DTLS 1.2.
func hasScheme(version uint16) bool {
	return version == VersionTLS12 || version == VersionDTLS12 || IsVersion13(version)
}
