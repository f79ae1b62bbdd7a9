package lab

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"shakedown/driver"
	"shakedown/link/profile"
	"shakedown/result"
	"shakedown/spec"
	"shakedown/stack"
	"shakedown/wire/cost"
)

// rig is the running apparatus of one case.
type rig interface {
	// block does n repetitions and returns them as a block of the journal, its start
	// and length left to the caller. The number of the block decides the chances of an
	// emulated link. An error means that a driver broke: the case is over.
	block(ctx context.Context, number, n int) (result.Block, error)
	// renew replaces the driver processes by fresh ones.
	renew(ctx context.Context) error
	// memory measures memory in processes of its own.
	memory(ctx context.Context) (result.Block, error)
	// trace does one repetition in processes of its own, recorded on its way.
	trace(ctx context.Context) (Traced, error)
	// processes does n repetitions, each with a client process of its own.
	processes(ctx context.Context, n int) (result.Block, error)
	close() error
}

// bench is what all rigs of a run share.
type bench struct {
	ids     *identities
	timeout time.Duration // of one handshake; 0: as its link needs
	set     result.Settings
	mss     int // B of payload in a packet

	emulator []string // program and arguments of the link emulator
	seed     uint64   // of the run
}

func newBench(ids *identities, set result.Settings, timeout time.Duration) *bench {
	return &bench{ids: ids, timeout: timeout, set: set, mss: cmp.Or(set.MSS, cost.MSSEthernet)}
}

// emulated tells whether a case is measured on an emulated link.
func emulated(c spec.Case) bool { return c.Link != "" && c.Link != loopback }

// grace is what a driver gets beyond the deadlines of its handshakes before it
// is taken for hung: time to print a block on a busy machine.
const grace = 20 * time.Second

// patience is the deadline of one handshake on loopback where none is given.
const patience = 10 * time.Second

// deadline is how long a handshake of a case may take. On an emulated link it gets
// time for many round trips and a long chain, and for retransmissions.
func (b *bench) deadline(c spec.Case) time.Duration {
	p, err := profile.Find(cmp.Or(c.Link, loopback))
	if b.timeout > 0 || err != nil || !emulated(c) {
		return cmp.Or(b.timeout, patience)
	}
	const trips, payload, losses = 20, 64 << 10, 30 * time.Second
	limit := patience + trips*(p.Up.Delay+p.Down.Delay)
	for _, d := range []profile.Direction{p.Up, p.Down} {
		if d.Rate > 0 {
			limit += time.Duration(payload * 8 * float64(time.Second) / float64(d.Rate))
		}
		if d.Loss != (profile.Loss{}) {
			limit += losses / 2
		}
	}
	for _, t := range p.Aim {
		limit += losses / 2
		if t.Each {
			limit += 4 * losses // timers double with each loss
		}
	}
	return limit
}

// within gives a block of n repetitions of a case its deadline.
func (b *bench) within(ctx context.Context, c spec.Case, n int) (context.Context, context.CancelFunc) {
	limit := time.Duration(n+1)*b.deadline(c) + grace // one more for the priming handshake
	return context.WithTimeoutCause(ctx, limit, fmt.Errorf("driver did not answer within %v", limit))
}

// rigFor starts the drivers of a case.
func (b *bench) rigFor(ctx context.Context, c spec.Case, client, server *stack.Stack) (rig, error) {
	ctx, cancel := b.within(ctx, c, 0)
	defer cancel()
	if c.Kind == spec.KindRecord {
		return b.newRecordRig(ctx, c, client)
	}
	return b.newHandshakeRig(ctx, c, client, server)
}

// side is the flags that both ends of a case share.
func (b *bench) side(c spec.Case) driver.Config {
	return driver.Config{
		Protocol: string(c.Protocol), Version: string(c.Version), Auth: string(c.Auth),
		Groups: list(c.Group), Suites: list(c.Suite), Mode: string(c.Mode), Mutual: c.Mutual,
		Timeout: b.deadline(c),
	}
}

func list(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// seconds is the time between two marks; ok is false where one is missing.
func seconds(from, to int64) (float64, bool) {
	return float64(to-from) / 1e9, from != 0 && to != 0
}
