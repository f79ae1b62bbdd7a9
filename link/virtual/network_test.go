package virtual

import (
	"encoding/binary"
	"errors"
	"math"
	"net"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"shakedown/link/profile"
	"shakedown/link/shape"
)

// arrival is a datagram that came, known by the number it carries.
type arrival struct {
	number uint32
	at     time.Duration // since the datagrams were sent
}

// send sends datagrams of a size up the link, all at once, numbered from 0.
func send(t *testing.T, n *Network, count, size int) { sendFrom(t, n, 0, count, size) }

func sendFrom(t *testing.T, n *Network, first, count, size int) {
	t.Helper()
	datagram := make([]byte, size)
	for i := range count {
		binary.BigEndian.PutUint32(datagram, uint32(first+i))
		if _, err := n.Client.WriteTo(datagram, n.Server.LocalAddr()); err != nil {
			t.Fatal(err)
		}
	}
}

// receive takes what comes to a side within a time.
func receive(t *testing.T, side net.PacketConn, limit time.Duration) (came []arrival) {
	t.Helper()
	began, buffer := time.Now(), make([]byte, profile.MaxMTU)
	_ = side.SetReadDeadline(began.Add(limit))
	for {
		_, _, err := side.ReadFrom(buffer)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return came
		}
		if err != nil {
			t.Fatal(err)
		}
		came = append(came, arrival{binary.BigEndian.Uint32(buffer), time.Since(began)})
	}
}

// echo sends back one datagram.
func echo(side net.PacketConn) {
	buffer := make([]byte, profile.MaxMTU)
	if n, from, err := side.ReadFrom(buffer); err == nil {
		_, _ = side.WriteTo(buffer[:n], from)
	}
}

// ping returns the time of a round trip of a datagram.
func ping(t *testing.T, n *Network, size int) time.Duration {
	t.Helper()
	go echo(n.Server)
	began := time.Now()
	send(t, n, 1, size)
	buffer := make([]byte, profile.MaxMTU)
	if got, from, err := n.Client.ReadFrom(buffer); err != nil || got != size || from.String() != n.Server.LocalAddr().String() {
		t.Fatalf("%d bytes from %v, %v", got, from, err)
	}
	return time.Since(began)
}

// TestRoundTrip: an echo takes both delays, and both transmissions of the datagram
// with its headers, or of the frames of that.
func TestRoundTrip(t *testing.T) {
	slow := profile.Direction{Delay: 20 * ms, Rate: 1_000_000}
	for _, c := range []struct {
		name string
		p    profile.Profile
		size int
		want time.Duration
	}{
		{"nothing", profile.Profile{}, 1000, 0},
		{"delay", bothWays(profile.Direction{Delay: oneWay}), 1000, 2 * oneWay},
		{"another delay down", profile.Profile{Up: profile.Direction{Delay: 7 * ms}, Down: profile.Direction{Delay: 500 * ms}}, 1000, 507 * ms},
		{"1000-byte packets of IPv4 at 1 Mbit/s", bothWays(slow), 1000 - 28, 2 * (20*ms + 8*ms)},
		{"1000-byte packets of IPv6 at 1 Mbit/s", profile.Profile{Up: slow, Down: slow, Family: 6}, 1000 - 48, 2 * (20*ms + 8*ms)},
		{"rate of one direction", profile.Profile{Up: profile.Direction{Rate: 20_000}}, 100 - 28, 40 * ms},
		// 200 bytes in two frames of 127 that carry 100 each: 254 bytes at 8 bit/ms
		{"frames", profile.Profile{Up: profile.Direction{Rate: 8000}, Frames: profile.Frames{Size: 127, Header: 27}}, 200 - 28, 254 * ms},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := open(t, c.p, 1)
				defer n.Close()
				if got := ping(t, n, c.size); got != c.want {
					t.Errorf("%v, want %v", got, c.want)
				}
			})
		})
	}
}

// TestRealTime: the link works outside of a bubble, where a datagram may come later
// than it should but not earlier.
func TestRealTime(t *testing.T) {
	n := open(t, bothWays(profile.Direction{Delay: ms}), 1)
	defer n.Close()
	if got := ping(t, n, 100); got < 2*ms {
		t.Errorf("a round trip of 2ms took %v", got)
	}
}

// TestRate: datagrams that are sent at once come one transmission after the other.
func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := open(t, profile.Profile{Up: profile.Direction{Delay: 20 * ms, Rate: 1_000_000}}, 1)
		defer n.Close()
		send(t, n, 100, 1000-28)
		came := receive(t, n.Server, time.Minute)
		for i, a := range came {
			if want := 20*ms + time.Duration(i+1)*8*ms; a != (arrival{uint32(i), want}) {
				t.Fatalf("the %d. is %+v, want it after %v", i, a, want)
			}
		}
		if c := n.Up.Counts(); len(came) != 100 || c.OutBytes != 100*1000 {
			t.Errorf("%d came; %+v", len(came), c)
		}
	})
}

// TestQueue: what finds the queue full is dropped; the one in transmission does not
// count.
func TestQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := open(t, profile.Profile{Up: profile.Direction{Rate: 1_000_000, Queue: profile.Queue{Packets: 3}}}, 1)
		defer n.Close()
		send(t, n, 10, 1000-28)
		came := receive(t, n.Server, time.Minute)
		want := []arrival{{0, 8 * ms}, {1, 16 * ms}, {2, 24 * ms}, {3, 32 * ms}}
		if c := n.Up.Counts(); !slices.Equal(came, want) || c.Full != 6 {
			t.Errorf("came %v; %+v", came, c)
		}
	})
}

// TestLoss: within the 99 % interval of the binomial over 100,000 datagrams. The
// link adds no chance of its own: each has the fate that a line of the same seed
// says, up and down.
func TestLoss(t *testing.T) {
	const packets, share, seed = 100_000, 0.01, 7
	d := profile.Direction{Delay: oneWay, Loss: profile.Loss{Share: share}}
	synctest.Test(t, func(t *testing.T) {
		n := open(t, bothWays(d), seed)
		defer n.Close()
		var came []arrival
		for first := 0; first < packets; first += 100 {
			sendFrom(t, n, first, 100, 4)
			came = append(came, receive(t, n.Server, 2*oneWay)...)
		}
		lost := packets - len(came)
		if off := 2.576 * math.Sqrt(packets*share*(1-share)); math.Abs(float64(lost)-packets*share) > off {
			t.Errorf("%d of %d lost, want %v ± %.0f", lost, packets, packets*share, off)
		}
		if c := n.Up.Counts(); c.In != packets || c.Lost != lost {
			t.Errorf("%+v", c)
		}
		if want := survivors(d, 2*seed, packets); !slices.Equal(came, want) {
			t.Error("others came than the line says")
		}
		for i := range 1000 {
			_, _ = n.Server.WriteTo(binary.BigEndian.AppendUint32(nil, uint32(i)), n.Client.LocalAddr())
		}
		if came := receive(t, n.Client, time.Minute); !slices.Equal(came, survivors(d, 2*seed+1, 1000)) {
			t.Error("others came down than the line says")
		}
	})
}

// survivors are the packets that a line lets through.
func survivors(d profile.Direction, seed uint64, packets int) (through []arrival) {
	line := shape.New(d, profile.Frames{}, seed)
	for i := range packets {
		if _, fate := line.Enter(0, make([]byte, 32)); fate == shape.Queued {
			through = append(through, arrival{uint32(i), d.Delay})
		}
	}
	return through
}

// TestSeed: the same seed gives the same arrivals, to the nanosecond, another one
// gives others.
func TestSeed(t *testing.T) {
	d := profile.Direction{
		Delay: oneWay, Rate: 10_000_000, Loss: profile.Loss{Share: 0.1}, Duplicate: 0.1, Reorder: 0.1,
		Jitter: profile.Jitter{Spread: 10 * ms},
	}
	var runs [3][]arrival
	for i, seed := range []uint64{5, 5, 6} {
		synctest.Test(t, func(t *testing.T) {
			n := open(t, bothWays(d), seed)
			defer n.Close()
			send(t, n, 500, 100)
			runs[i] = receive(t, n.Server, time.Minute)
		})
	}
	if !slices.Equal(runs[0], runs[1]) || slices.Equal(runs[0], runs[2]) {
		t.Errorf("seeds 5, 5, 6: %d, %d, %d came", len(runs[0]), len(runs[1]), len(runs[2]))
	}
}

// TestChance: jitter, reordering and duplicates are seen, each by itself.
func TestChance(t *testing.T) {
	const packets = 1000
	spread := 10 * ms
	for _, c := range []struct {
		name          string
		d             profile.Direction
		first, last   time.Duration // bounds of the arrivals
		ordered       bool
		came          int
		differentDues bool
	}{
		{"none", profile.Direction{Delay: oneWay}, oneWay, oneWay, true, packets, false},
		{"jitter", profile.Direction{Delay: oneWay, Jitter: profile.Jitter{Spread: spread}}, oneWay - spread, oneWay + spread, true, packets, true},
		{"reordering", profile.Direction{Delay: oneWay, Reorder: 0.2}, 0, oneWay, false, packets, true},
		{"duplicates", profile.Direction{Delay: oneWay, Duplicate: 1}, oneWay, oneWay, true, 2 * packets, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := open(t, profile.Profile{Up: c.d}, 3)
				defer n.Close()
				send(t, n, packets, 4)
				came := receive(t, n.Server, time.Minute)
				if len(came) != c.came {
					t.Fatalf("%d came, want %d", len(came), c.came)
				}
				first, last := came[0].at, came[len(came)-1].at
				ordered := slices.IsSortedFunc(came, func(a, b arrival) int { return int(a.number) - int(b.number) })
				if first < c.first || last > c.last || ordered != c.ordered || first != last != c.differentDues {
					t.Errorf("came from %v to %v, ordered %v", first, last, ordered)
				}
			})
		})
	}
}

// TestMTU: the longest datagram is the MTU less the headers; a longer one is lost.
func TestMTU(t *testing.T) {
	for _, c := range []struct {
		p       profile.Profile
		longest int
	}{
		{profile.Profile{}, 1500 - 28},
		{profile.Profile{MTU: 576}, 576 - 28},
		{profile.Profile{Family: 6}, 1500 - 48},
		{profile.Profile{Family: 6, MTU: 1280}, 1280 - 48},
	} {
		synctest.Test(t, func(t *testing.T) {
			n := open(t, c.p, 1)
			defer n.Close()
			send(t, n, 1, c.longest)
			send(t, n, 1, c.longest+1)
			if came := receive(t, n.Server, time.Second); len(came) != 1 {
				t.Errorf("%+v: %d came of %d and %d bytes", c.p, len(came), c.longest, c.longest+1)
			}
		})
	}
}

// TestFilter: it sees each datagram without headers, in order, and drops what it
// says until it is taken off.
func TestFilter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := open(t, profile.Profile{Up: profile.Direction{Loss: profile.Loss{Share: 1}}}, 1)
		defer n.Close()
		var seen []uint32
		n.Up.Filter(func(datagram []byte) bool {
			seen = append(seen, binary.BigEndian.Uint32(datagram))
			return len(seen) == 2
		})
		send(t, n, 3, 4)
		synctest.Wait()
		n.Up.Filter(nil)
		send(t, n, 1, 4)
		synctest.Wait()
		if c := n.Up.Counts(); !slices.Equal(seen, []uint32{0, 1, 2}) || c.Filtered != 1 || c.Lost != 3 {
			t.Errorf("seen %v; %+v", seen, c)
		}
	})
}

// TestClose: what waits gets the error of a closed connection, what is under way is
// lost, a second time does nothing, and no goroutine is left, for which the bubble
// would wait for ever. An address that is not on the link, or one's own, takes nothing.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := open(t, bothWays(profile.Direction{Delay: oneWay}), 1)
		for _, nowhere := range []net.Addr{&net.UDPAddr{IP: net.IPv4(192, 0, 2, 1), Port: serverPort}, n.Client.LocalAddr()} {
			if _, err := n.Client.WriteTo([]byte("x"), nowhere); err != nil {
				t.Error(err)
			}
		}
		send(t, n, 100, 4) // more than a connection holds, and nobody reads
		time.Sleep(2 * oneWay)
		send(t, n, 1, 4)
		failed := make(chan error)
		go func() {
			_, _, err := n.Client.ReadFrom(make([]byte, 1))
			failed <- err
		}()
		synctest.Wait()
		if err := errors.Join(n.Close(), n.Close()); err != nil {
			t.Error(err)
		}
		if err := <-failed; !errors.Is(err, net.ErrClosed) {
			t.Errorf("the reader got %v", err)
		}
		if _, err := n.Client.WriteTo(nil, n.Server.LocalAddr()); !errors.Is(err, net.ErrClosed) {
			t.Errorf("the writer got %v", err)
		}
		if up, down := n.Up.Counts(), n.Down.Counts(); up.In != 101 || up.Out != 100 || down.In != 0 {
			t.Errorf("up %+v, down %+v", up, down)
		}
	})
}

// TestDeadline: a read ends at its very time, a write after its own.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := open(t, profile.Profile{}, 1)
		defer n.Close()
		began := time.Now()
		_ = n.Client.SetDeadline(began.Add(time.Second))
		_, _, err := n.Client.ReadFrom(make([]byte, 1))
		if timeout := net.Error(nil); !errors.As(err, &timeout) || !timeout.Timeout() || time.Since(began) != time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		if _, err := n.Client.WriteTo(nil, n.Server.LocalAddr()); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Error(err)
		}
	})
}

// TestImpossible: a link that cannot be is refused.
func TestImpossible(t *testing.T) {
	_, err := New(profile.Profile{Family: 6, MTU: 576}, 1)
	if reason := (*profile.Impossible)(nil); !errors.As(err, &reason) {
		t.Error(err)
	}
}
