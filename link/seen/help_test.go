package seen

import (
	"bytes"
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"shakedown/link/emulate"
	"shakedown/link/packet"
	"shakedown/wire/transcript"
)

const (
	client = transcript.Client
	server = transcript.Server
	ms     = time.Millisecond
	trip   = 500 * ms // one way
	full   = 1460     // B of payload in a full packet
	lost   = time.Duration(-1)
)

// tape is what an emulator would have kept of one connection.
type tape struct {
	packets []emulate.Packet
	ends    [2]netip.AddrPort
	isn     [2]uint32
	buf     gopacket.SerializeBuffer
}

func newTape() *tape {
	return &tape{
		ends: [2]netip.AddrPort{netip.MustParseAddrPort("10.64.0.1:50123"), netip.MustParseAddrPort("10.64.0.2:4434")},
		isn:  [2]uint32{1000, 2000}, buf: gopacket.NewSerializeBuffer(),
	}
}

// sent is a packet of a tape: places are in the streams, and what it acknowledges is
// that of the other side.
type sent struct {
	from    transcript.Side
	at      time.Duration
	arrives time.Duration // [lost]: never
	flags   uint8
	place   int
	ack     int
	data    []byte
}

// add puts a packet on the tape. A SYN has a number of its own before the stream.
func (t *tape) add(s sent) {
	seq := t.isn[s.from] + 1 + uint32(s.place)
	if s.flags&packet.SYN != 0 {
		seq--
	}
	from, to := t.ends[s.from], t.ends[1-s.from]
	tcp := layers.TCP{
		SrcPort: layers.TCPPort(from.Port()), DstPort: layers.TCPPort(to.Port()), Seq: seq, Window: 65535,
		SYN: s.flags&packet.SYN != 0, FIN: s.flags&packet.FIN != 0, RST: s.flags&packet.RST != 0, ACK: s.flags&packet.ACK != 0,
	}
	if tcp.ACK {
		tcp.Ack = t.isn[1-s.from] + 1 + uint32(s.ack)
	}
	ip := layers.IPv4{Version: 4, TTL: 64, Protocol: layers.IPProtocolTCP, SrcIP: from.Addr().AsSlice(), DstIP: to.Addr().AsSlice()}
	if err := gopacket.SerializeLayers(t.buf, gopacket.SerializeOptions{FixLengths: true}, &ip, &tcp, gopacket.Payload(s.data)); err != nil {
		panic(err)
	}
	t.packets = append(t.packets, emulate.Packet{
		Down: s.from == server, Sent: s.at, Arrived: s.arrives, Lost: s.arrives < 0, Data: bytes.Clone(t.buf.Bytes()),
	})
}

// send adds a packet with payload that takes one trip.
func (t *tape) send(from transcript.Side, at time.Duration, place, ack int, data []byte) {
	t.add(sent{from: from, at: at, arrives: at + trip, flags: packet.ACK, place: place, ack: ack, data: data})
}

// connect opens the connection: at 2 trips the client has sent its acknowledgement.
func (t *tape) connect() {
	t.add(sent{from: client, at: 0, arrives: trip, flags: packet.SYN})
	t.add(sent{from: server, at: trip, arrives: 2 * trip, flags: packet.SYN | packet.ACK})
	t.send(client, 2*trip, 0, 0, nil)
}

// inOrder puts the packets into the order in which they were sent.
func (t *tape) inOrder() []emulate.Packet {
	slices.SortStableFunc(t.packets, func(a, b emulate.Packet) int { return cmp.Compare(a.Sent, b.Sent) })
	return t.packets
}

// seen finds the one connection of the tape.
func (t *tape) seen(tb testing.TB, window int) *Connection {
	tb.Helper()
	all := Connections(t.inOrder(), window)
	if len(all) != 1 {
		tb.Fatalf("%d connections", len(all))
	}
	c := all[0]
	if c.Client != t.ends[client] || c.Server != t.ends[server] {
		tb.Fatalf("client %s, server %s", c.Client, c.Server)
	}
	return c
}

// text is n bytes that differ from place to place.
func text(from transcript.Side, start, n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte((start+i)*7 + (start+i)>>8 + int(from)*100)
	}
	return out
}

// said lists chunks: sender, when sent, when read, how long.
func said(c *Connection) string {
	var b strings.Builder
	for _, k := range c.Chunks {
		fmt.Fprintf(&b, "%s %v %v %d\n", k.From, k.Sent, k.Time, len(k.Data))
	}
	return b.String()
}

// bytesOf joins what a side sent.
func bytesOf(c *Connection, from transcript.Side) (out []byte) {
	for _, k := range c.Chunks {
		if k.From == from {
			out = append(out, k.Data...)
		}
	}
	return out
}

// expect compares lists that are written one thing a line.
func expect(t *testing.T, got string, want ...string) {
	t.Helper()
	if w := strings.Join(want, "\n") + "\n"; got != w {
		t.Errorf("got\n%swant\n%s", got, w)
	}
}
