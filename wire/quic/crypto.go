package quic

import (
	"shakedown/wire"
	"shakedown/wire/internal/codec"
	"shakedown/wire/internal/pieces"
)

// DefaultCryptoLimit is the length in bytes up to which a [CryptoStream] follows
// its stream unless told otherwise: RFC 9000 7.5 asks for 4,096 at least.
const DefaultCryptoLimit = 1 << 16

// CryptoStream puts the CRYPTO stream of one direction together and takes its
// messages out. Frames may come from several packets in any order, again and
// overlapping. The zero value is ready.
type CryptoStream struct {
	Limit int // bytes of the stream from its start; 0 is [DefaultCryptoLimit]

	parts pieces.Buffer
	taken int // bytes of the messages that were handed out
}

// Push adds a CRYPTO frame and reports whether it brought a byte that was missing.
// A [*wire.Error] says why a frame was refused. Other frames bring nothing.
func (c *CryptoStream) Push(f Frame) (fresh bool, err error) {
	if f.Type != FrameCrypto {
		return false, nil
	}
	if f.Offset > uint64(c.limit()) || int(f.Offset)+len(f.Data) > c.limit() {
		return false, f.refused("stream is longer than the limit")
	}
	fresh, ok := c.parts.Add(int(f.Offset), f.Data)
	if !ok {
		return false, f.refused("too many frames with gaps between them")
	}
	return fresh, nil
}

// Next returns the next whole message, valid until Reset. The error is
// [wire.ErrIncomplete] when another frame is needed, and a [*wire.Error] when the
// message is larger than the limit.
func (c *CryptoStream) Next() (wire.Handshake, error) {
	held := c.Held()
	if len(held) >= wire.HandshakeHeader && c.taken+wire.HandshakeHeader+codec.U24(held[1:]) > c.limit() {
		what := wire.HandshakeType(held[0]).String()
		return wire.Handshake{}, &wire.Error{What: what, Offset: 1, Reason: codec.ReasonLarge}
	}
	m, _, err := wire.NextHandshake(held)
	c.taken += len(m.Raw)
	return m, err
}

// Held returns the bytes of the stream up to the first gap, without the messages
// that were handed out.
func (c *CryptoStream) Held() []byte { return c.parts.Head()[c.taken:] }

// Reset forgets everything but the limit and the memory.
func (c *CryptoStream) Reset() {
	c.parts.Reset()
	c.taken = 0
}

func (c *CryptoStream) limit() int {
	if c.Limit == 0 {
		return DefaultCryptoLimit
	}
	return c.Limit
}
