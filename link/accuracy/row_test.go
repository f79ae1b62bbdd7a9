package accuracy

import (
	"math"
	"testing"
)

// TestInterval: published critical values of the binomial, and the shares beyond.
func TestInterval(t *testing.T) {
	for _, c := range []struct {
		n         int
		p         float64
		low, high int
	}{
		{10, 0.5, 1, 9},           // P(X <= 0) = 0.001, P(X <= 1) = 0.011
		{100000, 0.01, 920, 1082}, // the normal approximation: 1000 ± 81
		{100, 0, 0, 0},
	} {
		if low, high := interval(c.n, c.p); math.Abs(float64(low-c.low)) > 1 || math.Abs(float64(high-c.high)) > 1 {
			t.Errorf("%d of %v: %d to %d, want %d to %d", c.n, c.p, low, high, c.low, c.high)
		}
	}
}

// TestJudge: a figure is held against its bound.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		row Row
		got float64
		ok  bool
	}{
		{Row{Bound: About, Want: 10, Allowed: 1}, 11, true},
		{Row{Bound: About, Want: 10, Allowed: 1}, 8.9, false},
		{Row{Bound: Least, Want: 10}, 9.9, false},
		{Row{Bound: Least, Want: 10}, 1e9, true},
		{Row{Bound: Most, Want: 10}, 10.1, false},
		{Row{Bound: Most, Want: 10}, 0, true},
	} {
		c.row.judge(c.got)
		if c.row.OK != c.ok || c.row.Error != c.got-c.row.Want {
			t.Errorf("%+v", c.row)
		}
	}
}
