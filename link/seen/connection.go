package seen

import (
	"net/netip"
	"time"

	"shakedown/link/emulate"
	"shakedown/link/packet"
	"shakedown/wire/transcript"
)

// Connection is a TCP connection as its packets show it. Times are those of the
// emulator.
type Connection struct {
	Client, Server netip.AddrPort
	Packets        []Packet           // of both directions, as they were sent
	Chunks         []transcript.Chunk // each byte of the streams once, when the receiver could read it
	Connect        time.Duration      // from the first SYN to the arrival of the server's: a round trip; 0: unknown
}

// Packet is one packet of a connection.
type Packet struct {
	From       transcript.Side
	Sent       time.Duration
	Arrived    time.Duration // negative: it did not, or is still under way
	Lost       bool          // it did not
	Size       int           // B, with the headers of IP and TCP
	Start, End int           // of its payload in the sender's stream, B; equal without payload
	Again      bool          // all that it carries, payload, SYN or FIN, had been sent before
	Trip       int           // one-way trips of the longest chain of packets that it ends, from 1

	fresh int // from here to End the stream grew with it; End for not at all
}

// maxAhead bounds how far a stream may leap, in bytes: no window is wider.
const maxAhead = 64 << 20

// Connections finds the TCP connections of packets that an emulator kept, in the
// order in which they began. The client is who sent the first packet. Packets that
// are no TCP are passed over. The window is TCP's initial one, in packets.
func Connections(packets []emulate.Packet, window int) []*Connection {
	var all []*follower
	known := map[[2]netip.AddrPort]*follower{}
	for i := range packets {
		p, ok := packet.Parse(packets[i].Data)
		if !ok || p.Protocol != packet.TCP {
			continue
		}
		f := known[[2]netip.AddrPort{p.From, p.To}]
		if f == nil || f.isOver(p) {
			f = follow(p, window)
			known[[2]netip.AddrPort{p.From, p.To}], known[[2]netip.AddrPort{p.To, p.From}] = f, f
			all = append(all, f)
		}
		f.take(&packets[i], p)
	}
	out := make([]*Connection, len(all))
	for i, f := range all {
		out[i] = f.finish()
	}
	return out
}

// Of finds the connection from a client's port, nil for none.
func Of(all []*Connection, port int) *Connection {
	for _, c := range all {
		if int(c.Client.Port()) == port {
			return c
		}
	}
	return nil
}

// count adds up the packets for which is holds.
func (c *Connection) count(is func(*Packet) bool) (n int) {
	for i := range c.Packets {
		if is(&c.Packets[i]) {
			n++
		}
	}
	return n
}

// Retransmissions counts the packets that carried nothing new.
func (c *Connection) Retransmissions() int {
	return c.count(func(p *Packet) bool { return p.Again })
}

// Lost counts the packets that did not arrive.
func (c *Connection) Lost() int {
	return c.count(func(p *Packet) bool { return p.Lost })
}

// Bytes adds up what both sides sent, with all headers.
func (c *Connection) Bytes() (sum int) {
	for i := range c.Packets {
		sum += c.Packets[i].Size
	}
	return sum
}

// BytesUntil adds up what a side had sent until a time, with all headers, from its
// SYN on.
func (c *Connection) BytesUntil(side transcript.Side, at time.Duration) (sum int) {
	for i := range c.Packets {
		if p := &c.Packets[i]; p.From == side && p.Sent <= at {
			sum += p.Size
		}
	}
	return sum
}

// carries tells whether a packet was the first with some of the bytes from start to
// end of a side's stream.
func (p *Packet) carries(side transcript.Side, start, end int) bool {
	return p.From == side && max(p.fresh, start) < min(p.End, end)
}

// Count counts the packets in which a side first sent the bytes from start to end
// of its stream.
func (c *Connection) Count(side transcript.Side, start, end int) int {
	return c.count(func(p *Packet) bool { return p.carries(side, start, end) })
}

// Waits returns how many round trips lie between the first and the last of these
// packets: those for which the sender had to wait for acknowledgements.
func (c *Connection) Waits(side transcript.Side, start, end int) int {
	first, last := c.trips(side, start, end)
	return (last - first) / 2
}

// Trip returns the one-way trips until the byte at a place of a side's stream had
// arrived, the connect included; 0 where it was not seen.
func (c *Connection) Trip(side transcript.Side, at int) int {
	first, _ := c.trips(side, at, at+1)
	return first
}

// trips are the least and the greatest of the packets with these bytes.
func (c *Connection) trips(side transcript.Side, start, end int) (first, last int) {
	for i := range c.Packets {
		p := &c.Packets[i]
		if !p.carries(side, start, end) {
			continue
		}
		if first == 0 || p.Trip < first {
			first = p.Trip
		}
		last = max(last, p.Trip)
	}
	return first, last
}
