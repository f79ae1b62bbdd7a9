package wire

import "shakedown/wire/internal/codec"

// The messages without a body.
type (
	// HelloRequest asks the client to negotiate anew (RFC 5246 7.4.1.1).
	HelloRequest struct{}
	// ServerHelloDone ends the server's first flight (RFC 5246 7.4.5).
	ServerHelloDone struct{}
	// EndOfEarlyData ends the 0-RTT data of a client (RFC 8446 4.5).
	EndOfEarlyData struct{}
)

// Type returns TypeHelloRequest.
func (*HelloRequest) Type() HandshakeType { return TypeHelloRequest }

// Type returns TypeServerHelloDone.
func (*ServerHelloDone) Type() HandshakeType { return TypeServerHelloDone }

// Type returns TypeEndOfEarlyData.
func (*EndOfEarlyData) Type() HandshakeType { return TypeEndOfEarlyData }

// Parse refuses any body.
func (m *HelloRequest) Parse(body []byte) error { return parseEmpty(m, body) }

// Parse refuses any body.
func (m *ServerHelloDone) Parse(body []byte) error { return parseEmpty(m, body) }

// Parse refuses any body.
func (m *EndOfEarlyData) Parse(body []byte) error { return parseEmpty(m, body) }

// Append writes nothing.
func (*HelloRequest) Append(dst []byte) []byte { return dst }

// Append writes nothing.
func (*ServerHelloDone) Append(dst []byte) []byte { return dst }

// Append writes nothing.
func (*EndOfEarlyData) Append(dst []byte) []byte { return dst }

func parseEmpty(m Message, body []byte) error {
	r := codec.Reader{What: m.Type().String(), All: body}
	return r.Done()
}
