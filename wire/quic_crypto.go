package wire

// DefaultCryptoLimit is the length in bytes up to which a [QUICCrypto] follows
// its stream unless told otherwise: RFC 9000 7.5 asks for 4,096 at least.
const DefaultCryptoLimit = 1 << 16

// QUICCrypto puts the CRYPTO stream of one direction together and takes its
// messages out. Frames may come from several packets in any order, again and
// overlapping. The zero value is ready.
type QUICCrypto struct {
	Limit int // bytes of the stream from its start; 0 is [DefaultCryptoLimit]

	pieces pieces
	taken  int // bytes of the messages that were handed out
}

// Push adds a CRYPTO frame and reports whether it brought a byte that was missing.
// An [*Error] says why a frame was refused. Other frames bring nothing.
func (c *QUICCrypto) Push(f QUICFrame) (fresh bool, err error) {
	if f.Type != FrameCrypto {
		return false, nil
	}
	if f.Offset > uint64(c.limit()) || int(f.Offset)+len(f.Data) > c.limit() {
		return false, &Error{f.Type.String(), 1, "stream is longer than the limit"}
	}
	fresh, ok := c.pieces.add(int(f.Offset), f.Data)
	if !ok {
		return false, &Error{f.Type.String(), 1, "too many frames with gaps between them"}
	}
	return fresh, nil
}

// Next returns the next whole message, valid until Reset. The error is
// [ErrIncomplete] when another frame is needed, and an [*Error] when the message
// is larger than the limit.
func (c *QUICCrypto) Next() (Handshake, error) {
	held := c.Held()
	if len(held) >= HandshakeHeader && c.taken+HandshakeHeader+u24(held[1:]) > c.limit() {
		return Handshake{}, &Error{HandshakeType(held[0]).String(), 1, "message is larger than the limit"}
	}
	m, _, err := NextHandshake(held)
	c.taken += len(m.Raw)
	return m, err
}

// Held returns the bytes of the stream up to the first gap, without the messages
// that were handed out.
func (c *QUICCrypto) Held() []byte { return c.pieces.head()[c.taken:] }

// Reset forgets everything but the limit and the memory.
func (c *QUICCrypto) Reset() {
	c.pieces.reset()
	c.taken = 0
}

func (c *QUICCrypto) limit() int {
	if c.Limit == 0 {
		return DefaultCryptoLimit
	}
	return c.Limit
}
