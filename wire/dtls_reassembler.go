package wire

// Limits of a [DTLSReassembler] unless told otherwise.
const (
	DefaultDTLSMessages = 8  // messages under way at once
	dtlsAhead           = 64 // how far a message_seq may be ahead of the others
)

// DTLSReassembler puts the handshake messages of one direction together from
// their fragments, which may come in any order, again, overlapping, and between
// those of other messages. It holds up to Messages messages, each no longer than
// Limit and than the end of its last fragment that came. The zero value is ready.
type DTLSReassembler struct {
	Limit    int // largest message in bytes, one header included; 0 is [DefaultLimit]
	Messages int // most messages under way at once; 0 is [DefaultDTLSMessages]

	slots []dtlsSlot
	whole DTLSMessage // what the last fragment made whole
	ready bool        // whole was not handed out
	floor uint16      // message_seq of bit 0 of done
	done  uint64      // messages that were handed out
	hello [randomSize]byte
	heard bool // hello holds the random of a ClientHello
}

// dtlsSlot is a message under way.
type dtlsSlot struct {
	pieces
	busy  bool
	first DTLSFragment // its first fragment, without the data
}

// Push adds a fragment and reports whether it brought a byte that was missing.
// Fragments of messages that were handed out bring nothing. An [*Error] says why
// a fragment was refused; the others are not touched by it.
func (r *DTLSReassembler) Push(f DTLSFragment) (fresh bool, err error) {
	r.ready = false
	if r.passed(f.Seq) {
		return false, nil
	}
	slot, err := r.slot(f)
	if err != nil {
		return false, err
	}
	if slot == nil {
		if f.Whole() {
			r.finish(f, f.Data)
		}
		return f.Whole(), nil
	}
	fresh, ok := slot.add(f.Offset, f.Data)
	if !ok {
		return false, &Error{f.Type.String(), f.Offset, "too many fragments with gaps between them"}
	}
	if len(slot.head()) == f.Length {
		slot.busy = false
		r.finish(f, slot.head())
	}
	return fresh, nil
}

// Next returns the message that the last fragment made whole, valid until the
// next call of Push; one that came in one piece lies in the input. Messages come
// in the order in which they become whole. The error is [ErrIncomplete] when there
// is none.
func (r *DTLSReassembler) Next() (DTLSMessage, error) {
	if !r.ready {
		return DTLSMessage{}, ErrIncomplete
	}
	r.ready = false
	return r.whole, nil
}

// Begins reports whether a fragment is the head of a ClientHello with another
// random than the one before, and thus of a new handshake: reset both directions,
// then push it. The second ClientHello of a handshake has the random of the first.
func (r *DTLSReassembler) Begins(f DTLSFragment) bool {
	return r.heard && f.Type == TypeClientHello && f.Offset == 0 && len(f.Data) >= 2+randomSize &&
		r.hello != [randomSize]byte(f.Data[2:])
}

// Reset forgets everything but the limits and the memory.
func (r *DTLSReassembler) Reset() {
	for i := range r.slots {
		r.slots[i].busy = false
	}
	r.ready, r.floor, r.done, r.heard = false, 0, 0, false
}

// passed reports whether a message was handed out or is older than what is known.
func (r *DTLSReassembler) passed(seq uint16) bool {
	ahead := seq - r.floor
	return ahead >= 1<<15 || ahead < dtlsAhead && r.done>>ahead&1 == 1
}

// finish hands a message out.
func (r *DTLSReassembler) finish(f DTLSFragment, body []byte) {
	r.whole, r.ready = DTLSMessage{f.Type, f.Seq, body}, true
	if f.Type == TypeClientHello && len(body) >= 2+randomSize {
		r.hello, r.heard = [randomSize]byte(body[2:]), true
	}
	if f.Type != TypeHelloVerifyRequest { // its sender keeps no state and may count anew
		r.mark(f.Seq)
	}
}

// mark notes that a message was handed out. The window moves on when its upper
// half is reached.
func (r *DTLSReassembler) mark(seq uint16) {
	if beyond := int(seq-r.floor) - dtlsAhead/2; beyond > 0 {
		r.done >>= beyond
		r.floor += uint16(beyond)
	}
	r.done |= 1 << (seq - r.floor)
}
