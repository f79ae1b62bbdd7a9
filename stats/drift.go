package stats

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Thresholds of the warnings, chosen so that steady data gives about one
// warning in a thousand cases.
const (
	driftBlocks    = 10   // blocks below which no trend is judged
	driftPoints    = 200  // points above which neighbouring blocks are joined
	driftP         = 3e-4 // p value of a trend or a step
	driftChange    = 0.02 // smallest trend told, as a share of the level
	stepChange     = 0.05 // smallest step told, as a share of the level
	stepSide       = 3    // blocks on either side of a step
	outlierSamples = 50   // samples below which outliers are not judged
	outlierSpread  = 10   // distance of an outlier from the median, in spreads
	outlierShare   = 0.02 // share of outliers told
	outlierMean    = 0.15 // rise of the mean by outliers told
)

// Drift warns of a level that changes over the blocks, given in the order of
// measurement: of a step (throttling, where it goes up) or else of a trend. It
// judges block medians: a step by Student's t between the two sides of the best
// split, corrected for the number of splits; a trend by the Mann-Kendall test,
// told by its Theil-Sen slope.
func Drift(blocks [][]float64) []string {
	blocks, _ = clean(blocks)
	m, per := points(medians(blocks))
	if len(m) < driftBlocks || median(m) <= 0 {
		return nil
	}
	if after, change, found := step(m); found {
		return []string{stepWarning(after*per, change)}
	}
	change := theilSen(m) * float64(len(m)-1) / median(m)
	if math.Abs(change) < driftChange || mannKendall(m) > driftP {
		return nil
	}
	return []string{fmt.Sprintf("drift: block medians %s from first to last", moved(change))}
}

// points joins neighbouring block medians to their median where there are more
// than driftPoints, and returns how many blocks make a point.
func points(m []float64) (joined []float64, per int) {
	per = (len(m) + driftPoints - 1) / driftPoints
	if per <= 1 {
		return m, 1
	}
	for group := range slices.Chunk(m, per) {
		joined = append(joined, median(group))
	}
	return joined, per
}

// stepWarning tells of a step after that many blocks.
func stepWarning(after int, change float64) string {
	if change > 0 {
		return fmt.Sprintf("throttled after block %d: block medians %s", after, moved(change))
	}
	return fmt.Sprintf("faster after block %d: block medians %s", after, moved(change))
}

// moved says which way and how far in percent.
func moved(change float64) string {
	verb := "rose"
	if change < 0 {
		verb = "fell"
	}
	return verb + " " + percent(math.Abs(change))
}

// percent writes a share in percent, with a decimal below ten.
func percent(share float64) string {
	if share < 0.0995 {
		return fmt.Sprintf("%.1f %%", 100*share)
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}

// step finds the split of m into two levels that leaves the least variance. It
// is found where the levels differ clearly and fit better than a straight line.
func step(m []float64) (after int, change float64, found bool) {
	best := math.Inf(1)
	for k := stepSide; k <= len(m)-stepSide; k++ {
		if rest := squares(m[:k]) + squares(m[k:]); rest < best {
			best, after = rest, k
		}
	}
	before, behind := stat.Mean(m[:after], nil), stat.Mean(m[after:], nil)
	change = behind/before - 1
	n := float64(len(m))
	splits := n - 2*stepSide + 1
	error2 := best / (n - 2) * (1/float64(after) + 1/(n-float64(after)))
	t := math.Abs(behind-before) / math.Sqrt(error2)
	p := 2 * splits * distuv.StudentsT{Sigma: 1, Nu: n - 2}.Survival(t)
	return after, change, p <= driftP && math.Abs(change) >= stepChange && best < lineSquares(m)
}

// squares is the sum of squared distances from the mean.
func squares(m []float64) float64 {
	mean := stat.Mean(m, nil)
	var sum float64
	for _, v := range m {
		sum += (v - mean) * (v - mean)
	}
	return sum
}

// lineSquares is the sum of squared distances from the least-squares line over
// the index.
func lineSquares(m []float64) float64 {
	index := make([]float64, len(m))
	for i := range index {
		index[i] = float64(i)
	}
	r := stat.Correlation(index, m, nil)
	return squares(m) * (1 - r*r)
}

// theilSen returns the median slope between all pairs of values, per step.
func theilSen(m []float64) float64 {
	slopes := make([]float64, 0, len(m)*(len(m)-1)/2)
	for i := range m {
		for j := i + 1; j < len(m); j++ {
			slopes = append(slopes, (m[j]-m[i])/float64(j-i))
		}
	}
	slices.Sort(slopes)
	return quantile(slopes, 0.5)
}

// mannKendall returns the two-sided p value of the Mann-Kendall test for a
// trend, normal approximation with tie and continuity correction (Kendall, "Rank
// Correlation Methods", 1975).
func mannKendall(m []float64) float64 {
	score := 0
	for i := range m {
		for j := i + 1; j < len(m); j++ {
			score += cmp.Compare(m[j], m[i])
		}
	}
	term := func(n int) float64 { return float64(n) * float64(n-1) * float64(2*n+5) / 18 }
	variance := term(len(m))
	for _, t := range ties(m) {
		variance -= term(t)
	}
	if score == 0 || variance <= 0 {
		return 1
	}
	z := (math.Abs(float64(score)) - 1) / math.Sqrt(variance)
	return min(1, 2*distuv.UnitNormal.Survival(z))
}

// ties returns how often each different value occurs.
func ties(values []float64) (sizes []int) {
	counts := map[float64]int{}
	for _, v := range values {
		counts[v]++
	}
	return slices.Collect(maps.Values(counts))
}

// Outliers warns of samples far above the rest: above the median by more than
// ten times the median distance of the upper half from it (for symmetric data
// the median absolute deviation, at least 1 % of the median), if they are 2 %
// of the samples or raise the mean by 15 %.
func Outliers(samples []float64) []string {
	samples = finite(samples)
	if len(samples) < outlierSamples {
		return nil
	}
	m := median(samples)
	bound := m + outlierSpread*max(upperSpread(samples, m), math.Abs(m)/100)
	far := slices.DeleteFunc(slices.Clone(samples), func(x float64) bool { return x <= bound })
	if len(far) == 0 || m <= 0 {
		return nil
	}
	rest := slices.DeleteFunc(slices.Clone(samples), func(x float64) bool { return x > bound })
	share := float64(len(far)) / float64(len(samples))
	rise := stat.Mean(samples, nil)/stat.Mean(rest, nil) - 1
	if share < outlierShare && !(rise >= outlierMean) {
		return nil
	}
	return []string{fmt.Sprintf("outliers: %d of %d samples (%s) above %.1f times the median, up to %.1f times; they raise the mean by %s",
		len(far), len(samples), percent(share), bound/m, slices.Max(far)/m, percent(rise))}
}
