package cost

import (
	"fmt"

	"shakedown/result"
	"shakedown/wire/transcript"
)

// Bytes of payload in a packet of TCP on common paths, 12 bytes of timestamps in
// each taken off (RFC 7323 3.2): the MTU less 52 for IPv4, less 72 for IPv6.
const (
	MSSEthernet     = 1448 // MTU 1500, IPv4
	MSSEthernetIPv6 = 1428 // MTU 1500, IPv6
	MSSTunnel       = 1348 // MTU 1400, IPv4: VPN, PPPoE, LTE
	MSSSmallest     = 1228 // MTU 1280, IPv4: the smallest link that carries IPv6
)

// The bounds of a segment size in bytes.
const (
	minMSS = 88    // the smallest that Linux accepts from a peer
	maxMSS = 65535 // the option has 16 bits (RFC 9293 3.7.1)
)

// CheckMSS refuses a segment size that no TCP uses. The error names the bounds and
// common values.
func CheckMSS(mss int) error {
	if mss >= minMSS && mss <= maxMSS {
		return nil
	}
	return fmt.Errorf("mss of %d bytes: must be %d to %d; %d is Ethernet with IPv4, %d with IPv6, %d a tunnel of MTU 1400",
		mss, minMSS, maxMSS, MSSEthernet, MSSEthernetIPv6, MSSTunnel)
}

// Packets returns how many packets bytes of a stream fill, mss bytes in each but
// the last. mss must be positive.
func Packets(bytes, mss int) int {
	if bytes <= 0 {
		return 0
	}
	return (bytes-1)/mss + 1
}

// initialWindow is the number of packets that may leave before the first
// acknowledgement (RFC 6928 2). The RFC caps it at about 14600 bytes, which only
// packets larger than those of Ethernet reach; Linux counts packets alone.
const initialWindow = 10

// ExtraRoundTrips returns the round trips that a flight of so many packets waits
// for acknowledgements. Slow start adds a packet to the window for each one that
// was acknowledged (RFC 5681 3.1 with RFC 3465), so windows of 10, 20, 40, …
// follow one another, each a round trip after the one before. With k extra round
// trips 10·(2^(k+1)-1) packets leave: 10, 30, 70, 150, …
//
// No loss is assumed, and a window that no earlier flight has opened further.
func ExtraRoundTrips(packets int) int {
	extra := 0
	for window := initialWindow; packets > window; window *= 2 {
		packets -= window
		extra++
	}
	return extra
}

// Seen is a connection whose packets were seen. Places are bytes of a side's stream.
type Seen interface {
	// Count counts the packets in which a side first sent the bytes from start to end.
	Count(side transcript.Side, start, end int) int
	// Waits returns the round trips for which the side waited between them.
	Waits(side transcript.Side, start, end int) int
}

func (f *flights) label() result.Label {
	if f.seen != nil {
		return result.Measured
	}
	return result.Composed
}

// count counts the packets with the bytes from start to end of a side's stream;
// composed ones are full from base on.
func (f *flights) count(side transcript.Side, base, start, end int) int {
	switch {
	case end <= start:
		return 0
	case f.seen != nil:
		return f.seen.Count(side, start, end)
	}
	return (end-1-base)/f.mss - (start-base)/f.mss + 1
}

// extra is the round trips that a flight waits for acknowledgements.
func (f *flights) extra(side transcript.Side, in *flight, packets int) int {
	if f.seen != nil {
		return f.seen.Waits(side, in.start, in.end)
	}
	return ExtraRoundTrips(packets)
}
