package seen

import (
	"slices"
	"time"
)

// clocked is how soon after an acknowledgement a packet leaves that had waited for
// it. TCP sends it at once; the rest is a busy machine.
const clocked = 2 * time.Millisecond

// hearsay is what a side has from the other.
type hearsay struct {
	pending []news // it arrives, or nothing was sent since it did
	data    int    // one-way trips of the longest chain that may make this side send payload
	any     int    // of any chain
}

// news is a packet that arrives.
type news struct {
	at   time.Duration
	trip int
	asks bool // it carries payload, or a SYN: what may be answered
	ack  int  // how much of the receiver's own stream it acknowledges
}

// longest is the longest chain that ends at this side.
func (h *hearsay) longest(payload bool) int {
	if payload {
		return h.data
	}
	return h.any
}

// hear reckons with what had arrived before a time at which the side sends. An
// acknowledgement makes it send payload only where that had waited for it: the
// window was full, and the packet leaves just after.
func (s *stream) hear(now time.Duration, window int) {
	s.heard.pending = slices.DeleteFunc(s.heard.pending, func(n news) bool {
		if n.at > now {
			return false
		}
		full := len(s.unacked) >= window || s.repeated
		for len(s.unacked) > 0 && s.unacked[0] <= n.ack {
			s.unacked = s.unacked[1:]
		}
		s.heard.any = max(s.heard.any, n.trip)
		if n.asks || full && now-n.at <= clocked {
			s.heard.data = max(s.heard.data, n.trip)
		}
		return true
	})
}
