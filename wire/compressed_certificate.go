package wire

// CompressedCertificate is a Certificate that went through an algorithm first
// (RFC 8879 4).
type CompressedCertificate struct {
	Algorithm uint16 // see [CompressionName]
	Size      int    // of the Certificate message that it unpacks to, in bytes
	Data      []byte
}

// Type returns TypeCompressedCertificate.
func (*CompressedCertificate) Type() HandshakeType { return TypeCompressedCertificate }

// Parse reads the body.
func (m *CompressedCertificate) Parse(body []byte) error {
	r := reader{what: "CompressedCertificate", all: body}
	*m = CompressedCertificate{r.u16(), r.u24(), r.vector24()}
	return r.done()
}

// Append writes the body.
func (m *CompressedCertificate) Append(dst []byte) []byte {
	return appendVector24(append24(append16(dst, m.Algorithm), m.Size), m.Data)
}
