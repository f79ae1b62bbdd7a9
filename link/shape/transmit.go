package shape

import "time"

// transmit is the transmitter, which sends one packet after another.
type transmit struct {
	rate  int64         // bit/s; 0: in no time
	until time.Duration // it is busy
	rest  int64         // of a nanosecond, in 1/rate: nothing is rounded away
}

// send transmits bytes from a time on.
func (t *transmit) send(start time.Duration, bytes int) {
	if start > t.until {
		t.until, t.rest = start, 0
	}
	if t.rate == 0 {
		return
	}
	all := int64(bytes)*8*int64(time.Second) + t.rest
	t.until += time.Duration(all / t.rate)
	t.rest = all % t.rate
}
