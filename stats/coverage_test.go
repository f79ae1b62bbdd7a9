package stats

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// simulations is how often each setting is drawn; docs/stats.md used 10000.
var simulations = flag.Int("simulations", 500, "simulated runs per setting of the coverage tests")

// source is a fixed stream of random numbers.
func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// shape is a distribution of samples.
type shape struct {
	name string
	draw func(*rand.Rand) float64
	cdf  func(float64) float64
}

var (
	normal = shape{
		"normal",
		func(r *rand.Rand) float64 { return 10 + r.NormFloat64() },
		func(x float64) float64 { return distuv.UnitNormal.CDF(x - 10) },
	}
	logNormal = shape{
		"log-normal",
		func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) },
		func(x float64) float64 { return distuv.UnitNormal.CDF(math.Log(x)) },
	}
	exponential = shape{
		"exponential",
		func(r *rand.Rand) float64 { return r.ExpFloat64() },
		func(x float64) float64 { return -math.Expm1(-x) },
	}
	bimodal = shape{
		"bimodal",
		func(r *rand.Rand) float64 {
			if r.Float64() < 0.3 {
				return 15 + r.NormFloat64()
			}
			return 10 + r.NormFloat64()
		},
		func(x float64) float64 {
			return 0.7*distuv.UnitNormal.CDF(x-10) + 0.3*distuv.UnitNormal.CDF(x-15)
		},
	}
	shapes = []shape{normal, logNormal, exponential, bimodal}
)

// blocks draws samples, those of a block multiplied by a factor of its own,
// exp(effect x normal).
func (s shape) blocks(r *rand.Rand, blocks, size int, effect float64) [][]float64 {
	all := make([][]float64, blocks)
	for b := range all {
		factor := math.Exp(effect * r.NormFloat64())
		for range size {
			all[b] = append(all[b], factor*s.draw(r))
		}
	}
	return all
}

// median returns the true median of samples with that block effect, by
// bisection of the distribution averaged over the effect.
func (s shape) median(effect float64) float64 {
	below := func(x float64) (share float64) {
		const steps = 200
		for i := range steps {
			z := distuv.UnitNormal.Quantile((float64(i) + 0.5) / steps)
			share += s.cdf(x*math.Exp(-effect*z)) / steps
		}
		return share
	}
	low, high := 1e-9, 100.0
	for range 60 {
		if half := (low + high) / 2; below(half) < 0.5 {
			low = half
		} else {
			high = half
		}
	}
	return low
}

// coverage is the share of simulated runs whose interval holds the true median.
func (s shape) coverage(blocks, size int, effect float64) float64 {
	truth, r, hits := s.median(effect), source(uint64(blocks)), 0
	for i := range *simulations {
		low, high := newPool(s.blocks(r, blocks, size, effect)).interval(uint64(i))
		if low <= truth && truth <= high {
			hits++
		}
	}
	return float64(hits) / float64(*simulations)
}

func TestCoverage(t *testing.T) {
	for _, c := range []struct {
		blocks, size int
		effect       float64
		low, high    float64
	}{
		{1, 100, 0, 0.93, 0.97},
		{20, 1, 0, 0.93, 0.97},
		{10, 20, 0, 0.93, 0.97},
		{10, 20, 0.1, 0.93, 0.97},
		{10, 20, 0.5, 0.93, 0.97},
		{20, 20, 0.5, 0.93, 0.97},
		{50, 10, 0.5, 0.93, 0.97},
		{600, 2, 0.5, 0.93, 0.97},
		{2, 50, 0.1, 0.93, 1}, // few blocks: at least the level, not at most
		{4, 50, 0.5, 0.93, 1},
		{8, 30, 0, 0.93, 1},
	} {
		for _, s := range shapes {
			t.Run(fmt.Sprintf("%dx%d/%v/%s", c.blocks, c.size, c.effect, s.name), func(t *testing.T) {
				t.Parallel()
				got := s.coverage(c.blocks, c.size, c.effect)
				t.Logf("coverage of %d blocks of %d, effect %v, %s: %.1f %%", c.blocks, c.size, c.effect, s.name, 100*got)
				if got < c.low || got > c.high {
					t.Errorf("coverage %.4f, want %v to %v", got, c.low, c.high)
				}
			})
		}
	}
}
