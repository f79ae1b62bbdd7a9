package wire

import "shakedown/wire/internal/codec"

// CertificateVerify proves that the sender holds the key of its certificate (RFC
// 8446 4.4.3, RFC 5246 7.4.8).
type CertificateVerify struct {
	Version   uint16 // in whose form
	Scheme    uint16 // signature scheme; 0 before TLS 1.2, which has none
	Signature []byte
}

// Type returns TypeCertificateVerify.
func (*CertificateVerify) Type() HandshakeType { return TypeCertificateVerify }

// Parse reads the body in the form of Version, which stays as it is.
func (m *CertificateVerify) Parse(body []byte) error {
	r := codec.Reader{What: "CertificateVerify", All: body}
	m.Scheme = 0
	if hasScheme(m.Version) {
		m.Scheme = r.U16()
	}
	m.Signature = r.Vector16()
	return r.Done()
}

// Append writes the body.
func (m *CertificateVerify) Append(dst []byte) []byte {
	if hasScheme(m.Version) {
		dst = codec.Append16(dst, m.Scheme)
	}
	return codec.AppendVector16(dst, m.Signature)
}
