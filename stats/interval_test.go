package stats

import (
	"math"
	"slices"
	"testing"
)

// TestOrderIntervalSmall checks that six samples, whose range covers with 96.9 %,
// get nearly their range.
func TestOrderIntervalSmall(t *testing.T) {
	low, high := orderInterval([]float64{1, 2, 3, 4, 5, 6})
	share := (0.96875 - 0.95) / (0.96875 - 0.78125) // = 0.1
	step := 5 * share / (1 + 4*share)
	near(t, "low", low, 1+step, 1e-12)
	near(t, "high", high, 6-step, 1e-12)
}

func TestOrderIntervalLarge(t *testing.T) {
	sorted := make([]float64, 10001)
	for i := range sorted {
		sorted[i] = float64(i)
	}
	low, high := orderInterval(sorted)
	near(t, "low", low, 5000-0.98*100, 2e-4) // 1.96 sqrt(n)/2 ranks from the middle
	near(t, "high", high, 5000+0.98*100, 2e-4)
}

// TestWeightedMedian compares the walk along the pool with the median of the
// samples written out as often as their block was drawn.
func TestWeightedMedian(t *testing.T) {
	r := source(3)
	for range 2000 {
		blocks := make([][]float64, 1+r.IntN(6))
		for b := range blocks {
			for range 1 + r.IntN(4) {
				blocks[b] = append(blocks[b], float64(r.IntN(9)))
			}
		}
		p := newPool(blocks)
		at := len(p.values) / 2
		weights := make([]int, len(blocks))
		var total, before int
		var written []float64
		for range blocks {
			b := r.IntN(len(blocks))
			weights[b]++
			total += p.sizes[b]
			before += p.below(at)[b]
			written = append(written, blocks[b]...)
		}
		if got, want := p.weightedMedian(weights, total, at, before), median(written); got != want {
			t.Fatalf("median of %v weighted %v = %v, want %v", blocks, weights, got, want)
		}
	}
}

func TestExpandedTail(t *testing.T) {
	// t(9; 0.975) = 2.262157, times sqrt(10/9) is 2.384523.
	near(t, "tail of 10", expandedTail(10), 0.5*math.Erfc(2.384523/math.Sqrt2), 1e-4)
	if got := expandedTail(1000); got > 0.025 || got < 0.0245 {
		t.Errorf("tail of 1000 = %v, want nearly 0.025", got)
	}
}

// TestBlocksMatter checks that correlation inside blocks widens the interval.
func TestBlocksMatter(t *testing.T) {
	blocks := normal.blocks(source(5), 12, 50, 0.2)
	e, _ := Summarise(blocks, 1)
	low, high := orderInterval(slices.Sorted(slices.Values(slices.Concat(blocks...))))
	if e.High-e.Low < 2*(high-low) {
		t.Errorf("interval %v to %v, %v to %v without blocks", e.Low, e.High, low, high)
	}
}

func TestQuantile(t *testing.T) {
	sorted := []float64{1, 2, 4, 8}
	for p, want := range map[float64]float64{0: 1, 0.25: 1.75, 0.5: 3, 0.75: 5, 1: 8} {
		near(t, "quantile", quantile(sorted, p), want, 1e-15)
	}
	near(t, "upper spread", upperSpread([]float64{1, 2, 3, 5, 9}, 3), 2, 0)
}

func BenchmarkSummarise(b *testing.B) {
	blocks := logNormal.blocks(source(1), 50, 200, 0.1)
	for b.Loop() {
		Summarise(blocks, 1)
	}
}

func BenchmarkRelativeWidth(b *testing.B) {
	blocks := logNormal.blocks(source(1), 20, 50, 0.1)
	for b.Loop() {
		RelativeWidth(blocks, 1)
	}
}
