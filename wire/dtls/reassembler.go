package dtls

import (
	"shakedown/wire"
	"shakedown/wire/internal/pieces"
)

// Limits of a [Reassembler] unless told otherwise.
const (
	DefaultMessages = 8  // messages under way at once
	maxAhead        = 64 // how far a message_seq may be ahead of the others
)

// Reassembler puts the handshake messages of one direction together from their
// fragments, which may come in any order, again, overlapping, and between those of
// other messages. It holds up to Messages messages, each no longer than Limit and
// than the end of its last fragment that came. The zero value is ready.
type Reassembler struct {
	Limit    int // largest message in bytes, one header included; 0 is [wire.DefaultLimit]
	Messages int // most messages under way at once; 0 is [DefaultMessages]

	slots []slot
	whole Message // what the last fragment made whole
	ready bool    // whole was not handed out
	floor uint16  // message_seq of bit 0 of done
	done  uint64  // messages that were handed out
	hello [wire.RandomSize]byte
	heard bool // hello holds the random of a ClientHello
}

// slot is a message under way.
type slot struct {
	parts pieces.Buffer
	busy  bool
	first Fragment // its first fragment, without the data
}

// Push adds a fragment and reports whether it brought a byte that was missing.
// Fragments of messages that were handed out bring nothing. A [*wire.Error] says why
// a fragment was refused; the others are not touched by it.
func (r *Reassembler) Push(f Fragment) (fresh bool, err error) {
	r.ready = false
	if r.passed(f.Seq) {
		return false, nil
	}
	s, err := r.slot(f)
	if err != nil {
		return false, err
	}
	if s == nil {
		if f.Whole() {
			r.finish(f, f.Data)
		}
		return f.Whole(), nil
	}
	fresh, ok := s.parts.Add(f.Offset, f.Data)
	if !ok {
		return false, f.refused("too many fragments with gaps between them")
	}
	if body := s.parts.Head(); len(body) == f.Length {
		s.busy = false
		r.finish(f, body)
	}
	return fresh, nil
}

// Next returns the message that the last fragment made whole, valid until the
// next call of Push; one that came in one piece lies in the input. Messages come
// in the order in which they become whole. The error is [wire.ErrIncomplete] when there
// is none.
func (r *Reassembler) Next() (Message, error) {
	if !r.ready {
		return Message{}, wire.ErrIncomplete
	}
	r.ready = false
	return r.whole, nil
}

// Begins reports whether a fragment is the head of a ClientHello with another
// random than the one before, and thus of a new handshake: reset both directions,
// then push it. The second ClientHello of a handshake has the random of the first.
func (r *Reassembler) Begins(f Fragment) bool {
	return r.heard && f.Type == wire.TypeClientHello && f.Offset == 0 && len(f.Data) >= 2+wire.RandomSize &&
		r.hello != [wire.RandomSize]byte(f.Data[2:])
}

// Reset forgets everything but the limits and the memory.
func (r *Reassembler) Reset() {
	for i := range r.slots {
		r.slots[i].busy = false
	}
	r.ready, r.floor, r.done, r.heard = false, 0, 0, false
}

// passed reports whether a message was handed out or is older than what is known.
func (r *Reassembler) passed(seq uint16) bool {
	ahead := seq - r.floor
	return ahead >= 1<<15 || ahead < maxAhead && r.done>>ahead&1 == 1
}

// finish hands a message out.
func (r *Reassembler) finish(f Fragment, body []byte) {
	r.whole, r.ready = Message{f.Type, f.Seq, body}, true
	if f.Type == wire.TypeClientHello && len(body) >= 2+wire.RandomSize {
		r.hello, r.heard = [wire.RandomSize]byte(body[2:]), true
	}
	if f.Type != wire.TypeHelloVerifyRequest { // its sender keeps no state and may count anew
		r.mark(f.Seq)
	}
}

// mark notes that a message was handed out. The window moves on when its upper
// half is reached.
func (r *Reassembler) mark(seq uint16) {
	if beyond := int(seq-r.floor) - maxAhead/2; beyond > 0 {
		r.done >>= beyond
		r.floor += uint16(beyond)
	}
	r.done |= 1 << (seq - r.floor)
}
