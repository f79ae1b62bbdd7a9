package shape

import (
	"time"

	"shakedown/link/profile"
)

// Fate is what became of a packet when it came to the link.
type Fate uint8

// The fates.
const (
	Queued   Fate = iota // it is under way
	Lost                 // by the link, or one of its frames
	Full                 // the queue had no room
	Filtered             // by the caller's filter
)

// Departure is a packet that leaves the link.
type Departure struct {
	ID   uint64        // that Enter gave it; a duplicate has the same
	Due  time.Duration // when it should leave
	Data []byte        // valid until the next call
}

// Counts are totals since the beginning.
type Counts struct {
	In         int   `json:"in"` // packets that came, and their bytes
	InBytes    int64 `json:"in_bytes"`
	Out        int   `json:"out"` // that left, duplicates among them
	OutBytes   int64 `json:"out_bytes"`
	Lost       int   `json:"lost"`
	Full       int   `json:"full"`     // dropped at the tail of a full queue
	CoDel      int   `json:"codel"`    // dropped at its head by CoDel
	Filtered   int   `json:"filtered"` // dropped by the filter
	Held       int   `json:"held"`
	Duplicated int   `json:"duplicated"`
	Reordered  int   `json:"reordered"`
	Frames     int64 `json:"frames"`  // that were sent, where there are frames
	Longest    int   `json:"longest"` // packets that waited at once
}

// Line is one direction of a link at work. It is not safe for concurrent use. Times
// are since any moment, the same for all calls, and do not go backwards.
type Line struct {
	// Filter drops a packet for which it returns true; nil drops none. It comes before
	// Hold, which says how much longer a packet is under way; others overtake it.
	Filter func(packet []byte) bool
	Hold   func(packet []byte) time.Duration

	d       profile.Direction
	f       profile.Frames
	chance  chance
	codel   codel
	waiting fifo          // for the transmitter
	flying  flight        // transmitted, not yet due
	free    []*item       // for reuse
	last    *item         // that Leave handed out
	busy    transmit      // the transmitter
	newest  time.Duration // due time of the last packet in order
	ids     uint64
	counts  Counts
}

// item is a packet under way.
type item struct {
	id      uint64
	arrived time.Duration // at the link
	due     time.Duration
	hold    time.Duration // longer under way
	order   uint64        // among those that are due at the same time
	data    []byte
}

// New makes a line. The seed decides every chance.
func New(d profile.Direction, f profile.Frames, seed uint64) *Line {
	return &Line{d: d, f: f, chance: newChance(seed, d.Loss), codel: newCoDel(d), busy: transmit{rate: d.Rate}}
}

// Enter takes a packet, which it copies, at the time when it came. It gives the
// packet a number, from 1, and says what became of it.
func (l *Line) Enter(now time.Duration, packet []byte) (id uint64, fate Fate) {
	l.advance(now)
	l.ids++
	l.counts.In++
	l.counts.InBytes += int64(len(packet))
	lost := l.chance.lose(l.d.Loss, l.f.Count(len(packet)))
	switch {
	case l.Filter != nil && l.Filter(packet):
		l.counts.Filtered++
		return l.ids, Filtered
	case lost:
		l.counts.Lost++
		return l.ids, Lost
	case l.full(len(packet)):
		l.counts.Full++
		return l.ids, Full
	}
	it := l.item(l.ids, now, packet)
	if l.Hold != nil {
		it.hold = l.Hold(packet)
	}
	l.waiting.push(it)
	l.advance(now)
	l.counts.Longest = max(l.counts.Longest, l.waiting.len())
	return l.ids, Queued
}

// full: the queue holds packets that wait; the one in transmission is none.
func (l *Line) full(size int) bool {
	q := l.d.Queue
	if l.waiting.len() == 0 {
		return false // the transmitter will take it, or it is the first to wait
	}
	limit := q.Packets
	if q == (profile.Queue{CoDel: q.CoDel}) {
		limit = profile.DefaultQueue
	}
	return limit > 0 && l.waiting.len() >= limit || q.Bytes > 0 && l.waiting.bytes+size > q.Bytes
}

// item makes one of a packet, out of memory that was used before.
func (l *Line) item(id uint64, now time.Duration, packet []byte) *item {
	var it *item
	if n := len(l.free); n > 0 {
		it, l.free = l.free[n-1], l.free[:n-1]
	} else {
		it = &item{}
	}
	it.id, it.arrived, it.hold, it.data = id, now, 0, append(it.data[:0], packet...)
	return it
}

// advance starts the transmissions that begin until now. Each begins at its own
// time, however late this is called, so that lateness costs no capacity.
func (l *Line) advance(now time.Duration) {
	for l.waiting.len() > 0 {
		head := l.waiting.head()
		start := max(head.arrived, l.busy.until)
		if start > now {
			return
		}
		l.waiting.pop()
		if l.d.Queue.CoDel && l.codel.drop(start, start-head.arrived, l.waiting.bytes) {
			l.counts.CoDel++
			l.free = append(l.free, head)
			continue
		}
		l.transmit(head, start)
	}
}

// transmit sends a packet, and reckons when it arrives.
func (l *Line) transmit(it *item, start time.Duration) {
	l.busy.send(start, l.f.Bytes(len(it.data)))
	if l.f.Size > 0 {
		l.counts.Frames += int64(l.f.Count(len(it.data)))
	}
	luck := l.chance.fly(l.d)
	it.due = l.busy.until + l.d.Delay + luck.jitter
	switch {
	case it.hold > 0:
		l.counts.Held++
		it.due += it.hold
	case luck.reorder:
		l.counts.Reordered++
		it.due = l.busy.until
	default:
		it.due = max(it.due, l.newest)
		l.newest = it.due
	}
	l.flying.push(it)
	if luck.duplicate {
		l.counts.Duplicated++
		twin := l.item(it.id, it.arrived, it.data)
		twin.due = it.due
		l.flying.push(twin)
	}
}

// Due is the next time at which Leave has a packet, or the transmitter begins one that
// may leave before those that are under way. Without overtaking none does, and its
// beginning can be reckoned later.
func (l *Line) Due() (time.Duration, bool) {
	due, any := l.flying.due()
	if overtaking := l.d.Reorder > 0 || l.Hold != nil; l.waiting.len() > 0 && (overtaking || !any) {
		start := max(l.waiting.head().arrived, l.busy.until)
		if !any || start < due {
			return start, true
		}
	}
	return due, any
}

// Leave hands out the next packet that is due at a time, if there is one.
func (l *Line) Leave(now time.Duration) (Departure, bool) {
	if l.last != nil {
		l.free, l.last = append(l.free, l.last), nil
	}
	l.advance(now)
	due, any := l.flying.due()
	if !any || due > now {
		return Departure{}, false
	}
	it := l.flying.pop()
	l.last = it
	l.counts.Out++
	l.counts.OutBytes += int64(len(it.data))
	return Departure{it.id, it.due, it.data}, true
}

// Counts returns the totals so far.
func (l *Line) Counts() Counts { return l.counts }

// Reseed begins the chances anew, those of packets under way left as they are.
func (l *Line) Reseed(seed uint64) { l.chance = newChance(seed, l.d.Loss) }

// Since returns what was added since earlier totals. Longest stays what it is.
func (c Counts) Since(before Counts) Counts {
	c.In, c.InBytes = c.In-before.In, c.InBytes-before.InBytes
	c.Out, c.OutBytes = c.Out-before.Out, c.OutBytes-before.OutBytes
	c.Lost, c.Full, c.CoDel = c.Lost-before.Lost, c.Full-before.Full, c.CoDel-before.CoDel
	c.Filtered, c.Held = c.Filtered-before.Filtered, c.Held-before.Held
	c.Duplicated, c.Reordered = c.Duplicated-before.Duplicated, c.Reordered-before.Reordered
	c.Frames -= before.Frames
	return c
}
