//go:build unix

package main

import (
	"errors"
	"math"
	"slices"
)

// errMissed says that an aim was missed; which one has been printed.
var errMissed = errors.New("an aim was missed")

// errOpen says that the figures do not tell whether an aim was met.
var errOpen = errors.New("cannot tell: measure longer, or on a quieter machine")

// verdict is whether an aim was met.
type verdict string

const (
	pass verdict = "pass"
	miss verdict = "FAIL"
	open verdict = "cannot tell"
)

// atMost judges an interval against an upper limit: it is passed or missed
// where the whole interval lies on one side.
func atMost(low, high, limit float64) verdict {
	switch {
	case high <= limit:
		return pass
	case low > limit:
		return miss
	}
	return open
}

// atLeast judges an interval against a lower limit.
func atLeast(low, high, limit float64) verdict { return atMost(-high, -low, -limit) }

// outcome is the error of some verdicts: the worst one's.
func outcome(all []verdict) error {
	switch {
	case len(all) == 0:
		return errors.New("nothing could be measured")
	case slices.Contains(all, miss):
		return errMissed
	case slices.Contains(all, open):
		return errOpen
	}
	return nil
}

// median of some figures; the slice stays as it is.
func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	if len(s) == 0 {
		return math.NaN()
	}
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
