package seen

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"testing"
	"time"

	"shakedown/link/emulate"
	"shakedown/link/packet"
	"shakedown/wire/transcript"
)

// TestPortReuse: the same ports again are another connection, and so are other ports.
func TestPortReuse(t *testing.T) {
	first, second, other := newTape(), newTape(), newTape()
	exchange(first)
	second.isn = [2]uint32{7000, 9000}
	exchange(second)
	for i := range second.packets {
		second.packets[i].Sent += time.Minute
		second.packets[i].Arrived += time.Minute
	}
	other.ends[client] = netip.MustParseAddrPort("10.64.0.1:50124")
	exchange(other)
	first.packets = append(append(first.packets, second.packets...), other.packets...)
	all := Connections(first.inOrder(), 10)
	if len(all) != 3 {
		t.Fatalf("%d connections", len(all))
	}
	for i, c := range all {
		if len(c.Packets) != 13 || c.Connect != 2*trip || !bytes.Equal(bytesOf(c, client), text(client, 0, 333)) || c.Trip(client, 293) != 7 {
			t.Errorf("connection %d: %d packets, connect %v, trip %d\n%s", i, len(c.Packets), c.Connect, c.Trip(client, 293), said(c))
		}
	}
	if Of(all, 50123) != all[0] || Of(all, 50124) != all[1] || Of(all, 50125) != nil {
		t.Error("connections are not found by the client's port")
	}
}

// TestLeftOver: what comes late of an earlier connection, and a client that gave up
// before it was answered, are no part of the next.
func TestLeftOver(t *testing.T) {
	for name, before := range map[string]sent{
		"last acknowledgement":  {from: client, arrives: trip, flags: packet.ACK, place: 5000},
		"FIN of the server":     {from: server, arrives: trip, flags: packet.FIN | packet.ACK, place: 5000},
		"SYN without an answer": {from: client, arrives: lost, flags: packet.SYN, place: 5000},
	} {
		tape := newTape()
		tape.add(before)
		left := len(tape.packets)
		exchange(tape)
		all := Connections(tape.packets, 10)
		if len(all) != 2 || len(all[0].Packets) != left || len(all[1].Packets) != 13 || all[1].Client != tape.ends[client] {
			t.Errorf("%s: %d connections", name, len(all))
		}
	}
}

// TestPassedOver: what is no TCP is passed over, and nothing is nothing.
func TestPassedOver(t *testing.T) {
	tape := newTape()
	exchange(tape)
	udp := bytes.Clone(tape.packets[0].Data)
	udp[9] = byte(packet.UDP)
	tape.packets = append(tape.packets, emulate.Packet{Data: udp}, emulate.Packet{}, emulate.Packet{Data: []byte{0x45}})
	if c := tape.seen(t, 10); len(c.Packets) != 13 {
		t.Errorf("%d packets", len(c.Packets))
	}
	if all := Connections(nil, 10); len(all) != 0 {
		t.Errorf("%d connections of nothing", len(all))
	}
}

// TestUnderWay: a packet that is under way has neither arrived nor been lost.
func TestUnderWay(t *testing.T) {
	tape := newTape()
	tape.connect()
	tape.send(client, 2*trip, 0, 0, text(client, 0, 10))
	tape.packets[3].Arrived = -1
	if c := tape.seen(t, 10); c.Lost() != 0 || len(c.Chunks) != 0 || c.Count(client, 0, 10) != 1 {
		t.Errorf("lost %d, %d chunks, %d packets", c.Lost(), len(c.Chunks), c.Count(client, 0, 10))
	}
}

// TestLeaps: numbers far outside any window belong to no stream, and cost nothing.
func TestLeaps(t *testing.T) {
	tape := newTape()
	tape.connect()
	tape.send(client, 2*trip, 0, 0, text(client, 0, 10))
	for i, place := range []int{maxAhead + 11, 1 << 30, 1<<31 - 1, 1 << 31, 1<<32 - 2, -1, -1000} {
		tape.send(client, 2*trip+time.Duration(i), place, 0, text(client, 0, 10))
	}
	tape.send(client, 3*trip, 10, 0, text(client, 10, 10))
	c := tape.seen(t, 10)
	if len(c.Packets) != 5 || !bytes.Equal(bytesOf(c, client), text(client, 0, 20)) {
		t.Errorf("%d packets\n%s", len(c.Packets), said(c))
	}
}

// TestSkipped: bytes whose first packet was not seen count as sent with the next.
func TestSkipped(t *testing.T) {
	tape := newTape()
	tape.connect()
	tape.send(client, 2*trip, 100, 0, text(client, 100, 50))
	tape.send(client, 4*trip, 0, 0, text(client, 0, 100))
	c := tape.seen(t, 10)
	expect(t, said(c), "client 1s 2.5s 100", "client 1s 2.5s 50")
	if c.Count(client, 0, 150) != 1 || c.Trip(client, 0) != 3 {
		t.Errorf("%d packets, trip %d", c.Count(client, 0, 150), c.Trip(client, 0))
	}
}

// check holds a connection against what must be true of any.
func check(t *testing.T, c *Connection) {
	t.Helper()
	var now time.Duration
	for i, k := range c.Chunks {
		if k.Time < now || k.Sent > k.Time || len(k.Data) == 0 {
			t.Fatalf("chunk %d was sent at %v and read at %v, the one before at %v; it has %d bytes", i, k.Sent, k.Time, now, len(k.Data))
		}
		now = k.Time
	}
	for i := range c.Packets {
		if p := &c.Packets[i]; p.Trip < 1 || p.Trip > len(c.Packets) || p.Start < 0 || p.End < p.Start {
			t.Fatalf("packet %+v", p)
		}
	}
	for side := range transcript.Server + 1 {
		if n := len(bytesOf(c, side)); n > 0 && (c.Count(side, 0, n) < 1 || c.Waits(side, 0, n) < 0 || c.Trip(side, n-1) < 1) {
			t.Fatalf("%s: %d bytes in %d packets, %d waits", side, n, c.Count(side, 0, n), c.Waits(side, 0, n))
		}
	}
}

// scripted plays packets that bytes describe, six for each, on a tape whose both sides
// begin with a SYN.
func scripted(script []byte) *tape {
	tape := newTape()
	tape.isn = [2]uint32{0xfffffff0, 0x7ffffff0}
	tape.connect()
	at := 2 * trip
	for ; len(script) >= 6; script = script[6:] {
		s := sent{from: transcript.Side(script[0] & 1), at: at, flags: packet.ACK, ack: int(script[1]) * 4}
		at += time.Duration(script[2]>>4) * ms
		s.arrives = s.at + time.Duration(script[2]&15)*10*ms
		if script[0]&2 != 0 {
			s.arrives = lost
		}
		if script[0]&4 != 0 {
			s.flags |= packet.FIN
		}
		if script[0]&0xf8 == 0xf8 {
			s.flags = packet.SYN
		}
		if s.flags&packet.SYN == 0 {
			s.place = int(script[3]) * 4
		}
		if script[0]&0xf8 == 0xf0 {
			s.place += int(binary.BigEndian.Uint16(script[4:])) << 16
		}
		s.data = text(s.from, s.place, int(script[5]))
		tape.add(s)
	}
	return tape
}

// Whatever the packets, the streams are a beginning of what was sent, each byte once.
func FuzzConnections(f *testing.F) {
	f.Add([]byte{0, 0, 1, 0, 0, 100, 1, 25, 17, 0, 0, 200, 0, 50, 1, 25, 0, 40})
	f.Add([]byte{2, 0, 1, 0, 0, 100, 0, 0, 17, 0, 0, 100, 4, 50, 1, 25, 0, 0, 0xf8, 0, 0, 0, 0, 0})
	f.Add([]byte{0, 0, 9, 0, 0, 100, 0, 0, 1, 10, 0, 100, 0, 0, 1, 20, 0, 100, 0xf0, 0, 0, 0, 255, 255})
	f.Fuzz(func(t *testing.T, script []byte) {
		all := Connections(scripted(script).packets, 10)
		for _, c := range all {
			check(t, c)
		}
		for side := range transcript.Server + 1 { // of the first, which both sides opened
			if got := bytesOf(all[0], side); !bytes.Equal(got, text(side, 0, len(got))) {
				t.Fatalf("%s: the stream is not what was sent", side)
			}
		}
	})
}

// TestHostile: random packets, ports, numbers and times break nothing.
func TestHostile(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		tape := newTape()
		for range 500 {
			tape.isn = [2]uint32{random.Uint32() >> random.IntN(32), random.Uint32() >> random.IntN(32)}
			tape.ends[client] = netip.AddrPortFrom(tape.ends[client].Addr(), uint16(random.IntN(3)))
			at := time.Duration(random.Int64N(int64(time.Minute)))
			tape.add(sent{
				from: transcript.Side(random.IntN(2)), at: at, arrives: max(lost, at+time.Duration(random.Int64N(int64(time.Second)))-200*ms),
				flags: uint8(random.IntN(32)), ack: random.IntN(1 << 20), data: text(client, 0, random.IntN(300)),
			})
		}
		for _, c := range Connections(tape.inOrder(), random.IntN(20)) {
			for i := range c.Packets {
				if p := &c.Packets[i]; p.Trip < 1 || p.Trip > len(c.Packets) || p.End-p.Start > 300 {
					t.Fatalf("packet %+v", p)
				}
			}
		}
	}
}

// crowds are packets that are hard on whoever keeps lists of them.
var crowds = map[string]func(n int) *tape{
	"a transfer": func(n int) *tape {
		tape := newTape()
		tape.connect()
		for i := range n {
			at := 2*trip + time.Duration(i)*10*time.Microsecond
			tape.send(server, at, i*100, 0, text(server, 0, 100))
			if i%2 == 1 {
				tape.send(client, at+trip, 0, (i+1)*100, nil)
			}
		}
		return tape
	},
	"nothing arrives while both send": func(n int) *tape {
		tape := newTape()
		tape.connect()
		for i := range n {
			from := transcript.Side(i % 2)
			tape.add(sent{from: from, at: 2*trip + time.Duration(i), arrives: time.Hour, flags: packet.ACK, place: i * 50, data: text(from, 0, 100)})
		}
		return tape
	},
	"the last comes first": func(n int) *tape {
		tape := newTape()
		tape.connect()
		for i := range n {
			from := transcript.Side(i % 2)
			tape.add(sent{from: from, at: 2*trip + time.Duration(i), arrives: time.Hour - time.Duration(i), flags: packet.ACK, place: i * 50, data: text(from, 0, 100)})
		}
		return tape
	},
	"the same again and again": func(n int) *tape {
		tape := newTape()
		tape.connect()
		for i := range n {
			at := 2*trip + time.Duration(i)
			tape.send(client, at, i%2*100, 0, text(client, 0, 100))
			tape.send(server, at, 0, 100, text(server, 0, 1))
		}
		return tape
	},
	"always another connection": func(n int) *tape {
		tape := newTape()
		for i := range n {
			tape.isn[client] = uint32(i) * 7
			tape.add(sent{from: client, at: time.Duration(i), arrives: trip, flags: packet.SYN})
		}
		return tape
	},
}

// TestMemoryGrowsWithTheInput: twice the packets take about twice the memory, however
// they come.
func TestMemoryGrowsWithTheInput(t *testing.T) {
	for name, crowd := range crowds {
		const n = 5000
		size := func(n int) int {
			packets := crowd(n).inOrder()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for _, c := range Connections(packets, 10) {
				check(t, c)
			}
			runtime.ReadMemStats(&after)
			return int(after.TotalAlloc - before.TotalAlloc)
		}
		if one, two := size(n), size(2*n); two > 5*one/2 || one > n*4096 {
			t.Errorf("%s: %d bytes for %d packets, %d for twice as many", name, one, n, two)
		}
	}
}

// The time for a packet must not grow with their number.
func BenchmarkConnections(b *testing.B) {
	for name, crowd := range crowds {
		for _, n := range []int{10_000, 100_000} {
			packets := crowd(n).inOrder()
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					Connections(packets, 10)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(packets)), "ns/packet")
			})
		}
	}
}
