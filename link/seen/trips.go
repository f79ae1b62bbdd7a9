package seen

import (
	"cmp"
	"container/heap"
	"time"
)

// clocked is how soon after an acknowledgement a packet leaves that had waited for
// it. TCP sends it at once; the rest is a busy machine.
const clocked = 2 * time.Millisecond

// hearsay is what a side has from the other.
type hearsay struct {
	pending queue[news] // it arrives, or nothing was sent since it did
	data    int         // one-way trips of the longest chain that may make this side send payload
	any     int         // of any chain
}

// news is a packet that arrives.
type news struct {
	at   time.Duration
	trip int
	asks bool // it carries payload, or a SYN: what may be answered
	ack  int  // how much of the receiver's own stream it acknowledges
}

// Before orders news as they arrive.
func (n news) Before(o news) bool {
	return cmp.Or(cmp.Compare(n.at, o.at), cmp.Compare(n.ack, o.ack)) < 0
}

// longest is the longest chain that ends at this side.
func (h *hearsay) longest(payload bool) int {
	if payload {
		return h.data
	}
	return h.any
}

// hear reckons with what had arrived before a time at which the side sends.
func (s *stream) hear(now time.Duration, window int) {
	for pending := &s.heard.pending; len(*pending) > 0 && (*pending)[0].at <= now; {
		s.learn(heap.Pop(pending).(news), now, window)
	}
}

// learn reckons with one of them. An acknowledgement makes the side send payload only
// where that had waited for it: the window was full, and the packet leaves just after.
func (s *stream) learn(n news, now time.Duration, window int) {
	full := len(s.unacked) >= window || s.repeated
	for len(s.unacked) > 0 && s.unacked[0] <= n.ack {
		s.unacked = s.unacked[1:]
	}
	s.heard.any = max(s.heard.any, n.trip)
	if n.asks || full && now-n.at <= clocked {
		s.heard.data = max(s.heard.data, n.trip)
	}
}
