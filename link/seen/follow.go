package seen

import (
	"cmp"
	"container/heap"
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
	opened   bool   // SYN was sent
	finished bool   // FIN was sent
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

// Before orders pieces as they lie in the stream.
func (p piece) Before(o piece) bool { return p.start < o.start }

func follow(p packet.Packet, window int) *follower {
	return &follower{c: Connection{Client: p.From, Server: p.To}, window: window, first: -1}
}

// side is who sent a packet.
func (f *follower) side(p packet.Packet) transcript.Side {
	if p.From == f.c.Server {
		return transcript.Server
	}
	return transcript.Client
}

// isOver: the packet begins a new connection between the same ports. A SYN that is
// sent again has the number of the first (RFC 9293 3.4.1).
func (f *follower) isOver(p packet.Packet) bool {
	if !p.Has(packet.SYN) || p.Has(packet.ACK) {
		return false
	}
	s := &f.sides[f.side(p)]
	return s.ended || !s.known || s.base != p.Seq+1
}

func (f *follower) take(raw *emulate.Packet, p packet.Packet) {
	side := f.side(p)
	s, other := &f.sides[side], &f.sides[1-side]
	s.begin(p)
	f.connect(side, raw, p)
	start := s.place(p)
	if start < 0 || start > s.highest+maxAhead {
		return // what belongs to no stream that is followed
	}
	seen := Packet{From: side, Sent: raw.Sent, Arrived: raw.Arrived, Lost: raw.Lost, Size: len(raw.Data), Start: start, End: start + len(p.Payload)}
	seen.Again, seen.fresh = s.again(p, seen.End), seen.End
	if seen.End > start {
		seen.fresh = min(s.highest, seen.End)
	}
	s.hear(raw.Sent, f.window)
	seen.Trip = 1 + s.heard.longest(seen.End > start)
	s.send(&seen, p)
	if raw.Arrived >= 0 {
		s.deliver(&seen, p.Payload)
		heap.Push(&other.heard.pending, news{
			at: raw.Arrived, trip: seen.Trip, asks: seen.End > start || p.Has(packet.SYN), ack: other.acknowledged(p),
		})
	}
	f.c.Packets = append(f.c.Packets, seen)
}

// again tells whether a packet has something to deliver, payload to an end or a SYN or
// FIN, which are numbered like it, and all of that had been sent before.
func (s *stream) again(p packet.Packet, end int) bool {
	switch {
	case len(p.Payload) > 0 && end > s.highest, p.Has(packet.SYN) && !s.opened, p.Has(packet.FIN) && !s.finished:
		return false
	}
	return len(p.Payload) > 0 || p.Has(packet.SYN) || p.Has(packet.FIN)
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

// send takes note of what a packet carries. Payload that it skips, because that was
// not seen, counts as sent with it.
func (s *stream) send(seen *Packet, p packet.Packet) {
	s.repeated = s.repeated || seen.Again
	s.opened = s.opened || p.Has(packet.SYN)
	s.finished = s.finished || p.Has(packet.FIN)
	s.ended = s.ended || p.Has(packet.FIN) || p.Has(packet.RST)
	if seen.fresh < seen.End {
		s.highest = seen.End
		s.sent = append(s.sent, sending{seen.End, seen.Sent})
		s.unacked = append(s.unacked, seen.End)
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
// there too, and sent when they were sent first. Behind a gap that stays there is
// nothing to read.
func (s *stream) chunks(side transcript.Side) (out []transcript.Chunk) {
	slices.SortStableFunc(s.arrived, func(a, b piece) int { return cmp.Compare(a.at, b.at) })
	var early queue[piece]
	next := 0
	for _, arriving := range s.arrived {
		heap.Push(&early, arriving)
		for len(early) > 0 && early[0].start <= next {
			p := heap.Pop(&early).(piece)
			if old := next - p.start; old < len(p.data) {
				out = s.read(out, transcript.Chunk{From: side, Time: arriving.at, Data: p.data[old:]}, next)
				next = p.start + len(p.data)
			}
		}
	}
	return out
}

// read adds bytes from a place on that can be read, cut where they were not sent
// together.
func (s *stream) read(out []transcript.Chunk, c transcript.Chunk, at int) []transcript.Chunk {
	rest := c.Data
	for len(rest) > 0 {
		i, _ := slices.BinarySearchFunc(s.sent, at+1, func(e sending, end int) int { return cmp.Compare(e.end, end) })
		n := min(len(rest), s.sent[i].end-at)
		c.Sent, c.Data = s.sent[i].at, rest[:n]
		out, rest, at = append(out, c), rest[n:], at+n
	}
	return out
}
