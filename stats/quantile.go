package stats

import (
	"math"
	"slices"
)

// quantile returns the p-quantile (type 7) of sorted, which is not empty.
func quantile(sorted []float64, p float64) float64 {
	h := p * float64(len(sorted)-1)
	i := int(h)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return lerp(sorted[i], sorted[i+1], h-float64(i))
}

// lerp goes from a to b as t goes from 0 to 1 and never leaves [a, b].
func lerp(a, b, t float64) float64 {
	if a == b {
		return a
	}
	return (1-t)*a + t*b
}

// median returns the median of values, which is not empty, and leaves their order.
func median(values []float64) float64 {
	return quantile(slices.Sorted(slices.Values(values)), 0.5)
}

// medians returns the median of each block; no block is empty.
func medians(blocks [][]float64) []float64 {
	m := make([]float64, len(blocks))
	for i, block := range blocks {
		m[i] = median(block)
	}
	return m
}

// upperSpread returns the median distance from m of the values at or above it:
// the median absolute deviation of the upper half, which a long but regular
// tail widens and a few outliers do not.
func upperSpread(values []float64, m float64) float64 {
	var above []float64
	for _, v := range values {
		if v >= m {
			above = append(above, math.Abs(v-m))
		}
	}
	return median(above)
}
