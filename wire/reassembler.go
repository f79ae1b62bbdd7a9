package wire

import "shakedown/wire/internal/codec"

// DefaultLimit is the largest handshake message that a [Reassembler] accepts
// unless told otherwise, in bytes with the header: room for the largest
// certificate chains in use, far below the 2^24 that a length can claim.
const DefaultLimit = 1 << 20

// Reassembler puts handshake messages together that are split over records or
// share one. It holds no more than one message, and only bytes that came.
// The zero value is ready.
type Reassembler struct {
	Limit int // largest message in bytes, header included; 0 is [DefaultLimit]

	held  []byte // head of a message whose end has not come
	whole bool   // held was handed out and is to be dropped
	input []byte // fragment not yet looked at
}

// Push adds the fragment of the next handshake record. All messages must have
// been taken with Next before.
func (r *Reassembler) Push(fragment []byte) { r.input = fragment }

// Next returns the next whole message, valid until the next call of Next. The
// error is [ErrIncomplete] when another record is needed, and an [*Error] when
// the message is larger than the limit.
func (r *Reassembler) Next() (Handshake, error) {
	if r.whole {
		r.held, r.whole = r.held[:0], false
	}
	if len(r.held) == 0 {
		return r.direct()
	}
	return r.joined()
}

// Held returns the bytes of the message whose end has not come.
func (r *Reassembler) Held() int {
	if r.whole {
		return 0
	}
	return len(r.held)
}

// Reset forgets everything but the limit and the memory.
func (r *Reassembler) Reset() { r.held, r.input, r.whole = r.held[:0], nil, false }

// direct reads a message that lies in one piece, without a copy.
func (r *Reassembler) direct() (m Handshake, err error) {
	if err := r.check(r.input); err != nil {
		return m, err
	}
	m, rest, err := NextHandshake(r.input)
	if err != nil {
		r.held, rest = append(r.held, rest...), nil
	}
	r.input = rest
	return m, err
}

// joined moves as many bytes as the held message lacks: first those of its
// header, then those of its body.
func (r *Reassembler) joined() (m Handshake, err error) {
	r.take(HandshakeHeader)
	if err := r.check(r.held); err != nil {
		return m, err
	}
	if len(r.held) < HandshakeHeader {
		return m, ErrIncomplete
	}
	r.take(HandshakeHeader + codec.U24(r.held[1:]))
	m, _, err = NextHandshake(r.held)
	r.whole = err == nil
	return m, err
}

// take moves input until held has size bytes.
func (r *Reassembler) take(size int) {
	n := min(max(size-len(r.held), 0), len(r.input))
	r.held = append(r.held, r.input[:n]...)
	r.input = r.input[n:]
}

func (r *Reassembler) check(b []byte) error {
	limit := r.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	if len(b) >= HandshakeHeader && HandshakeHeader+codec.U24(b[1:]) > limit {
		return &Error{What: HandshakeType(b[0]).String(), Offset: 1, Reason: codec.ReasonLarge}
	}
	return nil
}
