package wire

// CertificateStatus carries a stapled OCSP answer up to TLS 1.2 (RFC 6066 8).
type CertificateStatus struct {
	Kind     uint8  // 1 is OCSP
	Response []byte // DER
}

// Type returns TypeCertificateStatus.
func (*CertificateStatus) Type() HandshakeType { return TypeCertificateStatus }

// Parse reads the body.
func (m *CertificateStatus) Parse(body []byte) error {
	r := reader{what: "CertificateStatus", all: body}
	*m = CertificateStatus{r.u8(), r.vector24()}
	return r.done()
}

// Append writes the body.
func (m *CertificateStatus) Append(dst []byte) []byte {
	return appendVector24(append(dst, m.Kind), m.Response)
}
