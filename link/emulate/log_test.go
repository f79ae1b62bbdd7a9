package emulate

import (
	"slices"
	"testing"
	"time"
)

// TestLog: what was sent, with what became of it; each report begins anew.
func TestLog(t *testing.T) {
	l := newLog(false, time.Millisecond)
	data := []byte("first")
	l.sent(0, 1, 10, data, false)
	data[0] = 'F' // the caller's buffer is used again
	l.sent(1, 1, 20, []byte("from the server"), false)
	l.sent(0, 2, 30, []byte("lost"), true)
	l.sent(0, 3, 40, []byte("too long"), false)
	l.sent(0, 4, 50, []byte("under way"), false)
	l.arrived(1, 1, 120, 0)
	l.arrived(0, 1, 110, 2*time.Millisecond)
	l.arrived(0, 1, 115, 0) // its duplicate
	l.refused(0, 3, 0)
	var r Report
	l.hand(&r)
	want := []Packet{
		{Sent: 10, Arrived: 110, Data: []byte("first")},
		{Down: true, Sent: 20, Arrived: 120, Data: []byte("from the server")},
		{Sent: 30, Arrived: -1, Lost: true, Data: []byte("lost")},
		{Sent: 40, Arrived: -1, Lost: true, Data: []byte("too long")},
		{Sent: 50, Arrived: -1, Data: []byte("under way")},
	}
	if !slices.EqualFunc(r.Packets, want, equal) {
		t.Errorf("%+v", r.Packets)
	}
	if r.TooBig != 1 || r.Unrecorded != 0 || r.Late.Count != 4 || r.Late.Over != 1 || r.Late.Max != 2*time.Millisecond {
		t.Errorf("%+v", r)
	}
	l.sent(1, 9, 60, []byte("next"), false)
	l.arrived(0, 4, 150, 0) // of the report before
	l.hand(&r)
	if len(r.Packets) != 1 || r.Packets[0].Arrived != -1 || r.TooBig != 0 || r.Late.Count != 1 || r.Late.Over != 0 {
		t.Errorf("the next report: %+v", r)
	}
}

func equal(a, b Packet) bool {
	return a.Down == b.Down && a.Sent == b.Sent && a.Arrived == b.Arrived && a.Lost == b.Lost && string(a.Data) == string(b.Data)
}

// TestLogBounds: beyond its limits it counts, and keeps no more.
func TestLogBounds(t *testing.T) {
	l := newLog(false, 0)
	for id := range uint64(4) {
		l.sent(0, id, 0, make([]byte, maxRecorded/3), false)
		l.arrived(0, id, 1, 0)
	}
	for range maxLate {
		l.wrote(1)
	}
	var r Report
	l.hand(&r)
	if len(r.Packets) != 3 || r.Unrecorded != 1 || r.Late.Count != maxLate || r.Late.Over != maxLate {
		t.Errorf("%d packets, %d unrecorded, %+v", len(r.Packets), r.Unrecorded, r.Late)
	}
	l.sent(0, 9, 0, []byte{1}, false)
	if l.hand(&r); len(r.Packets) != 1 || r.Unrecorded != 0 {
		t.Errorf("the next report has %d packets, %d unrecorded", len(r.Packets), r.Unrecorded)
	}
}

// TestLogOff: without packets lateness is measured all the same.
func TestLogOff(t *testing.T) {
	l := newLog(true, 0)
	l.sent(0, 1, 0, []byte{1}, false)
	l.arrived(0, 1, 5, 3)
	var r Report
	if l.hand(&r); r.Packets != nil || r.Unrecorded != 0 || r.Late != (Lateness{Count: 1, Median: 3, P99: 3, Max: 3, Over: 1}) {
		t.Errorf("%+v", r)
	}
}

// TestLateness: order statistics, whatever the order.
func TestLateness(t *testing.T) {
	if got := lateness(nil, 0); got != (Lateness{}) {
		t.Errorf("of none: %+v", got)
	}
	var all []time.Duration
	for i := range 101 {
		all = append(all, time.Duration(101-i))
	}
	if got := lateness(all, 7); got != (Lateness{Count: 101, Median: 51, P99: 100, Max: 101, Over: 7}) {
		t.Errorf("%+v", got)
	}
	if all[0] != 101 {
		t.Error("the measurements were sorted in place")
	}
}
