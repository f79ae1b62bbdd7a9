package wire

import "shakedown/wire/internal/codec"

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
	r := codec.Reader{What: "CompressedCertificate", All: body}
	*m = CompressedCertificate{r.U16(), r.U24(), r.Vector24()}
	return r.Done()
}

// Append writes the body.
func (m *CompressedCertificate) Append(dst []byte) []byte {
	return codec.AppendVector24(codec.Append24(codec.Append16(dst, m.Algorithm), m.Size), m.Data)
}
