package seen

import (
	"cmp"
	"slices"
	"time"

	"shakedown/link/emulate"
	"shakedown/link/packet"
	"shakedown/wire/transcript"
)

// follower puts one connection together.
type follower struct {
	c      Connection
	sides  [2]stream
	window int           // TCP's initial one, in packets
	first  time.Duration // when the first SYN was sent; negative: not seen
}

// stream is one direction.
type stream struct {
	known    bool
	base     uint32 // sequence number of its first byte
	highest  int    // end of what was sent
	ended    bool   // FIN or RST was sent
	sent     []sending
	arrived  []piece
	unacked  []int // ends of packets with payload that were sent once, and not acknowledged
	repeated bool  // something was sent again: the window may be of any size
	heard    hearsay
}

// sending is when the stream grew to an end.
type sending struct {
	end int
	at  time.Duration
}

// piece is payload that arrived.
type piece struct {
	start int
	at    time.Duration
	data  []byte
}

func follow(p packet.Packet, window int) *follower {
	return &follower{c: Connection{Client: p.From, Server: p.To}, window: window, first: -1}
}

// isOver: the packet begins a new connection between the same ports.
func (f *follower) isOver(p packet.Packet) bool {
	return p.Has(packet.SYN) && !p.Has(packet.ACK) && (f.sides[0].ended || f.sides[1].ended)
}

func (f *follower) take(raw *emulate.Packet, p packet.Packet) {
	side := transcript.Client
	if p.From == f.c.Server {
		side = transcript.Server
	}
	s, other := &f.sides[side], &f.sides[1-side]
	s.begin(p)
	f.connect(side, raw, p)
	s.ended = s.ended || p.Has(packet.FIN) || p.Has(packet.RST)
	start := s.place(p)
	if start < 0 || start > s.highest+maxAhead {
		return // keep-alives, and what belongs to no stream that is followed
	}
	seen := Packet{From: side, Sent: raw.Sent, Arrived: raw.Arrived, Lost: raw.Lost, Size: len(raw.Data), Start: start, End: start + len(p.Payload)}
	seen.Again = seen.End > start && seen.End <= s.highest
	s.hear(raw.Sent, f.window)
	seen.Trip = 1 + s.heard.longest(seen.End > start)
	s.send(&seen)
	if raw.Arrived >= 0 {
		s.deliver(&seen, p.Payload)
		other.heard.pending = append(other.heard.pending, news{
			at: raw.Arrived, trip: seen.Trip, asks: seen.End > start || p.Has(packet.SYN), ack: other.acknowledged(p),
		})
	}
	f.c.Packets = append(f.c.Packets, seen)
}

// begin learns where the numbers of a stream start.
func (s *stream) begin(p packet.Packet) {
	if s.known {
		return
	}
	s.known, s.base = true, p.Seq
	if p.Has(packet.SYN) {
		s.base++ // the SYN has a number of its own
	}
}

// place is where the payload of a packet begins in the stream: numbers wrap.
func (s *stream) place(p packet.Packet) int {
	if p.Has(packet.SYN) {
		return 0
	}
	return int(int32(p.Seq - s.base))
}

// acknowledged is how much of the stream a packet from the other side acknowledges.
func (s *stream) acknowledged(p packet.Packet) int {
	if !s.known || !p.Has(packet.ACK) {
		return 0
	}
	return int(int32(p.Ack - s.base))
}

// connect times the SYNs.
func (f *follower) connect(side transcript.Side, raw *emulate.Packet, p packet.Packet) {
	switch {
	case !p.Has(packet.SYN):
	case side == transcript.Client && f.first < 0:
		f.first = raw.Sent
	case side == transcript.Server && raw.Arrived >= 0 && f.c.Connect == 0 && f.first >= 0:
		f.c.Connect = raw.Arrived - f.first
	}
}

// send takes note of payload.
func (s *stream) send(p *Packet) {
	s.repeated = s.repeated || p.Again
	if p.End > s.highest {
		s.highest = p.End
		s.sent = append(s.sent, sending{p.End, p.Sent})
		s.unacked = append(s.unacked, p.End)
	}
}

// deliver keeps payload that arrived.
func (s *stream) deliver(p *Packet, payload []byte) {
	if len(payload) > 0 {
		s.arrived = append(s.arrived, piece{p.Start, p.Arrived, payload})
	}
}

// finish lays the pieces of both streams one behind the other, as their receivers
// could read them, and both into the order of time.
func (f *follower) finish() *Connection {
	for side := range f.sides {
		f.c.Chunks = append(f.c.Chunks, f.sides[side].chunks(transcript.Side(side))...)
	}
	slices.SortStableFunc(f.c.Chunks, func(a, b transcript.Chunk) int { return cmp.Compare(a.Time, b.Time) })
	return &f.c
}

// chunks are the bytes without a gap, each at the time at which all before it were
// there too, and sent when they were sent first.
func (s *stream) chunks(side transcript.Side) (out []transcript.Chunk) {
	slices.SortStableFunc(s.arrived, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.at, b.at))
	})
	next, at := 0, time.Duration(0)
	for _, p := range s.arrived {
		if p.start > next {
			break // what is missing was never seen to arrive
		}
		fresh := p.start + len(p.data) - next
		if fresh <= 0 {
			continue
		}
		at = max(at, p.at)
		out = append(out, transcript.Chunk{From: side, Time: at, Sent: s.firstSent(next), Data: p.data[len(p.data)-fresh:]})
		next += fresh
	}
	return out
}

// firstSent is when the byte at a place was sent for the first time.
func (s *stream) firstSent(at int) time.Duration {
	i, _ := slices.BinarySearchFunc(s.sent, at+1, func(e sending, end int) int { return cmp.Compare(e.end, end) })
	if i == len(s.sent) {
		return 0
	}
	return s.sent[i].at
}
