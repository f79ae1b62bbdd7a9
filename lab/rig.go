package lab

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"shakedown/driver"
	"shakedown/link"
	"shakedown/link/profile"
	"shakedown/result"
	"shakedown/spec"
	"shakedown/stack"
	"shakedown/wire/cost"
)

// rig is the running apparatus of one case.
type rig interface {
	// block does n repetitions and returns them as a block of the journal, its
	// number, start and length left to the caller. An error means that a driver
	// broke: the case is over.
	block(ctx context.Context, n int) (result.Block, error)
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
	timeout time.Duration // of one handshake
	set     result.Settings
	mss     int // B of payload in a packet

	emulator []string // program and arguments of the link emulator
	seed     uint64   // of the run
}

func newBench(ids *identities, set result.Settings, timeout time.Duration) *bench {
	return &bench{ids: ids, timeout: cmp.Or(timeout, 10*time.Second), set: set, mss: cmp.Or(set.MSS, cost.MSSEthernet)}
}

// network opens the emulated link of a case; there is none on loopback. Its seed
// depends on the run's and on the case, so that it is replayed with them.
func (b *bench) network(c spec.Case) (*link.Network, error) {
	if !emulated(c) {
		return nil, nil
	}
	p, err := profile.Find(c.Link)
	if err != nil {
		return nil, err
	}
	return link.Open(link.Options{Profile: p, Seed: b.seed ^ seedOf(c.ID()), Emulator: b.emulator})
}

// emulated tells whether a case is measured on an emulated link.
func emulated(c spec.Case) bool { return c.Link != "" && c.Link != loopback }

// grace is what a driver gets beyond the deadlines of its handshakes before it
// is taken for hung: time to print a block on a busy machine.
const grace = 20 * time.Second

// within gives a block of n repetitions its deadline.
func (b *bench) within(ctx context.Context, n int) (context.Context, context.CancelFunc) {
	limit := time.Duration(n+1)*b.timeout + grace // one more for the priming handshake
	return context.WithTimeoutCause(ctx, limit, fmt.Errorf("driver did not answer within %v", limit))
}

// rigFor starts the drivers of a case.
func (b *bench) rigFor(ctx context.Context, c spec.Case, client, server *stack.Stack) (rig, error) {
	ctx, cancel := b.within(ctx, 0)
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
		Timeout: b.timeout,
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
