package lab

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"shakedown/link/packet"
	"shakedown/link/space"
	"shakedown/result"
)

// linkPatience is the deadline of a handshake on a lossy link and a busy machine.
const linkPatience = 2 * time.Minute

// over traces the one case of a plan between Go and Go over an emulated link. It skips
// the test where the system allows none.
func over(t *testing.T, link string, seed uint64, axes ...string) Traced {
	t.Helper()
	cases, err := Cases(t.Context(), matrix(t, append(axes, "client=go", "server=go", "link="+link)...), testSet(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) != 1 || cases[0].Cannot != "" {
		t.Fatalf("%d cases, cannot be measured: %q", len(cases), cases[0].Cannot)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Trace(t.Context(), cases[0], TraceOptions{Timeout: linkPatience, Emulator: []string{self, emulatorVerb}, Seed: seed})
	var refused *space.RefusedError
	if errors.As(err, &refused) {
		t.Skipf("no emulated links: %v: %s", refused, refused.Hint) // no package brings them
	}
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// whole checks that a handshake completed as asked, and that packets were seen.
func whole(t *testing.T, got Traced) {
	t.Helper()
	tr := got.Transcript
	if got.Failure != "" || got.Mismatch != "" || !got.Complete || tr.Problem != "" {
		t.Fatalf("failure %q, mismatch %q, complete %v, problem %q", got.Failure, got.Mismatch, got.Complete, tr.Problem)
	}
	if got.Seen == nil || tr.Wire.Packets == nil || tr.Wire.PacketsLabel != result.Measured {
		t.Fatalf("packets are %s, %v", tr.Wire.PacketsLabel, tr.Wire.Packets)
	}
	if tr.Wire.RoundTripsSeen == nil {
		t.Fatal("the client's request was not seen")
	}
}

// early is how much before they are due packets may leave a link, in seconds, a few
// of them one after another.
const early = 1e-4

// paced checks that no packet was faster than the link, s one way: each flight starts
// when the one before has come, and takes a trip.
func paced(t *testing.T, got Traced, oneWay float64) {
	t.Helper()
	if w := got.Transcript.Wire; w.Connect < 2*oneWay-early || w.Lost != 0 {
		t.Errorf("connect in %.6f s, lost %d; a trip takes %.3f s", w.Connect, w.Lost, oneWay)
	}
	before := 0.0
	for _, f := range got.Transcript.Flights {
		if f.Start < before || f.End < f.Start+float64(1+2*f.Extra)*oneWay-early || f.Start < float64(f.Number-1)*oneWay-early {
			t.Errorf("flight %+v, the one before ended at %.6f s", f, before)
		}
		before = f.End
	}
}

// TestTraceOverLink: each kind of handshake takes its round trips, as its messages and as its
// packets show it, over IPv4 and IPv6.
func TestTraceOverLink(t *testing.T) {
	for _, c := range []struct {
		link, axes string
		trips      int
		flights    int
	}{
		{"delay=50ms", "version=1.2 mode=full", 2, 4},
		{"delay=50ms", "version=1.3 mode=full", 1, 3},
		{"delay=50ms", "version=1.3 mode=resumed", 1, 3},
		{"delay=50ms,family=6", "version=1.3 mode=full", 1, 3},
		{"delay=50ms", "version=1.3 mode=full retry=true group=secp384r1", 2, 5},
	} {
		t.Run(c.link+" "+c.axes, func(t *testing.T) {
			t.Parallel()
			got := over(t, c.link, 1, strings.Fields(c.axes)...)
			whole(t, got)
			paced(t, got, 0.05)
			w := got.Transcript.Wire
			if w.RoundTrips != c.trips || *w.RoundTripsSeen != float64(c.trips) || w.Flights != c.flights {
				t.Errorf("%d round trips in %d flights, seen %v, want %d in %d", w.RoundTrips, w.Flights, *w.RoundTripsSeen, c.trips, c.flights)
			}
			if w.ClientWireBytes < w.ClientBytes+40*w.ClientPackets || w.ServerWireBytes < w.ServerBytes+40*w.ServerPackets {
				t.Errorf("bytes with headers %d and %d, without %d and %d", w.ClientWireBytes, w.ServerWireBytes, w.ClientBytes, w.ServerBytes)
			}
			atClient(t, got)
		})
	}
}

// atClient checks what the client sent and received: all in order, from the SYN on.
func atClient(t *testing.T, got Traced) {
	t.Helper()
	all := got.AtClient()
	if len(all) == 0 || len(all) > len(got.Packets) || len(all) < len(got.Seen.Packets)-2 { // the last may be under way
		t.Fatalf("%d packets at the client, %d on the link, %d of the connection", len(all), len(got.Packets), len(got.Seen.Packets))
	}
	for i := range all[1:] {
		if all[i+1].Time.Before(all[i].Time) {
			t.Errorf("packet %d was before the one before it", i+1)
		}
	}
	if first, ok := packet.Parse(all[0].Data); !ok || first.Flags != packet.SYN {
		t.Errorf("the first packet is %+v", first)
	}
}

// TestTraceOfLongChain: a flight that is longer than the initial window waits for
// acknowledgements, a round trip in which only these travel.
func TestTraceOfLongChain(t *testing.T) {
	for _, c := range []struct {
		link, axes string
		trips      int // of the messages
		extra      int
	}{
		{"delay=100ms", "version=1.3 chain=3 leaf=16000", 1, 1},
		{"delay=100ms,window=20", "version=1.3 chain=3 leaf=16000", 1, 0},
		{"delay=100ms", "version=1.2 chain=3 leaf=16000", 2, 1},
		{"delay=100ms", "version=1.3 chain=3 leaf=60000", 1, 2},
	} {
		t.Run(c.link+" "+c.axes, func(t *testing.T) {
			t.Parallel()
			got := over(t, c.link, 1, strings.Fields(c.axes)...)
			whole(t, got)
			paced(t, got, 0.1)
			w, f := got.Transcript.Wire, got.Transcript.Flights[1]
			if f.Packets <= 10 || f.Extra != c.extra {
				t.Errorf("the server's flight %+v, want %d round trips for acknowledgements", f, c.extra)
			}
			if w.RoundTrips != c.trips || *w.RoundTripsSeen != float64(c.trips+c.extra) {
				t.Errorf("%d round trips, %v seen, want %d and %d", w.RoundTrips, *w.RoundTripsSeen, c.trips, c.trips+c.extra)
			}
		})
	}
}

// TestTraceWithLoss: a handshake completes on a link that loses packets, and shows what
// was lost and sent again. Each seed loses others.
func TestTraceWithLoss(t *testing.T) {
	var ran, lost, again atomic.Int64
	t.Run("seeds", func(t *testing.T) {
		for _, seed := range []uint64{4, 7, 8, 10, 11, 12} {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				got := over(t, "delay=20ms,loss=20%", seed, "version=1.3")
				whole(t, got)
				w := got.Transcript.Wire
				if w.RoundTrips != 1 || *w.RoundTripsSeen < 1 || w.Lost > len(got.Seen.Packets) {
					t.Errorf("%d round trips, seen %v, lost %d", w.RoundTrips, *w.RoundTripsSeen, w.Lost)
				}
				ran.Add(1)
				lost.Add(int64(w.Lost))
				again.Add(int64(w.Retransmissions))
			})
		}
	})
	if ran.Load() > 0 && (lost.Load() == 0 || again.Load() == 0) {
		t.Errorf("lost %d packets, sent again %d", lost.Load(), again.Load())
	}
}
