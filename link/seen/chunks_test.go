package seen

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"shakedown/link/packet"
	"shakedown/wire/transcript"
)

// exchange is a handshake like that of TLS 1.2 with a request and its answer, trips
// apart, and the close.
func exchange(t *tape) {
	t.connect()
	t.send(client, 2*trip, 0, 0, text(client, 0, 200))
	t.send(server, 3*trip, 0, 200, text(server, 0, full))
	t.send(server, 3*trip+ms, full, 200, text(server, full, 100))
	t.send(client, 4*trip+ms, 200, full+100, text(client, 200, 93))
	t.send(server, 5*trip+ms, full+100, 293, text(server, full+100, 51))
	t.send(client, 6*trip+ms, 293, full+151, text(client, 293, 40))
	t.send(server, 7*trip+ms, full+151, 333, text(server, full+151, 60))
	t.add(sent{from: client, at: 8*trip + ms, arrives: 9*trip + ms, flags: packet.FIN | packet.ACK, place: 333, ack: full + 211})
	t.add(sent{from: server, at: 9*trip + ms, arrives: 10*trip + ms, flags: packet.FIN | packet.ACK, place: full + 211, ack: 334})
	t.send(client, 10*trip+ms, 334, full+212, nil)
}

// TestExchange: chunks, counts and trips of a connection without any accident, wherever
// its numbers begin.
func TestExchange(t *testing.T) {
	for _, isn := range [][2]uint32{{1000, 2000}, {0xffffffff, 0xffffffff}, {0xfffffff0, 0xffffff00}, {0xffffff00, 0x7fffff00}, {0x7ffffffe, 0}} {
		tape := newTape()
		tape.isn = isn
		exchange(tape)
		c := tape.seen(t, 10)
		expect(t, said(c),
			"client 1s 1.5s 200", "server 1.5s 2s 1460", "server 1.501s 2.001s 100", "client 2.001s 2.501s 93",
			"server 2.501s 3.001s 51", "client 3.001s 3.501s 40", "server 3.501s 4.001s 60")
		if !bytes.Equal(bytesOf(c, client), text(client, 0, 333)) || !bytes.Equal(bytesOf(c, server), text(server, 0, full+211)) {
			t.Error("the streams are not what was sent")
		}
		if c.Connect != 2*trip || c.Lost() != 0 || c.Retransmissions() != 0 {
			t.Errorf("connect %v, lost %d, sent again %d", c.Connect, c.Lost(), c.Retransmissions())
		}
		// SYN 1, its answer 2, request 3, answer 4, …
		for i, want := range map[int][2]int{0: {3, 4}, 199: {3, 4}, 200: {5, 4}, 292: {5, 4}, 293: {7, 4}, 332: {7, 4}, 333: {0, 4}, full + 100: {0, 6}, full + 151: {0, 8}} {
			if got := [2]int{c.Trip(client, i), c.Trip(server, i)}; got != want {
				t.Errorf("byte %d: trips %v, want %v", i, got, want)
			}
		}
		if n := c.Count(server, 0, full+100); n != 2 || c.Waits(server, 0, full+100) != 0 {
			t.Errorf("flight of %d packets, %d waits", n, c.Waits(server, 0, full+100))
		}
		if c.Count(server, full-1, full) != 1 || c.Count(server, full-1, full+1) != 2 || c.Count(server, full, full) != 0 || c.Count(client, 0, 1<<20) != 3 {
			t.Error("counts of parts are wrong")
		}
	}
}

// TestBytes: what each side sent with its headers, until a time and to the end.
func TestBytes(t *testing.T) {
	tape := newTape()
	exchange(tape)
	c := tape.seen(t, 10)
	if got, want := c.Bytes(), 13*40+333+full+211; got != want || len(c.Packets) != 13 {
		t.Errorf("%d bytes in %d packets, want %d in 13", got, len(c.Packets), want)
	}
	for _, want := range []struct {
		from  transcript.Side
		at    time.Duration
		bytes int
	}{
		{client, -1, 0},
		{client, 0, 40},
		{client, 2 * trip, 120 + 200},
		{server, 2 * trip, 40},
		{server, 3 * trip, 80 + full},
		{client, time.Hour, 7*40 + 333},
		{server, time.Hour, 6*40 + full + 211},
	} {
		if got := c.BytesUntil(want.from, want.at); got != want.bytes {
			t.Errorf("%s until %v: %d bytes, want %d", want.from, want.at, got, want.bytes)
		}
	}
}

// TestLostHello: a ClientHello that is sent again was sent first when it was lost, and
// came when it was sent again. The timer is no round trip.
func TestLostHello(t *testing.T) {
	tape := newTape()
	tape.connect()
	hello := text(client, 0, 300)
	tape.add(sent{from: client, at: 2 * trip, arrives: lost, flags: packet.ACK, data: hello})
	tape.send(client, 10*trip, 0, 0, hello)
	tape.send(server, 11*trip, 0, 300, text(server, 0, 90))
	c := tape.seen(t, 10)
	expect(t, said(c), "client 1s 5.5s 300", "server 5.5s 6s 90")
	if c.Lost() != 1 || c.Retransmissions() != 1 || c.Count(client, 0, 300) != 1 || c.Trip(client, 0) != 3 || c.Trip(server, 0) != 4 {
		t.Errorf("lost %d, again %d, count %d, trips %d and %d", c.Lost(), c.Retransmissions(), c.Count(client, 0, 300), c.Trip(client, 0), c.Trip(server, 0))
	}
}

// TestLostSYN: what opens and what closes may be sent again too, and is no new
// connection then.
func TestLostSYN(t *testing.T) {
	tape := newTape()
	fin := uint8(packet.FIN | packet.ACK)
	tape.add(sent{from: client, at: 0, arrives: lost, flags: packet.SYN})
	tape.add(sent{from: client, at: 2 * trip, arrives: 3 * trip, flags: packet.SYN})
	tape.add(sent{from: server, at: 3 * trip, arrives: lost, flags: packet.SYN | packet.ACK})
	tape.add(sent{from: server, at: 5 * trip, arrives: 6 * trip, flags: packet.SYN | packet.ACK})
	tape.send(client, 6*trip, 0, 0, text(client, 0, 10))
	tape.add(sent{from: client, at: 7 * trip, arrives: lost, flags: fin, place: 10})
	tape.add(sent{from: client, at: 9 * trip, arrives: 10 * trip, flags: fin, place: 10})
	c := tape.seen(t, 10)
	if c.Connect != 6*trip || c.Lost() != 3 || c.Retransmissions() != 3 || c.Trip(client, 0) != 3 {
		t.Errorf("connect %v, lost %d, again %d, trip %d", c.Connect, c.Lost(), c.Retransmissions(), c.Trip(client, 0))
	}
	expect(t, said(c), "client 3s 3.5s 10")
}

// TestRefused: a connection that is refused, its SYN sent again because the reset was
// lost, is one, and has no connect.
func TestRefused(t *testing.T) {
	tape := newTape()
	tape.add(sent{from: client, at: 0, arrives: trip, flags: packet.SYN})
	tape.add(sent{from: server, at: trip, arrives: lost, flags: packet.RST | packet.ACK})
	tape.add(sent{from: client, at: 3 * trip, arrives: 4 * trip, flags: packet.SYN})
	tape.add(sent{from: server, at: 4 * trip, arrives: 5 * trip, flags: packet.RST | packet.ACK})
	if c := tape.seen(t, 10); c.Connect != 0 || len(c.Chunks) != 0 || len(c.Packets) != 4 || c.Retransmissions() != 1 {
		t.Errorf("connect %v, %d chunks, %d packets, %d again", c.Connect, len(c.Chunks), len(c.Packets), c.Retransmissions())
	}
}

// TestPieces: what arrives in any order, twice, overlapping or cut otherwise than
// before comes out once, at the time at which it could be read.
func TestPieces(t *testing.T) {
	type piece struct {
		start, end  int
		at, arrives int // ms; negative: never
	}
	for name, c := range map[string]struct {
		pieces []piece
		want   []string
	}{
		"reordered":       {[]piece{{0, 100, 1, 50}, {100, 200, 2, 40}, {200, 300, 3, 30}}, []string{"1ms 50ms 100", "2ms 50ms 100", "3ms 50ms 100"}},
		"twice":           {[]piece{{0, 100, 1, 50}, {0, 100, 2, 40}, {0, 100, 3, 60}, {100, 110, 4, 70}}, []string{"1ms 40ms 100", "4ms 70ms 10"}},
		"overlapping":     {[]piece{{0, 100, 1, 50}, {60, 160, 2, 55}, {20, 120, 3, 60}}, []string{"1ms 50ms 100", "2ms 55ms 60"}},
		"a gap is filled": {[]piece{{0, 100, 1, 50}, {100, 200, 2, -1}, {200, 300, 3, 52}, {100, 200, 80, 90}}, []string{"1ms 50ms 100", "2ms 90ms 100", "3ms 90ms 100"}},
		"a gap that stays": {
			[]piece{{0, 100, 1, 50}, {100, 200, 2, -1}, {200, 300, 3, 52}},
			[]string{"1ms 50ms 100"},
		},
		"needlessly sent again, in one": { // the first time counts
			[]piece{{0, 50, 1, 10}, {50, 200, 2, 20}, {0, 200, 90, 100}}, []string{"1ms 10ms 50", "2ms 20ms 150"},
		},
		"sent again from the middle of one to the next": {
			[]piece{{0, 50, 1, 10}, {50, 200, 2, 20}, {30, 200, 90, 100}, {200, 210, 91, 101}}, []string{"1ms 10ms 50", "2ms 20ms 150", "91ms 101ms 10"},
		},
		"lost in three, sent again in one": { // each part was sent when it was sent first
			[]piece{{0, 50, 1, -1}, {50, 100, 5, -1}, {100, 150, 9, -1}, {0, 150, 90, 100}}, []string{"1ms 100ms 50", "5ms 100ms 50", "9ms 100ms 50"},
		},
		"sent again in smaller ones": {
			[]piece{{0, 150, 1, -1}, {0, 50, 80, 90}, {50, 100, 81, 92}, {100, 150, 82, 91}}, []string{"1ms 90ms 50", "1ms 92ms 50", "1ms 92ms 50"},
		},
		"sent again with more": {
			[]piece{{0, 100, 1, -1}, {0, 160, 80, 90}}, []string{"1ms 90ms 100", "80ms 90ms 60"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tape := newTape()
			tape.add(sent{from: client, flags: packet.SYN, arrives: 0})
			end := 0
			for _, p := range c.pieces {
				arrives := time.Duration(p.arrives) * ms
				if p.arrives < 0 {
					arrives = lost
				} else {
					end = max(end, p.end)
				}
				tape.add(sent{from: client, at: time.Duration(p.at) * ms, arrives: arrives, flags: packet.ACK, place: p.start, data: text(client, p.start, p.end-p.start)})
			}
			got := tape.seen(t, 10)
			want := slices.Clone(c.want)
			for i := range want {
				want[i] = "client " + want[i]
			}
			expect(t, said(got), want...)
			if all := bytesOf(got, client); name != "a gap that stays" && !bytes.Equal(all, text(client, 0, end)) {
				t.Errorf("%d bytes, not the %d that were sent", len(all), end)
			}
		})
	}
}

// TestCountAgain: a packet that repeats and goes on counts where it goes on.
func TestCountAgain(t *testing.T) {
	tape := newTape()
	tape.connect()
	tape.send(client, 2*trip, 0, 0, text(client, 0, 100))
	tape.send(client, 5*trip, 0, 0, text(client, 0, 160))
	tape.send(client, 6*trip, 0, 0, text(client, 0, 160))
	c := tape.seen(t, 10)
	for _, want := range [][3]int{{0, 100, 1}, {100, 160, 1}, {0, 160, 2}, {99, 101, 2}, {160, 170, 0}} {
		if got := c.Count(client, want[0], want[1]); got != want[2] {
			t.Errorf("bytes %d to %d in %d packets, want %d", want[0], want[1], got, want[2])
		}
	}
	if c.Retransmissions() != 1 {
		t.Errorf("%d packets with nothing new", c.Retransmissions())
	}
}

// model is a receiver that knows of each byte when it was sent first and when it, and
// all before it, had arrived.
type model struct {
	sent, read []time.Duration
	pieces     []modelPiece
}

type modelPiece struct {
	start, end int
	at         time.Duration
}

func (m *model) send(start, end int, at, arrives time.Duration) {
	for len(m.sent) < end {
		m.sent = append(m.sent, at)
	}
	if arrives >= 0 {
		m.pieces = append(m.pieces, modelPiece{start, end, arrives})
	}
}

// finish finds when each byte could be read, as far as that goes.
func (m *model) finish() {
	slices.SortStableFunc(m.pieces, func(a, b modelPiece) int { return int(a.at - b.at) })
	have := make([]bool, len(m.sent))
	for _, p := range m.pieces {
		for i := p.start; i < p.end; i++ {
			have[i] = true
		}
		for len(m.read) < len(have) && have[len(m.read)] {
			m.read = append(m.read, p.at)
		}
	}
}

// TestAnyPieces: whatever a sender cuts, repeats and loses, each byte comes out once, in
// its place, with the times of the model.
func TestAnyPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		tape, m := newTape(), model{}
		tape.isn[client] = random.Uint32()
		tape.add(sent{from: client, flags: packet.SYN})
		for i := range 1 + random.IntN(30) {
			start := len(m.sent)
			if start > 0 && random.IntN(3) == 0 {
				start = random.IntN(start)
			}
			end := start + 1 + random.IntN(100)
			at := time.Duration(i+1) * ms
			arrives := at + time.Duration(random.IntN(40))*ms
			if random.IntN(5) == 0 {
				arrives = lost
			}
			m.send(start, end, at, arrives)
			tape.add(sent{from: client, at: at, arrives: arrives, flags: packet.ACK, place: start, data: text(client, start, end-start)})
		}
		m.finish()
		next := 0
		for _, k := range tape.seen(t, 10).Chunks {
			for i, b := range k.Data {
				at := next + i
				if at >= len(m.read) || b != text(client, at, 1)[0] || k.Sent != m.sent[at] || k.Time != m.read[at] {
					t.Fatalf("byte %d of a chunk sent at %v and read at %v; %d bytes can be read", at, k.Sent, k.Time, len(m.read))
				}
			}
			next += len(k.Data)
		}
		if next != len(m.read) {
			t.Fatalf("%d bytes, want %d", next, len(m.read))
		}
	}
}
