package cost

import (
	"strings"
	"testing"
)

// The server packets of tumi8's measurements with a round trip of 1 s (CoNEXT '23),
// and both ends of each step of the ladder.
func TestExtraRoundTrips(t *testing.T) {
	for packets, want := range map[int]int{
		8: 0, 12: 1, 27: 1, 54: 2, 74: 3,
		-1: 0, 0: 0, 1: 0, 10: 0, 11: 1, 30: 1, 31: 2, 70: 2, 71: 3, 150: 3, 151: 4, 310: 4, 311: 5,
	} {
		if got := ExtraRoundTrips(packets); got != want {
			t.Errorf("%d packets: %d extra round trips, want %d", packets, got, want)
		}
	}
}

func TestPackets(t *testing.T) {
	for _, c := range []struct{ bytes, mss, want int }{
		{-1, 1448, 0},
		{0, 1448, 0},
		{1, 1448, 1},
		{1448, MSSEthernet, 1},
		{1449, MSSEthernet, 2},
		{1473, MSSEthernet, 2},
		{1425, MSSEthernet, 1},
		{1434, MSSTunnel, 2}, // 1348 and 86
		{14480, MSSEthernet, 10},
		{14481, MSSEthernet, 11},
		{5, 1, 5},
	} {
		if got := Packets(c.bytes, c.mss); got != c.want {
			t.Errorf("%d bytes at %d: %d packets, want %d", c.bytes, c.mss, got, c.want)
		}
	}
}

func TestCheckMSS(t *testing.T) {
	for _, mss := range []int{88, MSSSmallest, MSSTunnel, MSSEthernetIPv6, MSSEthernet, 8948, 65535} {
		if err := CheckMSS(mss); err != nil {
			t.Error(err)
		}
	}
	for _, mss := range []int{-1, 0, 87, 65536} {
		if err := CheckMSS(mss); err == nil || !strings.Contains(err.Error(), "88 to 65535") {
			t.Errorf("%d: %v", mss, err)
		}
	}
}
