package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// depression is the differences x-y of the factor IV scores of nine patients in
// Hollander and Wolfe, "Nonparametric Statistical Methods", 1973, table 3.1.
func depression() []float64 {
	x := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	y := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	for i := range x {
		x[i] -= y[i]
	}
	slices.Sort(x)
	return x
}

// maize is the differences in height of Darwin's fifteen pairs of crossed and
// self-fertilised plants, in eighths of an inch.
var maize = []float64{49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48}

func TestSignedRankPublished(t *testing.T) {
	near(t, "p of depression", signedRank(depression()), 20.0/512, 1e-12) // W- = 5
	near(t, "p of maize", signedRank(maize), 0.04126, 1e-3)               // W- = 24
}

func TestHodgesLehmannPublished(t *testing.T) {
	middle, low, high := hodgesLehmann(depression())
	near(t, "estimate", middle, 0.46, 1e-9)
	near(t, "low", low, 0.010, 1e-9)
	near(t, "high", high, 0.786, 1e-9)
}

// TestSignedRankTable holds against the usual table of critical values, 5 %
// two-sided: the largest smaller rank sum that is significant.
func TestSignedRankTable(t *testing.T) {
	table := map[int]int{
		6: 0, 7: 2, 8: 3, 9: 5, 10: 8, 11: 10, 12: 13, 13: 17, 14: 21, 15: 25,
		16: 29, 17: 34, 18: 40, 19: 46, 20: 52, 25: 89, 30: 137, 50: 434,
	}
	for n, want := range table {
		if got := criticalSum(n); got != want {
			t.Errorf("critical value of %d pairs = %d, want %d", n, got, want)
		}
	}
	if got := criticalSum(5); got != 0 {
		t.Errorf("critical value of 5 pairs = %d, want none", got)
	}
}

func TestSignedRankTies(t *testing.T) {
	// Ranks 1.5, 1.5 (one negative), 3, 4: the smaller sum is 1.5. Of the 16 sign
	// patterns three (sums 0, 1.5, 1.5) are as small.
	near(t, "p", signedRank([]float64{1, -1, 2, 3, 0, 0}), 2*3.0/16, 1e-15)
	near(t, "p of zeros", signedRank([]float64{0, 0, 0}), 1, 0)
}

// TestSignedRankApproximation checks that the normal approximation meets the
// exact distribution where it takes over.
func TestSignedRankApproximation(t *testing.T) {
	r := source(9)
	d := make([]float64, exactPairs+1)
	for i := range d {
		d[i] = r.NormFloat64() + 0.3
	}
	ranks, positive := doubleRanks(d)
	total := len(d) * (len(d) + 1)
	exact := 2 * floats.Sum(rankSums(ranks, total)[:min(positive, total-positive)+1])
	near(t, "approximate p", signedRank(d), exact, 0.1)
}

func TestWalsh(t *testing.T) {
	r := source(4)
	for n := 1; n < 40; n++ {
		sorted := make([]float64, n)
		for i := range sorted {
			sorted[i] = math.Round(r.NormFloat64()*10) / 10
		}
		slices.Sort(sorted)
		var means []float64
		for i := range sorted {
			for j := i; j < n; j++ {
				means = append(means, (sorted[i]+sorted[j])/2)
			}
		}
		slices.Sort(means)
		for k, want := range means {
			if got := walsh(sorted, k+1); math.Abs(got-want) > 1e-50 {
				t.Fatalf("mean %d of %v = %v, want %v", k+1, sorted, got, want)
			}
		}
	}
}

func TestCompareKnown(t *testing.T) {
	a := singles(1, 2, 3, 4, 5, 6)
	b := singles(2, 4, 6, 8, 10, 12)
	c, warnings := Compare(a, b, 1)
	if len(warnings) > 0 || !c.Significant || c.Pairs != 6 {
		t.Errorf("%+v, warnings %q", c, warnings)
	}
	near(t, "p", c.P, 2.0/64, 1e-15)
	for _, ratio := range []float64{c.Ratio, c.Low, c.High} {
		near(t, "ratio", ratio, 2, 1e-15)
	}
	back, _ := Compare(b, a, 1)
	near(t, "reverse ratio", back.Ratio, 0.5, 1e-15)
	same, _ := Compare(a, a, 1)
	if same.Significant || same.Ratio != 1 || same.P != 1 {
		t.Errorf("a against itself: %+v", same)
	}
}

func TestCompareLeavesOut(t *testing.T) {
	a := [][]float64{{1}, {1}, nil, {1}, {0}, {math.NaN(), 1}, {1}}
	b := [][]float64{{2}, {2}, {2}, nil, {2}, {2}}
	c, warnings := Compare(a, b, 1)
	want := []string{
		"refused 1 sample not finite or beyond 1e+100", "left out 3 blocks missing on one side",
		"left out 1 pair whose median is not positive", "need >= 6 pairs of blocks for a comparison at level 0.95",
	}
	if !slices.Equal(warnings, want) {
		t.Errorf("warnings %q, want %q", warnings, want)
	}
	if c.Pairs != 3 || c.Significant || c.Low != c.High {
		t.Errorf("%+v", c)
	}
	c, warnings = Compare(nil, b, 1)
	if c != (Comparison{P: 1}) || len(warnings) != 2 {
		t.Errorf("%+v, warnings %q", c, warnings)
	}
}

// paired draws two cases that share what happens to the machine in a block and
// differ by a factor.
func paired(r *rand.Rand, s shape, blocks int, factor float64) (a, b [][]float64) {
	for range blocks {
		mood := math.Exp(0.2 * r.NormFloat64())
		x, y := make([]float64, 20), make([]float64, 20)
		for i := range x {
			x[i], y[i] = mood*s.draw(r), factor*mood*s.draw(r)
		}
		a, b = append(a, x), append(b, y)
	}
	return a, b
}

// found is the shares of simulated comparisons that are significant and whose
// interval holds the true factor.
func found(s shape, blocks int, factor float64) (significant, covered float64) {
	r := source(uint64(blocks))
	for range *simulations {
		a, b := paired(r, s, blocks, factor)
		c, _ := Compare(a, b, 1)
		if c.Significant {
			significant++
		}
		if c.Low <= factor && factor <= c.High {
			covered++
		}
	}
	n := float64(*simulations)
	return significant / n, covered / n
}

// TestCompareRates checks the false-positive rate of equal cases, with three
// standard errors of the simulation to spare, and that the interval covers.
func TestCompareRates(t *testing.T) {
	spare := 3 * math.Sqrt(0.05*0.95/float64(*simulations))
	for _, blocks := range []int{6, 10, 20, 60} {
		for _, s := range shapes {
			t.Run(fmt.Sprintf("%d/%s", blocks, s.name), func(t *testing.T) {
				t.Parallel()
				equal, covered := found(s, blocks, 1)
				t.Logf("false positives in %d pairs, %s: %.1f %%", blocks, s.name, 100*equal)
				if equal > 0.05+spare || covered < 0.95-spare {
					t.Errorf("false positives %.4f, coverage %.4f", equal, covered)
				}
			})
		}
	}
}

// TestComparePower checks that a difference of 5 % in samples that vary by 10 %
// is nearly always found in 10 blocks of 20.
func TestComparePower(t *testing.T) {
	power, covered := found(normal, 10, 1.05)
	t.Logf("power %.1f %%, coverage %.1f %%", 100*power, 100*covered)
	if power < 0.9 || covered < 0.93 {
		t.Errorf("power %.4f, coverage %.4f", power, covered)
	}
}

func BenchmarkCompare(b *testing.B) {
	x, y := paired(source(1), normal, 100, 1.01)
	for b.Loop() {
		Compare(x, y, 1)
	}
}
