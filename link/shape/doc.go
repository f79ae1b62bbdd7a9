// Package shape reckons what happens to packets on one direction of a link: loss,
// the queue and the rate of the transmitter, delay, jitter, duplication,
// reordering, frames. It has no clock, no I/O and no goroutine: the caller says
// what time it is, so that the same arrivals with the same seed have the same fate,
// over a real device and in virtual time.
package shape
