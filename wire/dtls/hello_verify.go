package dtls

import (
	"shakedown/wire"
	"shakedown/wire/internal/codec"
)

// HelloVerifyRequest asks a client of DTLS 1.0 or 1.2 to send its ClientHello
// again with a cookie (RFC 6347 4.2.1). It stands outside the hash of the
// handshake; DTLS 1.3 has HelloRetryRequest instead.
type HelloVerifyRequest struct {
	Version uint16 // DTLS 1.0 whatever will be chosen
	Cookie  []byte
}

// Type returns [wire.TypeHelloVerifyRequest].
func (*HelloVerifyRequest) Type() wire.HandshakeType { return wire.TypeHelloVerifyRequest }

// Parse reads the body.
func (m *HelloVerifyRequest) Parse(body []byte) error {
	r := codec.Reader{What: "HelloVerifyRequest", All: body}
	m.Version, m.Cookie = r.U16(), r.Vector8()
	return r.Done()
}

// Append writes the body.
func (m *HelloVerifyRequest) Append(dst []byte) []byte {
	return codec.AppendVector8(codec.Append16(dst, m.Version), m.Cookie)
}
