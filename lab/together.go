package lab

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"shakedown/link/profile"
	"shakedown/spec"
)

// A case on a slow link mostly waits, so that several run at the same time; no
// more than leave the machine idle most of the time.
const (
	tripShare = 25 * time.Millisecond // of a round trip for each
	mostWide  = 16
)

// widthOf is how many cases like this may run at the same time: one for each
// tripShare of the round trip, 1 where there is no link to wait for.
func widthOf(c spec.Case) int {
	if !emulated(c) {
		return 1
	}
	p, err := profile.Find(c.Link)
	if err != nil {
		return 1
	}
	return max(1, min(mostWide, int((p.Up.Delay+p.Down.Delay)/tripShare)))
}

// waits tells whether the case mostly waits for its link.
func (m *measured) waits() bool { return m.width > 1 }

// together runs a task for each case, those that wait at the same time, and after
// each batch what the tasks returned, in turn: tasks must leave alone what cases
// share. It ends with the first error.
func together(cases []*measured, task func(*measured) (then func() error)) error {
	rest := slices.Clone(cases)
	slices.SortStableFunc(rest, func(a, b *measured) int { return a.width - b.width })
	for len(rest) > 0 {
		n := min(len(rest), rest[0].width)
		then := make([]func() error, n)
		var all sync.WaitGroup
		for i, m := range rest[:n] {
			all.Go(func() { then[i] = task(m) })
		}
		all.Wait()
		var err error
		for _, f := range then {
			err = cmp.Or(err, f())
		}
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}
