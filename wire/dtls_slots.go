package wire

// slot returns the place of the message that a fragment belongs to; none for a
// message in one piece of which nothing came before, and for an empty fragment.
func (r *DTLSReassembler) slot(f DTLSFragment) (*dtlsSlot, error) {
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
func (r *DTLSReassembler) check(f DTLSFragment) error {
	limit := r.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	if f.Offset < 0 || f.Offset+len(f.Data) > f.Length {
		return &Error{f.Type.String(), 0, "fragment runs past the end of its message"}
	}
	if DTLSHandshakeHeader+f.Length > limit {
		return &Error{f.Type.String(), 0, "message is larger than the limit"}
	}
	if f.Seq-r.floor >= dtlsAhead {
		return &Error{f.Type.String(), 0, "message_seq is too far ahead"}
	}
	return nil
}

// check: the fragments of a message agree in type and length.
func (s *dtlsSlot) check(f DTLSFragment) error {
	if f.Type != s.first.Type || f.Length != s.first.Length {
		return &Error{f.Type.String(), 0, "fragments of one message disagree"}
	}
	return nil
}

// open begins a message in a slot that is free.
func (r *DTLSReassembler) open(f DTLSFragment) (*dtlsSlot, error) {
	s := r.free()
	if s == nil {
		return nil, &Error{f.Type.String(), 0, "too many messages are under way"}
	}
	s.reset()
	f.Data = nil
	s.busy, s.first = true, f
	return s, nil
}

func (r *DTLSReassembler) free() *dtlsSlot {
	for i := range r.slots {
		if !r.slots[i].busy {
			return &r.slots[i]
		}
	}
	most := r.Messages
	if most == 0 {
		most = DefaultDTLSMessages
	}
	if len(r.slots) >= most {
		return nil
	}
	r.slots = append(r.slots, dtlsSlot{})
	return &r.slots[len(r.slots)-1]
}
