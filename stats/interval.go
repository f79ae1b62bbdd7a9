package stats

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// MinBlocks is the smallest number of blocks that the bootstrap resamples; with
// fewer the interval is sound but wide.
const MinBlocks = 10

// maxBlocks is the largest number of blocks that the bootstrap resamples; with
// more it would only cost time.
const maxBlocks = 500

// resamples is the number of bootstrap resamples.
const resamples = 2000

// pool is all samples in ascending order, each with the block it came from.
type pool struct {
	values []float64
	block  []int
	sizes  []int // samples in each block
}

func newPool(blocks [][]float64) pool {
	type sample struct {
		value float64
		block int
	}
	var all []sample
	p := pool{sizes: make([]int, len(blocks))}
	for b, block := range blocks {
		p.sizes[b] = len(block)
		for _, v := range block {
			all = append(all, sample{v, b})
		}
	}
	slices.SortFunc(all, func(a, b sample) int { return cmp.Compare(a.value, b.value) })
	p.values, p.block = make([]float64, len(all)), make([]int, len(all))
	for i, s := range all {
		p.values[i], p.block[i] = s.value, s.block
	}
	return p
}

// independent says that no two samples share a block.
func (p pool) independent() bool { return len(p.values) == len(p.sizes) }

// interval returns the interval for the median by the method that suits the
// blocks. It holds the sample median.
func (p pool) interval(seed uint64) (low, high float64) {
	switch {
	case p.independent() || len(p.sizes) == 1:
		low, high = orderInterval(p.values)
	case len(p.sizes) < MinBlocks || len(p.sizes) > maxBlocks:
		low, high = p.shareInterval()
	default:
		low, high = p.bootstrapInterval(seed)
	}
	m := quantile(p.values, 0.5)
	return min(low, m), max(high, m)
}

// orderInterval is the interval for the median of independent samples, sorted,
// of any continuous distribution. The order statistics d and n+1-d enclose the
// median with a probability that the binomial distribution gives exactly; the
// ends are interpolated between the last d that reaches Level and the next
// (Hettmansperger and Sheather, "Confidence intervals based on interpolated
// order statistics", Statistics & Probability Letters 4, 1986). It is the range
// where there are fewer than MinSamples.
func orderInterval(sorted []float64) (low, high float64) {
	n := len(sorted)
	if n < MinSamples {
		return sorted[0], sorted[n-1]
	}
	flips := distuv.Binomial{N: float64(n), P: 0.5}
	coverage := func(d int) float64 { return 1 - 2*flips.CDF(float64(d-1)) }
	d := sort.Search(n/2, func(i int) bool { return coverage(i+1) < Level })
	share := (coverage(d) - Level) / (coverage(d) - coverage(d+1))
	t := float64(n-d) * share / (float64(d) + float64(n-2*d)*share)
	return lerp(sorted[d-1], sorted[d], t), lerp(sorted[n-d], sorted[n-d-1], t)
}

// shareInterval is the interval where blocks are not resampled. It takes the
// share of samples below the median as a mean over blocks, gives that share
// Student's interval and reads off the quantiles at its ends (Woodruff,
// "Confidence Intervals for Medians and Other Position Measures", Journal of the
// American Statistical Association 47, 1952). It is never narrower than the
// interval of independent samples, because a few blocks may agree by chance.
func (p pool) shareInterval() (low, high float64) {
	k, n := float64(len(p.sizes)), float64(len(p.values))
	var squares float64
	for b, below := range p.below(len(p.values) / 2) {
		excess := float64(below) - float64(p.sizes[b])/2
		squares += excess * excess
	}
	half := student(len(p.sizes)) * math.Sqrt(squares*k/(k-1)) / n
	low, high = orderInterval(p.values)
	return min(low, quantile(p.values, max(0, 0.5-half))), max(high, quantile(p.values, min(1, 0.5+half)))
}

// below counts the samples of each block in front of a position.
func (p pool) below(position int) []int {
	counts := make([]int, len(p.sizes))
	for _, b := range p.block[:position] {
		counts[b]++
	}
	return counts
}

// student is the quantile of Student's distribution that bounds a mean over k
// blocks at Level, in standard errors.
func student(k int) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: float64(k - 1)}.Quantile((1 + Level) / 2)
}

// bootstrapInterval is the interval between two quantiles of the medians of
// resamples of whole blocks.
func (p pool) bootstrapInterval(seed uint64) (low, high float64) {
	medians := p.bootstrap(seed)
	tail := expandedTail(len(p.sizes))
	return quantile(medians, tail), quantile(medians, 1-tail)
}

// expandedTail is the share of bootstrap medians to cut off at either end. It is
// smaller than (1-Level)/2 because a bootstrap over k blocks is too narrow by
// sqrt((k-1)/k) and takes the normal for Student's distribution (Hesterberg,
// "What Teachers Should Know About the Bootstrap", The American Statistician 69,
// 2015, "expanded percentile interval").
func expandedTail(k int) float64 {
	return distuv.UnitNormal.CDF(-student(k) * math.Sqrt(float64(k)/float64(k-1)))
}

// bootstrap returns the sorted medians of resamples of whole blocks.
func (p pool) bootstrap(seed uint64) []float64 {
	random := rand.NewPCG(seed, 0)
	middle := len(p.values) / 2
	below := p.below(middle)
	medians := make([]float64, resamples)
	weights := make([]int, len(p.sizes))
	for i := range medians {
		clear(weights)
		total, before := 0, 0
		for range weights {
			b, _ := bits.Mul64(random.Uint64(), uint64(len(weights))) // even in [0, len)
			weights[b]++
			total += p.sizes[b]
			before += below[b]
		}
		medians[i] = p.weightedMedian(weights, total, middle, before)
	}
	slices.Sort(medians)
	return medians
}

// weightedMedian is the median where each sample counts as often as its block
// was drawn. Of the total, before lie in front of position at, from which the
// walk to the median is short.
func (p pool) weightedMedian(weights []int, total, at, before int) float64 {
	for 2*before >= total {
		at--
		before -= weights[p.block[at]]
	}
	for 2*(before+weights[p.block[at]]) < total {
		before += weights[p.block[at]]
		at++
	}
	low := p.values[at]
	if 2*(before+weights[p.block[at]]) > total {
		return low
	}
	for at++; weights[p.block[at]] == 0; at++ {
	}
	return lerp(low, p.values[at], 0.5)
}
