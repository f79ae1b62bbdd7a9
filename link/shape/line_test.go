package shape

import (
	"math"
	"testing"
	"time"

	"shakedown/link/profile"
)

// drain takes out all that leaves, at the very times at which it is due.
func drain(l *Line, take func(Departure)) {
	for {
		due, any := l.Due()
		if !any {
			return
		}
		for d, ok := l.Leave(due); ok; d, ok = l.Leave(due) {
			take(d)
		}
	}
}

// TestRate: a backlogged transmitter sends at its rate, to the nanosecond, however
// many packets it has sent.
func TestRate(t *testing.T) {
	for _, rate := range []int64{20_000, 250_000, 1_000_000, 200_000_000, 333_333_333} {
		const packets, size = 10_000, 1500
		l := New(profile.Direction{Rate: rate, Queue: profile.Queue{Packets: packets}}, profile.Frames{}, 1)
		for range packets {
			l.Enter(0, make([]byte, size))
		}
		var last time.Duration
		n := 0
		drain(l, func(d Departure) { last, n = d.Due, n+1 })
		want := time.Duration(packets * size * 8 * int64(time.Second) / rate)
		if n != packets || last != want {
			t.Errorf("%d bit/s: %d packets until %v, want %v", rate, n, last, want)
		}
	}
}

// TestDelay: a packet takes its transmission and the delay, and keeps its place.
func TestDelay(t *testing.T) {
	l := New(profile.Direction{Delay: 50 * time.Millisecond, Rate: 8000}, profile.Frames{}, 1)
	l.Enter(time.Second, make([]byte, 100)) // 100 ms
	l.Enter(time.Second, make([]byte, 50))  // 50 ms behind it
	var due []time.Duration
	drain(l, func(d Departure) { due = append(due, d.Due-time.Second) })
	if len(due) != 2 || due[0] != 150*time.Millisecond || due[1] != 200*time.Millisecond {
		t.Errorf("due after %v", due)
	}
}

// TestQueue: beyond its limit the tail is dropped; the packet in transmission does
// not count.
func TestQueue(t *testing.T) {
	l := New(profile.Direction{Rate: 8000, Queue: profile.Queue{Packets: 3}}, profile.Frames{}, 1)
	full := 0
	for range 10 {
		if _, fate := l.Enter(0, make([]byte, 100)); fate == Full {
			full++
		}
	}
	if c := l.Counts(); full != 6 || c.Full != 6 || c.Longest != 3 {
		t.Errorf("%d of 10 dropped, want 6; %+v", full, c)
	}
}

// TestLoss: within the 99 % interval of the binomial over 100,000 packets; the same
// seed loses the same ones, whatever else is set.
func TestLoss(t *testing.T) {
	const packets, share = 100_000, 0.01
	fates := func(seed uint64, d profile.Direction) (lost []bool, n int) {
		d.Loss.Share = share
		l := New(d, profile.Frames{}, seed)
		for i := range packets {
			_, fate := l.Enter(time.Duration(i)*time.Millisecond, []byte{1})
			lost = append(lost, fate == Lost)
			if fate == Lost {
				n++
			}
			drain(l, func(Departure) {})
		}
		return lost, n
	}
	one, n := fates(7, profile.Direction{})
	if off := 2.576 * math.Sqrt(packets*share*(1-share)); math.Abs(float64(n)-packets*share) > off {
		t.Errorf("%d of %d lost, want %v ± %.0f", n, packets, packets*share, off)
	}
	two, _ := fates(7, profile.Direction{Jitter: profile.Jitter{Spread: time.Millisecond}, Duplicate: 0.1, Rate: 1_000_000})
	for i := range one {
		if one[i] != two[i] {
			t.Fatalf("packet %d has another fate when jitter is set", i)
		}
	}
}

// TestBursts: Gilbert-Elliott loses its mean, in bursts of 1/R packets.
func TestBursts(t *testing.T) {
	const packets = 200_000
	l := New(profile.Direction{Loss: profile.Loss{GE: &profile.GilbertElliott{P: 0.01, R: 0.25, Bad: 1}}}, profile.Frames{}, 3)
	lost, bursts, before := 0, 0, false
	for i := range packets {
		_, fate := l.Enter(time.Duration(i), []byte{1})
		if fate == Lost {
			lost++
			if !before {
				bursts++
			}
		}
		before = fate == Lost
		drain(l, func(Departure) {})
	}
	mean, length := float64(lost)/packets, float64(lost)/float64(bursts)
	if math.Abs(mean-0.01/0.26) > 0.003 || math.Abs(length-4) > 0.3 {
		t.Errorf("%.4f lost in bursts of %.2f, want %.4f and 4", mean, length, 0.01/0.26)
	}
}

// TestOrder: jitter lets nobody overtake, reordering does, a duplicate comes twice.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		d       profile.Direction
		in      bool // in order
		packets int
	}{
		{profile.Direction{Delay: 20 * time.Millisecond, Jitter: profile.Jitter{Spread: 10 * time.Millisecond}}, true, 1000},
		{profile.Direction{Delay: 20 * time.Millisecond, Reorder: 0.1}, false, 1000},
		{profile.Direction{Duplicate: 1}, true, 2000},
	} {
		l := New(c.d, profile.Frames{}, 5)
		var last uint64
		n, in := 0, true
		for i := range 1000 {
			l.Enter(time.Duration(i)*time.Millisecond, []byte{1})
		}
		drain(l, func(d Departure) { in, last, n = in && d.ID >= last, d.ID, n+1 })
		if in != c.in || n != c.packets {
			t.Errorf("%+v: in order %v, %d packets", c.d, in, n)
		}
	}
}

// TestFilter: a packet that is filtered is gone, one that is held is overtaken, and
// the others keep their times.
func TestFilter(t *testing.T) {
	const delay, hold = 10 * time.Millisecond, 25 * time.Millisecond
	l := New(profile.Direction{Delay: delay, Jitter: profile.Jitter{Spread: time.Millisecond}}, profile.Frames{}, 1)
	l.Filter = func(p []byte) bool { return p[0] == 1 }
	l.Hold = func(p []byte) time.Duration {
		if p[0] == 2 {
			return hold
		}
		return 0
	}
	for i := range byte(5) {
		if _, fate := l.Enter(time.Duration(i)*2*time.Millisecond, []byte{i}); (fate == Filtered) != (i == 1) {
			t.Errorf("packet %d: %v", i, fate)
		}
	}
	var order []byte
	drain(l, func(d Departure) {
		late := d.Due - time.Duration(d.Data[0])*2*time.Millisecond - delay
		if d.Data[0] == 2 {
			late -= hold
		}
		if order = append(order, d.Data[0]); late < -time.Millisecond || late > time.Millisecond {
			t.Errorf("packet %d is due %v late", d.Data[0], late)
		}
	})
	if c := l.Counts(); string(order) != "\x00\x03\x04\x02" || c.Filtered != 1 || c.Held != 1 || c.Out != 4 {
		t.Errorf("order %v, %+v", order, c)
	}
	if c := l.Counts().Since(Counts{Filtered: 1, Held: 1, In: 5}); c.Filtered != 0 || c.Held != 0 || c.In != 0 {
		t.Errorf("since the same: %+v", c)
	}
}

// TestAllocations: a packet on its way costs none.
func TestAllocations(t *testing.T) {
	l := New(profile.Direction{Delay: time.Millisecond, Rate: 1_000_000_000}, profile.Frames{}, 1)
	packet, now := make([]byte, 1500), time.Duration(0)
	carry := func() {
		now += 12 * time.Microsecond
		l.Enter(now, packet)
		for _, ok := l.Leave(now); ok; _, ok = l.Leave(now) {
		}
	}
	for range 1000 {
		carry() // as many as are ever under way
	}
	if n := testing.AllocsPerRun(1000, carry); n > 0 {
		t.Errorf("%v allocations for a packet", n)
	}
}

// TestCoDel: against a flood of more than the rate the wait stays far below that of
// a full queue (RFC 8289).
func TestCoDel(t *testing.T) {
	wait := func(codel bool) time.Duration {
		l := New(profile.Direction{Rate: 10_000_000, Queue: profile.Queue{Packets: 1000, CoDel: codel}}, profile.Frames{}, 1)
		at := map[uint64]time.Duration{}
		var longest time.Duration
		for i := range 20_000 { // 12 Mbit/s
			now := time.Duration(i) * time.Millisecond
			id, _ := l.Enter(now, make([]byte, 1500))
			at[id] = now
			for d, ok := l.Leave(now); ok; d, ok = l.Leave(now) {
				if i > 10_000 {
					longest = max(longest, d.Due-at[d.ID])
				}
			}
		}
		return longest
	}
	if with, without := wait(true), wait(false); with > without/2 {
		t.Errorf("the longest wait is %v with CoDel, %v without", with, without)
	}
}

// TestFrames: a packet of three frames is lost with the chance of three.
func TestFrames(t *testing.T) {
	const packets = 50_000
	f := profile.Frames{Size: 127, Header: 27}
	l := New(profile.Direction{Loss: profile.Loss{Share: 0.1}}, f, 2)
	for i := range packets {
		l.Enter(time.Duration(i), make([]byte, 300))
		drain(l, func(Departure) {})
	}
	want := packets * (1 - math.Pow(0.9, 3))
	if c := l.Counts(); math.Abs(float64(c.Lost)-want) > 400 || c.Frames != int64(3*(packets-c.Lost)) {
		t.Errorf("%d lost, want %.0f; %d frames", c.Lost, want, c.Frames)
	}
}

func BenchmarkLine(b *testing.B) {
	l := New(profile.Direction{Delay: time.Millisecond, Rate: 1_000_000_000}, profile.Frames{}, 1)
	packet := make([]byte, 1500)
	b.ReportAllocs()
	for i := range b.N {
		now := time.Duration(i) * 12 * time.Microsecond
		l.Enter(now, packet)
		for _, ok := l.Leave(now); ok; _, ok = l.Leave(now) {
		}
	}
}
