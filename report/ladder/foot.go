package ladder

import (
	"shakedown/result"
)

// troubles tells why reading ended early, and what is doubtful.
func (p *page) troubles(t result.Transcript) {
	if t.Problem != "" {
		p.section("PROBLEM: reading ended early")
		p.words("  - ", "    ", t.Problem)
	}
	if len(t.Warnings) == 0 {
		return
	}
	p.section("WARNINGS")
	for _, w := range t.Warnings {
		p.words("  - ", "    ", w)
	}
}

// legend says what the words mean, and which figures were not seen.
func (p *page) legend(t result.Transcript) {
	packet := "packets"
	if t.Wire.MSS > 0 {
		packet += " of " + octets(t.Wire.MSS)
	}
	p.section("How to read it")
	p.fact("message", "bytes of the message with its header, before it is encrypted")
	p.fact("record", "its bytes on the wire; where several share a record (+), the first bears the overhead")
	if t.Wire.Packets != nil {
		p.fact("time", "since the client's first byte was sent, until the last byte of the message had arrived")
		p.fact("packets", "packets in which a part of it was first sent")
	} else {
		p.fact("packets", packet+" that carry a part of it, each filled before the next is begun")
	}
	p.fact("arrows", "── clear, ══ encrypted with the keys named; number: flight; set in: not counted")
	if t.Wire.Packets != nil {
		p.fact("+1 RTT", "the sender waited one round trip for acknowledgements before the flight was out")
		p.fact("composed", "what would fit is reckoned from bytes; all else was measured")
		return
	}
	p.fact("+1 RTT", "the flight exceeds the initial window of 10 packets and waits one round trip longer")
	p.fact("composed", "packets, RTT and what would fit are reckoned from bytes; all else was measured")
}
