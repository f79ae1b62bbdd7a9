package cost

import (
	"shakedown/result"
	"shakedown/wire"
	"shakedown/wire/transcript"
)

// flights are the flights of a transcript and the place of each entry in them.
type flights struct {
	first   transcript.Side // who sent the first
	all     []flight        // in their order
	numbers []int           // of each entry, from 1; 0: of no flight
	mss     int             // B of payload in a composed packet
	seen    Seen            // nil: packets are composed
}

// flight is a run of bytes in the stream of its sender.
type flight struct {
	entries    []*transcript.Entry
	start, end int
}

// flightsOf gives each entry its flight. What is counted has it from the
// transcript; what is not, such as the ChangeCipherSpec that means nothing in TLS
// 1.3, goes with the messages around it that its sender sent.
func flightsOf(t *transcript.Transcript) *flights {
	f := &flights{all: make([]flight, t.Flights), numbers: make([]int, len(t.Entries))}
	cut, begun := false, false
	for i := range t.Entries {
		e := &t.Entries[i]
		if e.Counted {
			if !begun {
				f.first, begun = e.From, true
			}
			cut = false
		}
		n := f.number(e, cut)
		if n > 0 {
			f.put(i, n, e)
		}
		cut = cut || e.Flight > 0 && e.From != f.sender(e.Flight)
	}
	return f
}

// sender returns who sent a flight: the sides take turns.
func (f *flights) sender(n int) transcript.Side {
	if n%2 == 1 {
		return f.first
	}
	return transcript.Server - f.first
}

// number returns the flight of an entry: the one that is under way, or the next if
// that is the other side's. Application data is of no flight: it does not wait for
// an answer. Nor are records that stay closed once the other side has spoken (cut):
// they may carry anything.
func (f *flights) number(e *transcript.Entry, cut bool) int {
	n := e.Flight
	switch {
	case e.Counted || n == 0:
		return n
	case e.Epoch == transcript.Application || e.Epoch == transcript.Closed && cut:
		return 0
	case e.From == f.sender(n):
		return n
	case n > 1 && lateChange(e):
		return n - 1
	case n < len(f.all):
		return n + 1
	}
	return 0
}

// lateChange: a server sends the ChangeCipherSpec that means nothing in TLS 1.3
// right behind its first message (RFC 8446 D.4), though the client may have answered
// a HelloRetryRequest before it is seen.
func lateChange(e *transcript.Entry) bool {
	return e.From == transcript.Server && e.Content == wire.ContentChangeCipherSpec
}

// put adds an entry to a flight.
func (f *flights) put(i, n int, e *transcript.Entry) {
	f.numbers[i] = n
	in := &f.all[n-1]
	if len(in.entries) == 0 {
		in.start, in.end = e.Start, e.End
	}
	in.entries = append(in.entries, e)
	in.start, in.end = min(in.start, e.Start), max(in.end, e.End)
}

// list returns the flights with their packets. Each is taken by itself: a window
// that an earlier flight has opened further is not reckoned with.
func (f *flights) list(t *transcript.Transcript) []result.Flight {
	list := make([]result.Flight, 0, len(f.all))
	zero := zeroOf(t)
	for i := range f.all {
		in := &f.all[i]
		out := result.Flight{Number: i + 1, From: f.sender(i + 1).String(), Bytes: in.end - in.start}
		out.Packets = f.count(f.sender(i+1), in.start, in.start, in.end)
		out.Extra = f.extra(f.sender(i+1), in, out.Packets)
		seen, last := in.entries[0].Seen, in.entries[0].Time
		for _, e := range in.entries {
			seen, last = min(seen, e.Seen), max(last, e.Time)
		}
		out.Start, out.End = (seen - zero).Seconds(), (last - zero).Seconds()
		list = append(list, out)
	}
	return list
}

// packets counts those that carry a part of an entry's records. Composed ones are
// filled from the first byte of the flight on; of what is in no flight, from its own.
func (f *flights) packets(i int, e *transcript.Entry) int {
	base := e.Start
	if n := f.numbers[i]; n > 0 {
		base = f.all[n-1].start
	}
	return f.count(e.From, base, e.Start, e.End)
}

// packetsUpTo adds up the packets of a side's flights, as far as they lie in the
// first bytes of its stream.
func (f *flights) packetsUpTo(side transcript.Side, bytes int) (sum int) {
	for i, in := range f.all {
		if f.sender(i+1) == side {
			sum += f.count(side, in.start, in.start, min(in.end, bytes))
		}
	}
	return sum
}
