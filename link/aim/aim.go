package aim

import (
	"net/netip"
	"slices"
	"time"

	"shakedown/link/packet"
	"shakedown/link/profile"
)

// maxConnections are followed at the same time; then the oldest is forgotten.
const maxConnections = 4096

// Aim holds the packets of a link against targets. It is not safe for concurrent use.
type Aim struct {
	targets []profile.Target
	known   map[ends]*connection
	order   []ends // in which connections began
	hold    time.Duration
}

// ends are client and server of a connection.
type ends [2]netip.AddrPort

// connection is what was sent on one, by client and server.
type connection struct {
	sides [2]side
	hits  []bool // of each target but "each": it has had its packet
}

// New makes one; nil where there are no targets.
func New(targets []profile.Target) *Aim {
	if len(targets) == 0 {
		return nil
	}
	return &Aim{targets: targets, known: map[ends]*connection{}}
}

// Drop tells whether a packet is to be dropped. down says that the server sent it.
// It must see every packet once, in the order in which they are sent.
func (a *Aim) Drop(down bool, raw []byte) bool {
	a.hold = 0
	p, ok := packet.Parse(raw)
	if !ok {
		return false
	}
	c := a.connection(down, p)
	s := &c.sides[0]
	if down {
		s = &c.sides[1]
	}
	drop := false
	for i, n := 0, s.read(p); i < len(a.targets); i++ {
		t := &a.targets[i]
		if t.Each && n.first || !t.Each && !c.hits[i] && n.matches(t, down) {
			c.hits[i] = true
			a.hold = max(a.hold, t.Hold)
			drop = drop || t.Hold == 0
		}
	}
	return drop
}

// Hold returns how much longer the packet that Drop saw last is to be under way.
func (a *Aim) Hold([]byte) time.Duration { return a.hold }

// connection finds the one of a packet, or begins it: a SYN of a client begins a new
// one between the same ports, unless it is the same SYN.
func (a *Aim) connection(down bool, p packet.Packet) *connection {
	key := ends{p.From, p.To}
	if down {
		key = ends{p.To, p.From}
	}
	c := a.known[key]
	fresh := c == nil || !down && p.Has(packet.SYN) && !p.Has(packet.ACK) && c.sides[0].known && p.Seq+1 != c.sides[0].base
	if !fresh {
		return c
	}
	if c == nil {
		a.forget()
		a.order = append(a.order, key)
	}
	c = &connection{hits: make([]bool, len(a.targets))}
	a.known[key] = c
	return c
}

// forget makes room for one more.
func (a *Aim) forget() {
	if len(a.order) >= maxConnections {
		delete(a.known, a.order[0])
		a.order = slices.Delete(a.order, 0, 1)
	}
}

// matches tells whether the packet is the one that a target by name or number means.
func (n news) matches(t *profile.Target, down bool) bool {
	if t.Number > 0 {
		return n.number == t.Number && down == (t.From == "server")
	}
	return slices.Contains(n.messages, t.Message)
}
