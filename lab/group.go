package lab

import (
	"context"
	"errors"
	"time"

	"shakedown/driver"
	"shakedown/machine"
	"shakedown/result"
)

// What a block and a warm-up last, about.
const (
	blockTime    = 150 * time.Millisecond
	shortestTime = 40 * time.Millisecond // of a block, when time is short
	warmUpTime   = 30 * time.Millisecond
	slow         = 100 * time.Millisecond // of one repetition
)

// warmUpBlock is the number of blocks that do not count.
const warmUpBlock = -1

// blockTimeFor is how long a block lasts when so many cases share the time until
// a deadline: short enough for a dozen blocks of each, with their warm-ups.
func blockTimeFor(cases int, deadline time.Time) time.Duration {
	if deadline.IsZero() {
		return blockTime
	}
	share := time.Until(deadline) / time.Duration(cases)
	return max(shortestTime, min(blockTime, share/20))
}

// group measures cases whose drivers run at the same time: rounds, in each of
// which every open case does one block, in random order.
func (l *Lab) group(ctx context.Context, cases []*measured, deadline time.Time) error {
	defer closeAll(cases)
	l.blockTime = blockTimeFor(len(cases), deadline)
	for _, m := range cases {
		m.width = widthOf(m.Case)
		l.opt.Watch.Starting(m.Case)
	}
	if err := together(cases, func(m *measured) func() error { return known(l.open(ctx, m)) }); err != nil {
		return err
	}
	for open := running(cases); len(open) > 0; open = running(cases) {
		l.rng.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
		if err := together(open, func(m *measured) func() error { return l.turn(ctx, m, deadline) }); err != nil {
			return err
		}
	}
	return l.finish(ctx, cases)
}

// turn is one block of a case, unless the time is over; a first one there is always.
func (l *Lab) turn(ctx context.Context, m *measured, deadline time.Time) (then func() error) {
	if m.blocks > 0 && !deadline.IsZero() && time.Now().After(deadline) {
		m.stopped = result.StoppedTime
		return known(nil)
	}
	return l.step(ctx, m)
}

// known is an error that is known already.
func known(err error) func() error { return func() error { return err } }

func running(cases []*measured) []*measured {
	return filter(cases, func(m *measured) bool { return m.stopped == "" })
}

func filter(cases []*measured, is func(*measured) bool) (some []*measured) {
	for _, m := range cases {
		if is(m) {
			some = append(some, m)
		}
	}
	return some
}

func closeAll(cases []*measured) {
	for _, m := range cases {
		m.close()
	}
}

// open starts the drivers of a case and warms them up. A driver that does not
// start ends its case, not the run.
func (l *Lab) open(ctx context.Context, m *measured) error {
	rig, err := l.bench.rigFor(ctx, m.Case, m.Client, m.Server)
	if ctx.Err() != nil {
		return interrupted(ctx)
	}
	var refused *driver.CannotError
	switch {
	case errors.As(err, &refused) && refused.Line.Reason == "cannot":
		m.Cannot, m.stopped = err.Error(), result.StoppedSamples
	case err != nil:
		m.breakdown(err)
	default:
		m.rig, m.fresh = rig, true
		return l.warmUp(ctx, m)
	}
	return nil
}

// warmUp runs repetitions that do not count: the first, in which libraries fill
// their caches, then two, four, eight, until these have lasted a while. The last
// of them tell how long one takes, if no block has told yet.
func (l *Lab) warmUp(ctx context.Context, m *measured) error {
	var spent, each time.Duration
	for n := 1; spent < warmUpTime; n *= 2 {
		start := time.Now()
		b, err := m.rig.block(ctx, warmUpBlock, min(n, driver.MaxBlock))
		if ctx.Err() != nil {
			return interrupted(ctx)
		}
		if err != nil {
			m.breakdown(err)
			return nil
		}
		each = time.Since(start) / time.Duration(b.Attempted)
		if b.Completed == 0 || each > slow {
			break // it will fail where it counts, or it waits for a link, which needs no warming
		}
		if n > 1 {
			spent += time.Since(start)
		}
	}
	if m.blockSize == 0 {
		m.blockSize = l.blockSize(each)
	}
	return nil
}

// renew starts fresh drivers for the next block, unless they are, and warms
// them up. Beside the time of a slow link it does not count which process it is.
func (l *Lab) renew(ctx context.Context, m *measured) error {
	if m.fresh || m.waits() {
		m.fresh = false
		return nil
	}
	if err := m.rig.renew(ctx); err != nil {
		if ctx.Err() != nil {
			return interrupted(ctx)
		}
		m.breakdown(err)
		return nil
	}
	return l.warmUp(ctx, m)
}

// blockSize is how many repetitions make a block: what lasts about its time, but
// ten blocks at least of what is asked for, so that there is something to
// interleave and to resample.
func (l *Lab) blockSize(each time.Duration) int {
	e := l.opt.Effort
	if e.Block > 0 {
		return min(e.Block, driver.MaxBlock)
	}
	n := min(max(1, int(l.blockTime/max(each, 1))), driver.MaxBlock)
	if e.Samples > 0 {
		n = min(n, max(1, e.Samples/10))
	}
	return n
}

// step does one block of a case, with fresh driver processes, and then journals it.
// Two processes of one program differ by the luck of their memory layout; with
// one pair for the whole run that luck would pass for a difference of cases.
func (l *Lab) step(ctx context.Context, m *measured) (then func() error) {
	if err := l.renew(ctx, m); err != nil || m.stopped != "" {
		return known(err)
	}
	before, _ := machine.Read()
	start := time.Now()
	b, err := m.rig.block(ctx, m.blocks, m.nextBlock())
	if ctx.Err() != nil {
		return known(interrupted(ctx))
	}
	if err != nil {
		m.breakdown(err)
		return known(nil)
	}
	b.Case, b.Number = m.id, m.blocks
	b.Start, b.Length = float64(start.UnixNano())/1e9, time.Since(start).Seconds()
	if after, _ := machine.Read(); !m.waits() { // or others would be in it
		b.Host = after.Since(before)
	}
	return func() error { return l.keepBlock(m, b) }
}

// keepBlock journals a block.
func (l *Lab) keepBlock(m *measured, b result.Block) error {
	if err := l.dir.AppendBlock(b); err != nil {
		return err
	}
	m.take(b)
	m.blockSize = l.blockSize(time.Duration(b.Length * float64(time.Second) / float64(b.Attempted)))
	l.tell(m)
	return nil
}

// tell reports progress.
func (l *Lab) tell(m *measured) {
	var sum float64
	for _, c := range l.cases {
		sum += c.share()
	}
	overall := sum / float64(len(l.cases))
	spent := time.Since(l.started)
	if limit := l.opt.Effort.Time; limit > 0 {
		overall = max(overall, min(1, float64(spent)/float64(limit)))
	}
	p := Progress{Case: m.Case, Done: m.share(), Overall: overall}
	if overall > 0.01 {
		p.Left = time.Duration(float64(spent) * (1 - overall) / overall)
	}
	l.opt.Watch.Progress(p)
}
