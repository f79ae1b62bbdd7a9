package wire

// HelloVerifyRequest asks a client of DTLS 1.0 or 1.2 to send its ClientHello
// again with a cookie (RFC 6347 4.2.1). It stands outside the hash of the
// handshake; DTLS 1.3 has HelloRetryRequest instead.
type HelloVerifyRequest struct {
	Version uint16 // DTLS 1.0 whatever will be chosen
	Cookie  []byte
}

// Type returns TypeHelloVerifyRequest.
func (*HelloVerifyRequest) Type() HandshakeType { return TypeHelloVerifyRequest }

// Parse reads the body.
func (m *HelloVerifyRequest) Parse(body []byte) error {
	r := reader{what: "HelloVerifyRequest", all: body}
	m.Version, m.Cookie = r.u16(), r.vector8()
	return r.done()
}

// Append writes the body.
func (m *HelloVerifyRequest) Append(dst []byte) []byte {
	return appendVector8(append16(dst, m.Version), m.Cookie)
}
