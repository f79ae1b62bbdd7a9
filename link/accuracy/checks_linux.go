package accuracy

import (
	"context"
	"fmt"
	"time"

	"shakedown/link"
)

// check is what is to be measured: the row without its figure, the effort, and how.
type check struct {
	Row
	long  time.Duration // for which it is measured
	count int           // pings or packets
	run   func(ctx context.Context, n *link.Network, c *check) error
}

// trips are the round trips that are measured, some of them also when it is to be
// quick.
var trips = []struct {
	time  time.Duration
	quick bool
}{
	{time.Millisecond, true},
	{2 * time.Millisecond, false},
	{5 * time.Millisecond, false},
	{10 * time.Millisecond, true},
	{20 * time.Millisecond, false},
	{50 * time.Millisecond, false},
	{100 * time.Millisecond, true},
	{200 * time.Millisecond, false},
	{500 * time.Millisecond, true},
	{time.Second, false},
}

// rates are those that are measured.
var rates = []struct {
	text  string
	bits  float64 // a second
	quick bool
}{
	{"20kbit", 20e3, true},
	{"250kbit", 250e3, false},
	{"1Mbit", 1e6, true},
	{"10Mbit", 10e6, false},
	{"100Mbit", 100e6, true},
	{"200Mbit", 200e6, false},
}

// What is allowed.
const (
	tripAllowed = 100 * time.Microsecond // and a hundredth of the round trip
	rateAllowed = 0.02                   // of the rate
	bulkLeast   = 1e9                    // bit/s over a link without limits
	costMost    = 0.1                    // of a processor, at 10 Mbit/s
	lossShare   = 0.01
)

// checks lists what is measured.
func checks(quick bool) (list []check) {
	for _, t := range trips {
		if t.quick || !quick {
			list = append(list, tripCheck(t.time, quick))
		}
	}
	for _, r := range rates {
		if r.quick || !quick {
			list = append(list, rateCheck(r.text, r.bits, quick))
		}
	}
	packets, long := 100_000, 2*time.Second
	if quick {
		packets, long = packets/5, long/2
	}
	return append(list,
		lossCheck("up", packets), lossCheck("down", packets),
		check{long: long, run: throughput, Row: Row{
			Name: "throughput", Setting: "delay=0s", Bound: Least, Want: bulkLeast, Unit: "bit/s",
		}},
		check{long: 5 * long / 2, run: cost, Row: Row{
			Name: "cost", Setting: "delay=10ms,rate=10Mbit", Bound: Most, Want: costMost,
		}})
}

// tripCheck takes about a second, but at least seven pings.
func tripCheck(trip time.Duration, quick bool) check {
	total, least := time.Second, 7
	if quick {
		total, least = total/4, 3
	}
	return check{
		run: roundTrip, count: min(max(int(total/trip), least), 200),
		Row: Row{
			Name: "round trip", Setting: fmt.Sprintf("delay=%gms", (trip/2).Seconds()*1e3), Bound: About,
			Want: trip.Seconds(), Unit: "s", Allowed: (tripAllowed + trip/100).Seconds(),
		},
	}
}

// backlog is the room of the queue in packets. All that are sent fit into it, so
// that the transmitter is never idle; the device before it has more.
const backlog = 8000

// rateCheck sends packets for about a second.
func rateCheck(text string, bits float64, quick bool) check {
	long := 1.0
	if quick {
		long /= 2
	}
	return check{
		run: rate, count: min(int(bits*long/8)/packetSize(bits), backlog),
		Row: Row{
			Name: "rate", Setting: fmt.Sprintf("rate=%s,queue=%d", text, backlog), Bound: About,
			Want: bits, Unit: "bit/s", Allowed: rateAllowed * bits,
		},
	}
}

// packetSize is the bytes of packets at a rate: full ones where they take no longer
// than 20 ms.
func packetSize(bits float64) int { return min(max(int(bits*0.02/8), leastPacket), mostPacket) }

// lossCheck loses packets of one direction.
func lossCheck(direction string, packets int) check {
	low, high := interval(packets, lossShare)
	expected := lossShare * float64(packets)
	run := func(ctx context.Context, n *link.Network, c *check) error { return loss(ctx, n, c, direction == "up") }
	return check{count: packets, run: run, Row: Row{
		Name: "loss", Setting: fmt.Sprintf("%s.loss=%g%%", direction, 100*lossShare), Bound: About, Want: lossShare,
		Allowed: max(float64(high)-expected, expected-float64(low)) / float64(packets),
	}}
}
