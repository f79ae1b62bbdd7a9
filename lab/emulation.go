package lab

import (
	"context"
	"fmt"
	"time"

	"shakedown/link"
	"shakedown/link/emulate"
	"shakedown/link/profile"
	"shakedown/link/seen"
	"shakedown/link/shape"
	"shakedown/result"
	"shakedown/spec"
)

// emulation is the emulated link of a case.
type emulation struct {
	*link.Network
	seed   uint64
	before emulate.Report // the last one: counts are totals
}

// emulation opens the emulated link of a case; there is none on loopback. Its seed
// depends on the run's and on the case, so that it is replayed with them.
func (b *bench) emulation(c spec.Case) (*emulation, error) {
	if !emulated(c) {
		return nil, nil
	}
	p, err := profile.Find(c.Link)
	if err != nil {
		return nil, err
	}
	e := &emulation{seed: b.seed ^ seedOf(c.ID())}
	e.Network, err = link.Open(link.Options{Profile: p, Seed: e.seed, Emulator: b.emulator})
	if err != nil {
		return nil, err
	}
	return e, nil
}

// begin starts a block with chances of its own, and forgets what was carried before.
func (e *emulation) begin(ctx context.Context, number int) error {
	if err := e.Reseed(e.seed + uint64(number)); err != nil {
		return err
	}
	_, err := e.report(ctx)
	return err
}

// report is what the emulator saw since the last one.
func (e *emulation) report(ctx context.Context) (emulate.Report, error) {
	now, err := e.Report(ctx)
	if err != nil {
		return now, fmt.Errorf("link %s: %w", e.Profile(), err)
	}
	since := now
	since.Up, since.Down = now.Up.Since(e.before.Up), now.Down.Since(e.before.Down)
	since.CPU -= e.before.CPU
	e.before = now
	e.before.Packets = nil
	return since, nil
}

// connections are those of a report.
func (e *emulation) connections(r emulate.Report) []*seen.Connection {
	return seen.Connections(r.Packets, e.Profile().Window)
}

// told describes the link, and what it carried.
func (e *emulation) told(r emulate.Report) *result.Link {
	p := e.Profile()
	p.Name = ""
	return &result.Link{
		Profile: p.String(), Source: e.Profile().Source, Seed: e.seed, Settings: e.Settings(), Carried: carried(r),
	}
}

func carried(r emulate.Report) result.Carried {
	both := func(of func(shape.Counts) int) int { return of(r.Up) + of(r.Down) }
	return result.Carried{
		Packets:    both(func(c shape.Counts) int { return c.In }),
		Lost:       both(func(c shape.Counts) int { return c.Lost }),
		Full:       both(func(c shape.Counts) int { return c.Full + c.CoDel }),
		Aimed:      both(func(c shape.Counts) int { return c.Filtered + c.Held }),
		TooBig:     r.TooBig,
		Duplicated: both(func(c shape.Counts) int { return c.Duplicated }),
		Reordered:  both(func(c shape.Counts) int { return c.Reordered }),
		Frames:     both(func(c shape.Counts) int { return int(c.Frames) }),
		Late: result.Late{
			Packets: r.Late.Count, Median: r.Late.Median.Seconds(), P99: r.Late.P99.Seconds(), Max: r.Late.Max.Seconds(), Over: r.Late.Over,
		},
		CPU: r.CPU.Seconds(),
	}
}

// trip is the least time that a packet needs there and back.
func (e *emulation) trip() time.Duration {
	p := e.Profile()
	return p.Up.Delay + p.Down.Delay
}

// mss is the payload of a full packet in bytes: what the headers of IP (RFC 791,
// RFC 8200) and of TCP without options leave.
func (e *emulation) mss() int {
	p := e.Profile()
	if p.Family == 6 {
		return p.MTU - 60
	}
	return p.MTU - 40
}
