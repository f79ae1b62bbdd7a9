// Package stats turns samples into estimates with intervals, compares cases by
// paired blocks, and warns of drift, throttling and outliers beside the results.
//
// Samples come in blocks: a block is a series taken in a row, so that samples
// inside it share the mood of the machine. Nothing here fails: what is doubtful
// about a figure is said in a warning, a plain line in lower case. All results
// are finite, so that they can be written as JSON, and depend only on the
// samples and the seed.
package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Level is the confidence level of every interval.
const Level = 0.95

// MinSamples is the smallest number of independent values (samples, or pairs of
// blocks) from which a distribution-free interval at Level exists: the range of
// n values misses the median with probability 2^(1-n), and 2^-5 < 5 %.
const MinSamples = 6

// limit is the largest magnitude of a sample; beyond it squares would overflow.
const limit = 1e100

// Estimate is a metric of one case. All figures are in Unit, which the caller
// fills in; Level is a share. An Estimate of no samples is zero.
type Estimate struct {
	Unit   string  `json:"unit"`
	Median float64 `json:"median"`
	Low    float64 `json:"low"`  // lower end of the interval for the median
	High   float64 `json:"high"` // upper end of the interval for the median
	Level  float64 `json:"level"`
	Mean   float64 `json:"mean"`
	SD     float64 `json:"sd"`  // sample standard deviation (n-1); 0 for one sample
	P95    float64 `json:"p95"` // percentiles of Hyndman and Fan's type 7
	P99    float64 `json:"p99"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
	N      int     `json:"n"`
}

// Summarise estimates a metric from its samples, block by block, and returns
// warnings beside the estimate. The interval is for the median of all samples.
// It comes from a bootstrap over blocks where there are at least MinBlocks of
// them, from Student's distribution over fewer (or over hundreds), and from order statistics
// where there is one block or each block holds one sample; docs/stats.md has the
// measured coverage. Samples that are not finite are left
// out with a warning.
//
// Percentiles, the median among them, are Hyndman and Fan's type 7: linear
// between the order statistics at ranks 1+(n-1)p ("Sample Quantiles in
// Statistical Packages", The American Statistician 50, 1996).
func Summarise(blocks [][]float64, seed uint64) (Estimate, []string) {
	blocks, warnings := clean(blocks)
	pool := newPool(blocks)
	n := len(pool.values)
	if n == 0 {
		return Estimate{Level: Level}, append(warnings, "no samples")
	}
	e := describe(pool.values)
	e.Low, e.High = pool.interval(seed)
	if n < MinSamples {
		warnings = append(warnings, fmt.Sprintf("need >= %d samples for an interval at level %v", MinSamples, Level))
	} else if len(blocks) == 1 {
		warnings = append(warnings, "one block: the interval takes its samples as independent and may be too narrow")
	}
	return e, warnings
}

// RelativeWidth returns half the width of the interval of Summarise as a share
// of the median, the figure that adaptive sampling waits for. It is +Inf where
// there is no interval: fewer than MinSamples samples, or a median of 0.
func RelativeWidth(blocks [][]float64, seed uint64) float64 {
	blocks, _ = clean(blocks)
	pool := newPool(blocks)
	if len(pool.values) < MinSamples {
		return math.Inf(1)
	}
	median := quantile(pool.values, 0.5)
	if median == 0 {
		return math.Inf(1)
	}
	low, high := pool.interval(seed)
	return (high - low) / 2 / math.Abs(median)
}

// describe fills in everything but the interval; sorted is not empty.
func describe(sorted []float64) Estimate {
	n := len(sorted)
	e := Estimate{
		Median: quantile(sorted, 0.5), Level: Level,
		P95: quantile(sorted, 0.95), P99: quantile(sorted, 0.99),
		Min: sorted[0], Max: sorted[n-1], N: n,
	}
	e.Mean = sorted[0]
	if n > 1 {
		e.Mean, e.SD = stat.MeanStdDev(sorted, nil)
	}
	return e
}

// clean drops what is not a usable number, then empty blocks, and says so.
func clean(blocks [][]float64) ([][]float64, []string) {
	kept := make([][]float64, 0, len(blocks))
	refused := 0
	for _, block := range blocks {
		good := finite(block)
		refused += len(block) - len(good)
		if len(good) > 0 {
			kept = append(kept, good)
		}
	}
	return kept, refusal(refused)
}

// refusal is the warning about n samples left out, if any.
func refusal(n int) []string {
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("refused %s not finite or beyond %g", count(n, "sample"), limit)}
}

// finite returns the usable samples; the slice itself if all are.
func finite(samples []float64) []float64 {
	bad := func(x float64) bool { return !(math.Abs(x) <= limit) }
	if !slices.ContainsFunc(samples, bad) {
		return samples
	}
	return slices.DeleteFunc(slices.Clone(samples), bad)
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
