package seen

import (
	"fmt"
	"testing"
	"time"

	"shakedown/link/packet"
)

// flight is how a server sends a flight of n full packets in answer to a request, as
// slow start does it: the window grows by what is acknowledged.
type flight struct {
	n, window int
	each      int           // packets for one acknowledgement
	gap       time.Duration // between packets that leave together
}

// play adds request and flight to a tape, and what the client answers to all of it.
func (f flight) play(t *tape) {
	t.connect()
	t.send(client, 2*trip, 0, 0, text(client, 0, 200))
	type ack struct {
		at    time.Duration
		count int // of packets
	}
	var acks []ack
	at, window, next, acked := 3*trip, f.window, 0, 0
	for {
		for ; next < f.n && next-acked < window; next++ {
			t.send(server, at, next*full, 200, text(server, next*full, full))
			if count := next + 1; count%f.each == 0 || count == f.n {
				t.send(client, at+trip, 200, count*full, nil)
				acks = append(acks, ack{at + 2*trip, count})
			}
			at += f.gap
		}
		if len(acks) == 0 {
			break
		}
		at = max(at, acks[0].at)
		window, acked, acks = window+acks[0].count-acked, acks[0].count, acks[1:]
	}
	t.send(client, at-trip, 200, f.n*full, text(client, 200, 50))
}

// TestWaits: a flight waits for acknowledgements as often as slow start makes it.
func TestWaits(t *testing.T) {
	for _, c := range []struct{ window, packets, want int }{
		{10, 1, 0},
		{10, 10, 0},
		{10, 11, 1},
		{10, 30, 1},
		{10, 31, 2},
		{10, 70, 2},
		{10, 71, 3},
		{10, 150, 3},
		{10, 151, 4},
		{20, 20, 0},
		{20, 31, 1},
		{20, 61, 2},
		{2, 3, 1},
		{2, 7, 2},
		{1, 2, 1},
		{1, 1, 0},
	} {
		for _, each := range []int{1, 2} {
			for _, gap := range []time.Duration{0, ms} {
				if each > c.window {
					continue
				}
				t.Run(fmt.Sprintf("%d packets, window %d, ack each %d, gap %v", c.packets, c.window, each, gap), func(t *testing.T) {
					tape := newTape()
					flight{c.packets, c.window, each, gap}.play(tape)
					got := tape.seen(t, c.window)
					end := c.packets * full
					if w := got.Waits(server, 0, end); w != c.want || got.Count(server, 0, end) != c.packets {
						t.Errorf("%d waits in %d packets, want %d", w, got.Count(server, 0, end), c.want)
					}
					if first, last, answer := got.Trip(server, 0), got.Trip(server, end-1), got.Trip(client, 200); first != 4 || last != 4+2*c.want || answer != last+1 {
						t.Errorf("trips: %d the first packet, %d the last, %d what answers it", first, last, answer)
					}
				})
			}
		}
	}
}

// acknowledged is a tape with a flight of n packets that were acknowledged at 5 trips.
func acknowledged(n int) *tape {
	tape := newTape()
	tape.connect()
	tape.send(client, 2*trip, 0, 0, text(client, 0, 200))
	for i := range n {
		tape.send(server, 3*trip, i*full, 200, text(server, i*full, full))
	}
	tape.send(client, 4*trip, 200, n*full, nil)
	return tape
}

// TestLateWriter: an acknowledgement that comes while the window is open lets nothing
// go, nor one that came long before the next packet, though both came before it.
func TestLateWriter(t *testing.T) {
	for _, c := range []struct {
		packets int
		later   time.Duration
		want    int
	}{
		{9, 0, 0}, {3, ms, 0}, {10, 0, 1}, {10, clocked, 1}, {10, clocked + 1, 0}, {10, time.Second, 0},
	} {
		tape := acknowledged(c.packets)
		tape.send(server, 5*trip+c.later, c.packets*full, 200, text(server, c.packets*full, full))
		if got := tape.seen(t, 10).Waits(server, 0, (c.packets+1)*full); got != c.want {
			t.Errorf("%d packets and one %v after they were acknowledged: %d waits, want %d", c.packets, c.later, got, c.want)
		}
	}
}

// TestSmallerWindow: after a loss the window may be of any size, so what leaves with an
// acknowledgement waited for it.
func TestSmallerWindow(t *testing.T) {
	tape := newTape()
	tape.connect()
	tape.send(client, 2*trip, 0, 0, text(client, 0, 200))
	tape.add(sent{from: server, at: 3 * trip, arrives: lost, flags: packet.ACK, ack: 200, data: text(server, 0, full)})
	tape.send(server, 6*trip, 0, 200, text(server, 0, full))
	tape.send(client, 7*trip, 200, full, nil)
	tape.send(server, 8*trip, full, 200, text(server, full, full))
	if c := tape.seen(t, 10); c.Waits(server, 0, 2*full) != 1 || c.Trip(server, full) != 6 {
		t.Errorf("%d waits, trip %d", c.Waits(server, 0, 2*full), c.Trip(server, full))
	}
}

// TestCrossing: what had not arrived when a packet left is not what it answers.
func TestCrossing(t *testing.T) {
	tape := newTape()
	tape.connect()
	tape.send(client, 2*trip, 0, 0, text(client, 0, 10))
	tape.send(server, 2*trip+ms, 0, 0, text(server, 0, 10)) // says something by itself
	tape.send(client, 3*trip, 10, 0, text(client, 10, 10))  // before it comes
	tape.send(client, 3*trip+ms, 20, 10, text(client, 20, 10))
	tape.send(server, 4*trip, 10, 20, text(server, 10, 10))
	c := tape.seen(t, 10)
	for place, want := range map[int]int{0: 3, 10: 3, 20: 3} {
		if got := c.Trip(client, place); got != want {
			t.Errorf("client's byte %d: trip %d, want %d", place, got, want)
		}
	}
	// The server had the client's SYN when it spoke, and its first bytes later.
	if c.Trip(server, 0) != 2 || c.Trip(server, 10) != 4 {
		t.Errorf("server: trips %d and %d, want 2 and 4", c.Trip(server, 0), c.Trip(server, 10))
	}
}
