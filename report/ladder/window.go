package ladder

import (
	"slices"
	"strings"

	"shakedown/result"
)

// step is what slow start lets leave with so many round trips more: the initial
// window of 10 packets (RFC 6928 2), and twice the last window with each further
// one (RFC 5681 3.1).
type step struct {
	packets, trips string
	most           int // packets
}

var steps = []step{
	{"up to 10 packets", "leave at once", 10},
	{"up to 30", "1 round trip more", 30},
	{"up to 70", "2 round trips more", 70},
	{"beyond", "3 or more", 0},
}

// window holds the flights of the server against the steps.
func (p *page) window(t result.Transcript) {
	flights := slices.DeleteFunc(slices.Clone(t.Flights), func(f result.Flight) bool { return f.From != server })
	if len(flights) == 0 {
		return
	}
	p.section("The server's packets against the initial window")
	var table [][]string
	for extra, s := range steps {
		table = append(table, []string{s.packets, s.trips, s.holds(flights, extra)})
	}
	columns := p.columns(table, 2)
	for _, cells := range table {
		p.row(columns, cells...)
	}
	if t.Wire.Packets != nil {
		p.words("  ", "  ", "As seen: packets as they were first sent, and how often the server waited for acknowledgements in between.")
		return
	}
	p.words("  ", "  ", "Composed: full packets, none lost, each flight by itself.")
}

// holds names the flights that wait so many round trips.
func (s step) holds(flights []result.Flight, extra int) string {
	var names []string
	for _, f := range flights {
		if min(max(f.Extra, 0), len(steps)-1) == extra {
			names = append(names, s.flight(f))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "◄ " + strings.Join(names, "; ")
}

// flight says how far up the step a flight goes.
func (s step) flight(f result.Flight) string {
	words := "flight " + figure(f.Number) + ": "
	if s.most == 0 || f.Packets > s.most {
		return words + count(f.Packets, "packet")
	}
	return words + figure(f.Packets) + " of " + count(s.most, "packet")
}
