package shape

import (
	"math"
	"math/rand/v2"
	"time"

	"shakedown/link/profile"
)

// chance draws what is left to chance. Each thing has a generator of its own, and
// draws once for each packet or frame whatever else becomes of it, so that a change
// of one setting leaves the fates of the others.
type chance struct {
	loss, jitter, reorder, duplicate *rand.Rand
	bad                              bool // state of Gilbert-Elliott loss
}

// Seed gives each direction of a link, 0 up and 1 down, a seed of its own, which no
// other seed of a link gives either.
func Seed(seed uint64, direction int) uint64 { return 2*seed + uint64(direction) }

// newChance begins in a state of Gilbert-Elliott as likely as it is at any time, so
// that short series lose as many as long ones.
func newChance(seed uint64, l profile.Loss) chance {
	of := func(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }
	c := chance{loss: of(1), jitter: of(2), reorder: of(3), duplicate: of(4)}
	c.bad = l.GE != nil && c.loss.Float64() < l.GE.P/(l.GE.P+l.GE.R)
	return c
}

// lose tells whether a packet of some frames is lost: one of them is enough.
func (c *chance) lose(l profile.Loss, frames int) (lost bool) {
	for range frames {
		lost = c.loseOne(l) || lost
	}
	return lost
}

// loseOne draws for one packet or frame. The state of Gilbert-Elliott changes
// before it.
func (c *chance) loseOne(l profile.Loss) bool {
	if l.GE == nil {
		return c.loss.Float64() < l.Share
	}
	change, share := l.GE.P, l.GE.Good
	if c.bad {
		change = l.GE.R
	}
	if c.loss.Float64() < change {
		c.bad = !c.bad
	}
	if c.bad {
		share = l.GE.Bad
	}
	return c.loss.Float64() < share
}

// luck is what chance does to a packet that is sent.
type luck struct {
	jitter             time.Duration
	reorder, duplicate bool
}

func (c *chance) fly(d profile.Direction) luck {
	return luck{
		jitter:    c.spread(d.Jitter),
		reorder:   c.reorder.Float64() < d.Reorder,
		duplicate: c.duplicate.Float64() < d.Duplicate,
	}
}

// spread draws a jitter.
func (c *chance) spread(j profile.Jitter) time.Duration {
	u := c.jitter.Float64()
	n := c.jitter.NormFloat64()
	spread := float64(j.Spread)
	switch j.Shape {
	case profile.Normal:
		return time.Duration(spread * max(-profile.NormalReach, min(n, profile.NormalReach)))
	case profile.Pareto: // Lomax, shape 3 and scale 2: its mean is 1
		return time.Duration(spread * min(2*(math.Pow(1-u, -1.0/3)-1), profile.ParetoReach))
	}
	return time.Duration(spread * (2*u - 1))
}
