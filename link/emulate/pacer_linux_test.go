package emulate

import (
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestLearn: of sleeps that end late by anything up to 100 us the pacer finds the
// median and the 80th percentile.
func TestLearn(t *testing.T) {
	p, chance := newPacer(0), rand.New(rand.NewPCG(1, 2))
	var median, margin float64
	const samples = 20_000
	for i := range 2 * samples {
		p.learn(100_000 * chance.Float64())
		if i >= samples {
			median, margin = median+p.median/samples, margin+p.margin/samples
		}
	}
	if median < 45_000 || median > 55_000 || margin < 75_000 || margin > 85_000 {
		t.Errorf("median %.0f ns, want 50000; margin %.0f ns, want 80000", median, margin)
	}
}

// TestLearnBounds: no sleep however wrong makes it spin for long, or wait for what
// is over.
func TestLearnBounds(t *testing.T) {
	p := newPacer(0)
	for _, over := range []float64{1e12, -1e12} {
		for range 10_000 {
			p.learn(over)
		}
		if p.median < 0 || p.median > 150_000 || p.margin < 0 || p.margin > 150_000 {
			t.Errorf("after sleeps of %g ns too much: median %g, margin %g", over, p.median, p.margin)
		}
	}
}

// TestPacerKinds: long delays do without spinning, and then packets may leave a
// little early; never both.
func TestPacerKinds(t *testing.T) {
	if p := newPacer(time.Second); p.spins || p.slop != slop {
		t.Errorf("a second: %+v", p)
	}
	if p := newPacer(time.Millisecond); p.spins == (p.slop > 0) {
		t.Errorf("a millisecond: %+v", p)
	}
}

// TestWait: what is over is not waited for; a packet wakes; a deadline ends the wait
// and is learnt from.
func TestWait(t *testing.T) {
	var devices [2]int
	var ends [2]*os.File
	for i := range devices {
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		devices[i], ends[i] = pair[0], os.NewFile(uintptr(pair[1]), "end")
		defer unix.Close(pair[0])
		defer ends[i].Close()
	}
	p := newPacer(time.Second)
	if p.wait(devices, p.now()-1, true) {
		t.Error("it was woken where it had nothing to wait for")
	}
	before := p
	for range 50 { // a signal may end one early
		due := p.now() + 2*time.Millisecond
		if p.wait(devices, due, true) {
			t.Fatal("it was woken by nothing")
		}
	}
	if p == before {
		t.Error("nothing was learnt from 50 sleeps")
	}
	if _, err := ends[1].Write([]byte{1}); err != nil {
		t.Fatal(err)
	}
	if !p.wait(devices, p.now()+time.Hour, true) || !p.wait(devices, 0, false) {
		t.Error("a packet did not wake it")
	}
}
