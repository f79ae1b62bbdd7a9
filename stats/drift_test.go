package stats

import (
	"math"
	"testing"
)

// course makes blocks of 20 samples, 10 % wide, around the levels given.
func course(seed uint64, levels ...float64) (blocks [][]float64) {
	r := source(seed)
	for _, level := range levels {
		block := make([]float64, 20)
		for i := range block {
			block[i] = level * (1 + 0.1*r.NormFloat64())
		}
		blocks = append(blocks, block)
	}
	return blocks
}

// levels makes n levels from a function of the position from 0 to 1.
func levels(n int, at func(float64) float64) []float64 {
	l := make([]float64, n)
	for i := range l {
		l[i] = at(float64(i) / float64(n-1))
	}
	return l
}

// jump is a level that changes to 1+by in the middle.
func jump(by float64) func(float64) float64 {
	return func(x float64) float64 {
		if x < 0.5 {
			return 1
		}
		return 1 + by
	}
}

func TestDriftTold(t *testing.T) {
	rise := func(x float64) float64 { return 1 + 0.3*x }
	fall := func(x float64) float64 { return 1 - 0.3*x }
	for _, c := range []struct {
		blocks [][]float64
		want   string
	}{
		{course(1, levels(20, rise)...), "drift: block medians rose"},
		{course(2, levels(20, fall)...), "drift: block medians fell"},
		{course(3, levels(20, jump(0.3))...), "throttled after block 10: block medians rose"},
		{course(4, levels(20, jump(-0.3))...), "faster after block 10: block medians fell"},
		{course(5, levels(600, jump(0.3))...), "throttled after block 300"},
		{singles(levels(12, jump(0.5))...), "throttled after block 6: block medians rose 50 %"},
		{singles(1.00, 1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07, 1.08, 1.09), "drift: block medians rose 8.6 %"},
	} {
		warned(t, Drift(c.blocks), c.want)
	}
}

func TestDriftSilent(t *testing.T) {
	for _, blocks := range [][][]float64{
		nil, singles(1, 2, 3, 4, 5, 6, 7, 8, 9), singles(levels(20, jump(0))...), singles(make([]float64, 20)...),
		singles(levels(20, func(x float64) float64 { return 1 + 0.01*x })...), // certain but small
	} {
		if w := Drift(blocks); len(w) > 0 {
			t.Errorf("%v: %q", blocks, w)
		}
	}
}

func TestMannKendall(t *testing.T) {
	// Eight ascending values: S = 28, variance 8 x 7 x 21 / 18.
	want := math.Erfc(27 / math.Sqrt(8*7*21/18.0) / math.Sqrt2)
	near(t, "p", mannKendall([]float64{1, 2, 3, 4, 5, 6, 7, 8}), want, 1e-12)
	// Two ties of two take 2 x (2 x 1 x 9 / 18) = 2 off the variance; S = 26.
	want = math.Erfc(25 / math.Sqrt(8*7*21/18.0-2) / math.Sqrt2)
	near(t, "p with ties", mannKendall([]float64{1, 1, 3, 4, 5, 6, 8, 8}), want, 1e-12)
	near(t, "p of equals", mannKendall([]float64{2, 2, 2, 2}), 1, 0)
}

func TestTheilSen(t *testing.T) {
	near(t, "slope", theilSen([]float64{0, 2, 4, 60, 8}), 2, 0)
}

// TestSteadyIsSilent counts warnings on data that deserve none: at most three in a
// thousand for drift, one in a hundred for outliers.
func TestSteadyIsSilent(t *testing.T) {
	const runs = 1000
	for _, s := range shapes {
		drifts, outliers := 0, 0
		r := source(1)
		for i := range runs {
			blocks := s.blocks(r, 10+i%30, 10, 0.1)
			drifts += len(Drift(blocks))
			outliers += len(Outliers(s.blocks(r, 1, 50+i%200, 0)[0]))
		}
		t.Logf("%s: %d drifts, %d outliers of %d", s.name, drifts, outliers, runs)
		if drifts > runs*3/1000 {
			t.Errorf("%s: %d drift warnings in %d steady runs", s.name, drifts, runs)
		}
		if outliers > runs/100 && s.name != logNormal.name {
			t.Errorf("%s: %d outlier warnings in %d clean runs", s.name, outliers, runs)
		}
	}
}

func TestOutliers(t *testing.T) {
	samples := course(1, levels(5, jump(0))...)
	flat := append(append(samples[0], samples[1]...), samples[2]...)
	if w := Outliers(flat); len(w) > 0 {
		t.Errorf("clean: %q", w)
	}
	warned(t, Outliers(append(flat, 5, 5)), "outliers: 2 of 62 samples (3.2 %)")
	warned(t, Outliers(append(flat, 11)), "up to 11.") // one, but it lifts the mean
	if w := Outliers(append(flat, 2.5)); len(w) > 0 {
		t.Errorf("one small outlier: %q", w)
	}
	if w := Outliers(append(flat[:40], 50)); len(w) > 0 {
		t.Errorf("few samples: %q", w)
	}
}
