package aim

import (
	"shakedown/link/packet"
)

// news is what a packet carries that its side had not sent before.
type news struct {
	first    bool     // something of it
	number   int      // of the packet among those with fresh payload; 0: it has none
	messages []string // whose first bytes it carries
}

// side is what one side has sent on a connection.
type side struct {
	known    bool
	base     uint32 // sequence number of its first byte
	highest  int    // end of what was sent
	acked    uint32 // how far it has acknowledged
	hasAcked bool
	syn, fin bool // were sent
	packets  int  // with fresh payload
	finder   finder
	said     map[said]bool // DTLS
}

// read takes in a packet.
func (s *side) read(p packet.Packet) news {
	if p.Protocol == packet.UDP {
		return s.readDatagram(p.Payload)
	}
	return s.readSegment(p)
}

func (s *side) readSegment(p packet.Packet) (n news) {
	if !s.known {
		s.known, s.base = true, p.Seq
		if p.Has(packet.SYN) {
			s.base++ // the SYN has a number of its own
		}
	}
	syn, fin := once(&s.syn, p.Has(packet.SYN)), once(&s.fin, p.Has(packet.FIN))
	n.first = syn || fin
	if len(p.Payload) == 0 {
		return s.readBare(p, n)
	}
	start := int(int32(p.Seq - s.base)) // numbers wrap
	end := start + len(p.Payload)
	if start < 0 || end <= s.highest {
		return n
	}
	fresh := p.Payload[max(0, s.highest-start):]
	if start > s.highest {
		s.finder.closed = true // bytes were never sent over this link: what follows has no place
	}
	s.highest = end
	s.packets++
	return news{first: true, number: s.packets, messages: s.finder.feed(fresh)}
}

// readBare is of a packet without payload, whose news is what it acknowledges.
func (s *side) readBare(p packet.Packet, n news) news {
	if !p.Has(packet.ACK) || p.Has(packet.RST) {
		return n
	}
	if further := !s.hasAcked || int32(p.Ack-s.acked) > 0; further {
		s.acked, s.hasAcked = p.Ack, true
		n.first = n.first || !p.Has(packet.SYN) && !p.Has(packet.FIN)
	}
	return n
}

// once reports the first time that something is so.
func once(before *bool, now bool) bool {
	first := now && !*before
	*before = *before || now
	return first
}
