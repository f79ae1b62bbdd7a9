package dtls

import (
	"shakedown/wire"
	"shakedown/wire/internal/codec"
)

// slot returns the place of the message that a fragment belongs to; none for a
// message in one piece of which nothing came before, and for an empty fragment.
func (r *Reassembler) slot(f Fragment) (*slot, error) {
	if err := r.check(f); err != nil {
		return nil, err
	}
	for i := range r.slots {
		if s := &r.slots[i]; s.busy && s.first.Seq == f.Seq {
			return s, s.check(f)
		}
	}
	if f.Whole() || len(f.Data) == 0 {
		return nil, nil
	}
	return r.open(f)
}

// check refuses what no handshake needs.
func (r *Reassembler) check(f Fragment) error {
	limit := r.Limit
	if limit == 0 {
		limit = wire.DefaultLimit
	}
	if f.Offset < 0 || f.Offset+len(f.Data) > f.Length {
		return f.refused(reasonPast)
	}
	if HandshakeHeader+f.Length > limit {
		return f.refused(codec.ReasonLarge)
	}
	if f.Seq-r.floor >= maxAhead {
		return f.refused("message_seq is too far ahead")
	}
	return nil
}

// check: the fragments of a message agree in type and length.
func (s *slot) check(f Fragment) error {
	if f.Type != s.first.Type || f.Length != s.first.Length {
		return f.refused("fragments of one message disagree")
	}
	return nil
}

// open begins a message in a slot that is free.
func (r *Reassembler) open(f Fragment) (*slot, error) {
	s := r.free()
	if s == nil {
		return nil, f.refused("too many messages are under way")
	}
	s.parts.Reset()
	f.Data = nil
	s.busy, s.first = true, f
	return s, nil
}

func (r *Reassembler) free() *slot {
	for i := range r.slots {
		if !r.slots[i].busy {
			return &r.slots[i]
		}
	}
	most := r.Messages
	if most == 0 {
		most = DefaultMessages
	}
	if len(r.slots) >= most {
		return nil
	}
	r.slots = append(r.slots, slot{})
	return &r.slots[len(r.slots)-1]
}
