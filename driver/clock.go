package driver

import "time"

// clock tells nanoseconds of the machine's monotonic clock. It asks the system
// once; from then on the runtime's own clock, which needs no system call, is
// added.
type clock struct {
	base int64     // ns of the machine's clock
	at   time.Time // the same moment
}

// newClock reads both clocks side by side, some times over, and keeps the
// tightest pair, since the process may be set aside between two readings.
func newClock() clock {
	var best clock
	tightest := time.Duration(1<<63 - 1)
	for range 16 {
		before := time.Now()
		ns := monotonic()
		if gap := time.Since(before); gap < tightest {
			tightest = gap
			best = clock{base: ns, at: before.Add(gap / 2)}
		}
	}
	return best
}

// now is the present, in nanoseconds comparable with those of other drivers.
func (c clock) now() int64 { return c.base + int64(time.Since(c.at)) }
