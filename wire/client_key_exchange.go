package wire

import "shakedown/wire/internal/codec"

// ClientKeyExchange is the client's share up to TLS 1.2. Its form depends on the
// key exchange: what it holds is known to whoever knows the suite, so it is kept
// whole.
type ClientKeyExchange struct {
	Exchange []byte
}

// Type returns TypeClientKeyExchange.
func (*ClientKeyExchange) Type() HandshakeType { return TypeClientKeyExchange }

// Parse keeps the body.
func (m *ClientKeyExchange) Parse(body []byte) error {
	m.Exchange = body
	return nil
}

// Append writes the body.
func (m *ClientKeyExchange) Append(dst []byte) []byte { return append(dst, m.Exchange...) }

// Point returns the client's public point of ECDHE (RFC 8422 5.7).
func (m *ClientKeyExchange) Point() ([]byte, error) {
	r := codec.Reader{What: "ClientKeyExchange", All: m.Exchange}
	point := r.Vector8()
	return point, r.Done()
}
