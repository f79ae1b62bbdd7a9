package emulate

import (
	"bytes"
	"slices"
	"time"
)

// Bounds of what is kept between two reports.
const (
	maxRecorded = 32 << 20 // bytes of packets
	maxLate     = 1 << 20  // measurements of lateness
)

// log keeps the packets that were sent, and how late the emulator wrote them.
type log struct {
	off        bool // no packets, for measurements of throughput
	packets    []Packet
	bytes      int
	unrecorded int
	underway   [2]map[uint64]int // direction → number that the line gave → place in packets
	late       []time.Duration
	allowed    time.Duration
	over       int
	narrow     int // packets that were too long for the path
}

func newLog(off bool, allowed time.Duration) log {
	return log{off: off, allowed: allowed, underway: [2]map[uint64]int{{}, {}}, late: make([]time.Duration, 0, maxLate)}
}

// sent keeps a packet, which has not arrived yet.
func (l *log) sent(direction int, id uint64, at time.Duration, packet []byte, lost bool) {
	if l.off {
		return
	}
	if l.bytes += len(packet); l.bytes > maxRecorded {
		l.unrecorded++
		return
	}
	if !lost {
		l.underway[direction][id] = len(l.packets)
	}
	l.packets = append(l.packets, Packet{Down: direction == 1, Sent: at, Arrived: -1, Lost: lost, Data: bytes.Clone(packet)})
}

// wrote notes how late a packet left the link.
func (l *log) wrote(late time.Duration) {
	if len(l.late) < maxLate {
		l.late = append(l.late, late)
	}
	if late > l.allowed {
		l.over++
	}
}

// refused notes that a packet was too long for the hop behind the link.
func (l *log) refused(direction int, id uint64, late time.Duration) {
	l.wrote(late)
	l.narrow++
	if place, known := l.underway[direction][id]; known {
		l.packets[place].Lost = true
		delete(l.underway[direction], id)
	}
}

// arrived notes when a packet left the link, and how late that was. Of a packet
// that arrives twice the first time counts.
func (l *log) arrived(direction int, id uint64, at, late time.Duration) {
	l.wrote(late)
	if place, known := l.underway[direction][id]; known {
		l.packets[place].Arrived = at
		delete(l.underway[direction], id)
	}
}

// hand gives what was kept into a report and begins anew. Packets under way are
// told as such; when they arrive, nobody looks for them.
func (l *log) hand(r *Report) {
	r.Packets, r.Unrecorded = l.packets, l.unrecorded
	r.Late, r.TooBig = lateness(l.late, l.over), l.narrow
	*l = log{off: l.off, allowed: l.allowed, underway: [2]map[uint64]int{{}, {}}, late: l.late[:0]}
}

func lateness(all []time.Duration, over int) Lateness {
	sorted := slices.Sorted(slices.Values(all))
	if len(sorted) == 0 {
		return Lateness{}
	}
	at := func(share float64) time.Duration { return sorted[int(share*float64(len(sorted)-1))] }
	return Lateness{Count: len(sorted), Median: at(0.5), P99: at(0.99), Max: at(1), Over: over}
}
