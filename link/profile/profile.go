// Package profile says what a link is: delay, jitter, rate, queue, loss and framing
// of each direction, as types, as text such as "lte-m,loss=0", and as a list of
// shipped profiles that say where their figures come from. It emulates nothing.
package profile

import (
	"cmp"
	"time"
)

// Loopback is the name of the machine's own loopback, which needs no emulator.
const Loopback = "loopback"

// What a link has where nothing else is said.
const (
	DefaultMTU    = 1500 // bytes of an IP packet: Ethernet (RFC 894)
	DefaultWindow = 10   // packets of TCP's initial window (RFC 6928)
	DefaultQueue  = 1000 // packets
	DefaultFamily = 4    // IPv4
)

// Profile is a link: two directions, what a packet may be, and where the figures
// come from. The zero value is a link that changes nothing. Those of [Find] have
// every default written out.
type Profile struct {
	Name   string    // of the shipped profile that it is, or begins with; may be empty
	Title  string    // one line for people
	Source string    // of each figure: paper, specification, figures of an operator
	Up     Direction // client to server
	Down   Direction // server to client
	MTU    int       // bytes of the longest IP packet; 0: 1500
	Window int       // packets of TCP's initial window; 0: 10
	Frames Frames    // framing below IP; zero: none
	Family int       // of IP, 4 or 6; 0: 4

	PathMTU PathMTU  // a narrower hop behind the link; zero: none
	Aim     []Target // packets that are dropped or held for what they carry
}

// Direction is what one direction does to packets, in this order: some are lost,
// the others wait in the queue for the transmitter, which sends at the rate, and
// arrive after the delay.
type Direction struct {
	Delay     time.Duration // one way, without the time of transmission
	Jitter    Jitter
	Rate      int64 // bit/s of IP packets, or of frames where there are some; 0: unlimited
	Queue     Queue
	Loss      Loss
	Duplicate float64 // share of packets that arrive twice, 0 to 1
	Reorder   float64 // share of packets that skip the delay, and so overtake others
}

// The shapes of jitter.
const (
	Uniform = "uniform" // up to Spread earlier or later, all equally likely
	Normal  = "normal"  // Spread is the standard deviation; no more than 3 of them either way
	Pareto  = "pareto"  // only later, by Spread in the mean, with a heavy tail, see Jitter
)

// How far jitter reaches, in spreads.
const (
	NormalReach = 3
	ParetoReach = 20
)

// Jitter is what varies in the delay from packet to packet, independently. Of
// Pareto, P(later by more than x) = (1 + x/(2 Spread))^-3 (Lomax, shape 3), cut off
// at 20 Spread. Jitter by itself lets no packet overtake another.
type Jitter struct {
	Spread time.Duration
	Shape  string // "": uniform
}

// Queue is where packets wait for the transmitter. What finds it full is dropped.
// The zero value holds 1000 packets.
type Queue struct {
	Packets int  // that it holds; 0: as many as Bytes allows
	Bytes   int  // of IP packets that it holds; 0: as many as Packets allows
	CoDel   bool // drop at the head while packets wait too long (RFC 8289)
}

// Loss is which packets, or frames where there are some, do not arrive: each with
// the same probability, or in bursts.
type Loss struct {
	Share float64         // 0 to 1; without GE
	GE    *GilbertElliott // nil: Share
}

// GilbertElliott is loss in bursts: a state that changes before each packet or
// frame. Its mean is (P·Bad + R·Good) / (P + R).
type GilbertElliott struct {
	P, R      float64 // probabilities from good to bad, and from bad to good
	Good, Bad float64 // loss in each state
}

// Frames is framing below IP, such as 6LoWPAN's: a packet goes in as many frames as
// it needs, and is lost when one of them is.
type Frames struct {
	Size   int // bytes of the longest frame; 0: no frames
	Header int // bytes of it that are not the packet's
	First  int // bytes more of that in a packet's first frame
}

// Count returns the number of frames of an IP packet of so many bytes, 1 where
// there are none.
func (f Frames) Count(packet int) int {
	later := f.Size - f.Header
	if f.Size == 0 || later < 1 {
		return 1
	}
	rest := max(0, packet-(later-f.First))
	return 1 + (rest+later-1)/later
}

// Bytes returns what an IP packet of so many bytes takes on the link, with the
// headers of its frames.
func (f Frames) Bytes(packet int) int {
	if f.Size == 0 {
		return packet
	}
	return packet + f.First + f.Count(packet)*f.Header
}

// Emulated tells whether the link needs an emulator: all but loopback as shipped.
func (p Profile) Emulated() bool { return p.String() != Loopback }

// settled writes the defaults out.
func (p Profile) settled() Profile {
	p.MTU = cmp.Or(p.MTU, DefaultMTU)
	p.Window = cmp.Or(p.Window, DefaultWindow)
	p.Family = cmp.Or(p.Family, DefaultFamily)
	p.Up, p.Down = p.Up.settled(), p.Down.settled()
	return p
}

func (d Direction) settled() Direction {
	if d.Queue.Packets == 0 && d.Queue.Bytes == 0 {
		d.Queue.Packets = DefaultQueue
	}
	switch {
	case d.Jitter.Spread == 0:
		d.Jitter.Shape = ""
	case d.Jitter.Shape == "":
		d.Jitter.Shape = Uniform
	}
	if d.Loss.GE != nil {
		ge := *d.Loss.GE // the caller's, to change as he likes
		d.Loss = Loss{GE: &ge}
	}
	return d
}
