package wire

import "shakedown/wire/internal/codec"

// KeyUpdate moves the sender to new keys (RFC 8446 4.6.3).
type KeyUpdate struct {
	Requested bool // the receiver is to do the same
}

// Type returns TypeKeyUpdate.
func (*KeyUpdate) Type() HandshakeType { return TypeKeyUpdate }

// Parse reads the body.
func (m *KeyUpdate) Parse(body []byte) error {
	r := codec.Reader{What: "KeyUpdate", All: body}
	request := r.U8()
	if request > 1 {
		r.Fail(0, "request is neither 0 nor 1")
	}
	m.Requested = request == 1
	return r.Done()
}

// Append writes the body.
func (m *KeyUpdate) Append(dst []byte) []byte {
	if m.Requested {
		return append(dst, 1)
	}
	return append(dst, 0)
}
