package profile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// Bounds of what a link may be. Those without a source keep an emulator's memory
// and a run's time bounded.
const (
	MinMTU4   = 576          // bytes that each IPv4 host must take (RFC 791 3.1)
	MinMTU6   = 1280         // bytes (RFC 8200 5)
	MaxMTU    = 65535        // bytes of the longest IPv4 packet (RFC 791 3.1)
	MaxWindow = 1000         // packets
	MaxDelay  = time.Minute  // of one direction, and of a packet's transmission
	MaxRate   = int64(100e9) // bit/s
	MaxMemory = 256_000_000  // bytes under way and waiting in one direction
	MaxFrames = 4096         // of one packet

	leastMTU4 = 68 // bytes that each IPv4 link must carry (RFC 791 3.2)
)

// Impossible says why there cannot be such a link.
type Impossible struct {
	Reason string // lower case
	Hint   string // what to do about it
}

// Error gives both.
func (e *Impossible) Error() string { return e.Reason + ": " + e.Hint }

func impossible(hint, reason string, args ...any) error {
	return &Impossible{Reason: fmt.Sprintf(reason, args...), Hint: hint}
}

// Check refuses links that cannot be, or that an emulator could not hold in memory.
// The error wraps an *[Impossible].
func (p Profile) Check() error {
	p = p.settled()
	if err := p.checkPacket(); err != nil {
		return err
	}
	if err := p.Frames.check(p.MTU); err != nil {
		return err
	}
	if err := cmp.Or(p.checkPath(), p.checkAim()); err != nil {
		return err
	}
	up, down := p.Up.check(p), p.Down.check(p)
	switch {
	case up != nil && down != nil && up.Error() == down.Error():
		return up
	case up != nil:
		return fmt.Errorf("up: %w", up)
	case down != nil:
		return fmt.Errorf("down: %w", down)
	}
	return nil
}

// checkPacket looks at what concerns IP and TCP.
func (p Profile) checkPacket() error {
	switch {
	case p.Family != 4 && p.Family != 6:
		return impossible("family=4 or family=6", "there is no IPv%d", p.Family)
	case p.Family == 6 && p.MTU < MinMTU6:
		return impossible("mtu=1280,frames=127/55 is how 6LoWPAN does it, or family=4",
			"an MTU of %d bytes is below the %d of IPv6 (RFC 8200 5)", p.MTU, MinMTU6)
	case p.MTU < leastMTU4:
		return impossible("mtu=576 or more", "an MTU of %d bytes is below the %d of IPv4 (RFC 791 3.2)", p.MTU, leastMTU4)
	case p.MTU < MinMTU4 && p.Frames.Size == 0:
		return impossible("mtu=576,frames=127/55 has short frames below IP",
			"an MTU of %d bytes is below the %d that each IPv4 host must take (RFC 791 3.1)", p.MTU, MinMTU4)
	case p.MTU > MaxMTU:
		return impossible(fmt.Sprintf("mtu=%d is the most", MaxMTU), "an MTU of %d bytes is longer than an IP packet can be", p.MTU)
	case p.Window < 1 || p.Window > MaxWindow:
		return impossible(fmt.Sprintf("window=1 to window=%d", MaxWindow), "no initial window has %d packets", p.Window)
	}
	return nil
}

func (f Frames) check(mtu int) error {
	switch {
	case f == Frames{}:
		return nil
	case f.Size < 1 || f.Size > MaxMTU || f.Header < 0 || f.First < 0:
		return impossible("frames=127/55 has 72 bytes of a packet in each", "there are no frames of %s bytes", framesText(f))
	case f.Header >= f.Size-f.First:
		return impossible("longer frames or shorter headers", "frames of %s bytes have no room for a packet", framesText(f))
	case f.Count(mtu) > MaxFrames:
		return impossible("longer frames or a lower mtu", "a packet of %d bytes takes %d frames, more than %d", mtu, f.Count(mtu), MaxFrames)
	}
	return nil
}

func (d Direction) check(p Profile) error {
	return cmp.Or(d.checkDelay(), d.checkJitter(), d.checkShares(), d.checkRate(p), d.checkQueue(p))
}

func (d Direction) checkDelay() error {
	switch {
	case d.Delay < 0:
		return impossible("the least is delay=0s", "a delay of %s is negative", durationText(d.Delay))
	case d.Delay > MaxDelay:
		return impossible("the most is delay="+durationText(MaxDelay), "a delay of %s is too long for any handshake", durationText(d.Delay))
	}
	return nil
}

// checkJitter lets no packet arrive before it was sent.
func (d Direction) checkJitter() error {
	j := d.Jitter
	switch {
	case !slices.Contains([]string{"", Uniform, Normal, Pareto}, j.Shape):
		return impossible("uniform, normal or pareto", "there is no jitter of shape %q", j.Shape)
	case j.Spread < 0:
		return impossible("jitter goes both ways by itself", "a jitter of %s is negative", jitterText(j))
	case j.Spread > MaxDelay:
		return impossible("the most is jitter="+durationText(MaxDelay), "a jitter of %s is too long for any handshake", jitterText(j))
	case j.Shape != Pareto && j.reach() > d.Delay:
		return impossible(
			fmt.Sprintf("delay=%s or more, or jitter=%s/%s, which only adds", durationText(j.reach()), durationText(j.Spread), Pareto),
			"a jitter of %s is more than a delay of %s allows: packets would arrive before they were sent", jitterText(j), durationText(d.Delay))
	}
	return nil
}

// reach is how much jitter may add to the delay.
func (j Jitter) reach() time.Duration {
	switch j.Shape {
	case Normal:
		return NormalReach * j.Spread
	case Pareto:
		return ParetoReach * j.Spread
	}
	return j.Spread
}

// share is a setting that must lie between 0 and 1.
type share struct {
	name  string
	value float64
}

func (d Direction) checkShares() error {
	shares := []share{{"loss", d.Loss.Share}, {"duplicate", d.Duplicate}, {"reorder", d.Reorder}}
	ge := d.Loss.GE
	if ge != nil {
		shares = append(shares, share{"loss: P", ge.P}, share{"loss: R", ge.R}, share{"loss: GOOD", ge.Good}, share{"loss: BAD", ge.Bad})
	}
	for _, s := range shares {
		if s.value < 0 || s.value > 1 || math.IsNaN(s.value) {
			return impossible("shares lie between 0% and 100%", "%s: %s is no share", s.name, shareText(s.value))
		}
	}
	switch {
	case ge != nil && (ge.P == 0 || ge.R == 0):
		return impossible("P and R, the first two shares, must be above 0", "loss: the bursts never begin or never end")
	case d.Reorder > 0 && d.Delay == 0:
		return impossible("add delay=10ms", "reorder: packets that skip the delay overtake none where there is no delay")
	}
	return nil
}

func (d Direction) checkRate(p Profile) error {
	seconds := 8 * float64(p.Frames.Bytes(p.MTU)) / float64(d.Rate)
	switch {
	case d.Rate < 0:
		return impossible("rate=none has no limit", "a rate of %s is negative", rateText(d.Rate))
	case d.Rate > MaxRate:
		return impossible("rate=none has no limit", "a rate of %s is more than the %s of any link here", rateText(d.Rate), rateText(MaxRate))
	case d.Rate > 0 && seconds > MaxDelay.Seconds():
		return impossible("a higher rate or a lower mtu", "a packet of %d bytes takes %.0f s at %s, more than %.0f",
			p.MTU, seconds, rateText(d.Rate), MaxDelay.Seconds())
	}
	return nil
}

// checkQueue looks at what the emulator must be able to hold. Without a rate no
// packet waits, and TCP's receive window bounds what is under way.
func (d Direction) checkQueue(p Profile) error {
	q, memory := d.Queue, d.memory(p.MTU)
	switch {
	case q.Packets < 0 || q.Bytes < 0:
		return impossible("the least is queue=1", "a queue of %s is negative", queueText(q))
	case q.Bytes > 0 && q.Bytes < p.MTU:
		return impossible("a longer queue or a lower mtu", "a queue of %d bytes has no room for a packet of %d", q.Bytes, p.MTU)
	case d.Rate > 0 && memory > MaxMemory:
		return impossible("a lower delay or rate, or a shorter queue",
			"%.0f MB of packets would be under way or wait, more than %d: rate %s, delay %s, jitter %s, queue %s", memory/1e6, MaxMemory/1_000_000,
			rateText(d.Rate), durationText(d.Delay), jitterText(d.Jitter), queueText(q))
	}
	return nil
}

// memory is how many bytes of packets the direction may hold.
func (d Direction) memory(mtu int) float64 {
	waiting := float64(d.Queue.Packets) * float64(mtu)
	if bytes := float64(d.Queue.Bytes); bytes > 0 && (waiting == 0 || bytes < waiting) {
		waiting = bytes
	}
	return waiting + (d.Delay+d.Jitter.reach()).Seconds()*float64(d.Rate)/8
}
