package aim

import (
	"shakedown/wire"
	"shakedown/wire/dtls"
)

// maxSaid bounds what is remembered of a side's datagrams.
const maxSaid = 1024

// said is something that a side has sent in DTLS, whatever the number of the record:
// a fragment of a handshake message in the clear, or a record that is closed, known
// by its kind and length only.
type said struct {
	content  uint8
	epoch    uint16
	message  uint8
	sequence uint16
	offset   int
	length   int
}

// readDatagram finds the records of a datagram of DTLS. What is no DTLS is known by
// its length.
func (s *side) readDatagram(b []byte) (n news) {
	for len(b) > 0 {
		r, rest, err := dtls.NextRecord(b, 0)
		if err != nil {
			n.first = s.fresh(said{length: len(b)}) || n.first
			break
		}
		s.readRecord(r, &n)
		b = rest
	}
	if n.first {
		s.packets++
		n.number = s.packets
	}
	return n
}

func (s *side) readRecord(r dtls.Record, n *news) {
	closed := r.Unified() || r.Epoch > 0
	switch {
	case !closed && r.Type == wire.ContentHandshake:
		s.readFragments(r.Fragment, n)
	case s.fresh(said{content: uint8(r.Type), epoch: r.Epoch, length: len(r.Fragment)}):
		n.first = true
		if !closed && r.Type == wire.ContentChangeCipherSpec {
			n.messages = append(n.messages, "ChangeCipherSpec")
		}
	}
}

func (s *side) readFragments(b []byte, n *news) {
	for len(b) > 0 {
		f, rest, err := dtls.NextFragment(b)
		if err != nil {
			return
		}
		if s.fresh(said{uint8(wire.ContentHandshake), 0, uint8(f.Type), f.Seq, f.Offset, len(f.Data)}) {
			n.first = true
			if f.Offset == 0 {
				n.messages = append(n.messages, nameOf(f))
			}
		}
		b = rest
	}
}

// nameOf is the name of a message by its first fragment.
func nameOf(f dtls.Fragment) string {
	var m wire.ServerHello
	if f.Type == wire.TypeServerHello && f.Whole() && m.Parse(f.Data) == nil && m.RetryRequest() {
		return wire.TypeHelloRetryRequest.String()
	}
	return f.Type.String()
}

// fresh remembers what is said, and reports whether it is the first time. When there
// is no more room nothing is fresh, so that no connection is kept from its end.
func (s *side) fresh(what said) bool {
	if s.said == nil {
		s.said = map[said]bool{}
	}
	if s.said[what] || len(s.said) >= maxSaid {
		return false
	}
	s.said[what] = true
	return true
}
