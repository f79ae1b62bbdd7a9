package wire

import "shakedown/wire/internal/codec"

// CertificateStatus carries a stapled OCSP answer up to TLS 1.2 (RFC 6066 8).
type CertificateStatus struct {
	Kind     uint8  // 1 is OCSP
	Response []byte // DER
}

// Type returns TypeCertificateStatus.
func (*CertificateStatus) Type() HandshakeType { return TypeCertificateStatus }

// Parse reads the body.
func (m *CertificateStatus) Parse(body []byte) error {
	r := codec.Reader{What: "CertificateStatus", All: body}
	*m = CertificateStatus{r.U8(), r.Vector24()}
	return r.Done()
}

// Append writes the body.
func (m *CertificateStatus) Append(dst []byte) []byte {
	return codec.AppendVector24(append(dst, m.Kind), m.Response)
}
