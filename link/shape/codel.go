package shape

import (
	"math"
	"time"

	"shakedown/link/profile"
)

// Constants of CoDel (RFC 8289 4.2 to 4.4).
const (
	codelTarget   = 5 * time.Millisecond
	codelInterval = 100 * time.Millisecond
	codelPacket   = profile.DefaultMTU // bytes: with less than one in the queue nothing is dropped
)

// codel decides at the head of the queue. Packets that waited longer than the
// target for a whole interval are dropped, in ever shorter intervals (RFC 8289
// 5). The target is no less than the time of one packet and a half, or slow links
// would drop all they have.
type codel struct {
	target     time.Duration
	above      time.Duration // when the wait will have been too long for an interval; 0: it is not
	next       time.Duration // when the next is dropped
	count      int           // dropped since dropping began
	lastCount  int
	isDropping bool
}

func newCoDel(d profile.Direction) codel {
	c := codel{target: codelTarget}
	if d.Rate > 0 {
		c.target = max(c.target, time.Duration(codelPacket*12*int64(time.Second)/d.Rate))
	}
	return c
}

// drop tells whether the head is dropped that leaves the queue now after a wait,
// with so many bytes behind it.
func (c *codel) drop(now, wait time.Duration, behind int) bool {
	long := c.tooLong(now, wait, behind)
	switch {
	case c.isDropping && !long:
		c.isDropping = false
	case c.isDropping && now >= c.next:
		c.count++
		c.next += c.step()
		return true
	case !c.isDropping && long:
		c.begin(now)
		return true
	}
	return false
}

// tooLong: the wait has been above the target for an interval.
func (c *codel) tooLong(now, wait time.Duration, behind int) bool {
	if wait < c.target || behind <= codelPacket {
		c.above = 0
		return false
	}
	if c.above == 0 {
		c.above = now + codelInterval
		return false
	}
	return now >= c.above
}

// begin enters the dropping state, near the rate of the last time when that was
// not long ago.
func (c *codel) begin(now time.Duration) {
	c.isDropping = true
	recent := c.count - c.lastCount
	c.count = 1
	if recent > 1 && now-c.next < 16*codelInterval {
		c.count = recent
	}
	c.lastCount, c.next = c.count, now+c.step()
}

// step is the control law.
func (c *codel) step() time.Duration {
	return time.Duration(float64(codelInterval) / math.Sqrt(float64(c.count)))
}
