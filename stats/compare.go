package stats

import (
	"fmt"
	"math"
	"slices"
)

// Comparison says how the metric of case b relates to that of case a, measured
// in interleaved blocks.
type Comparison struct {
	Ratio       float64 `json:"ratio"` // of medians, b/a; 0 if there is no pair
	Low         float64 `json:"low"`   // lower end of the interval at Level
	High        float64 `json:"high"`  // upper end of the interval at Level
	P           float64 `json:"p"`     // two-sided, Wilcoxon signed-rank
	Pairs       int     `json:"pairs"`
	Significant bool    `json:"significant"` // P <= 1-Level and the interval excludes 1
}

// Compare sets two cases side by side, block i of b against block i of a. The
// ratio is the Hodges-Lehmann estimate over the ratios of block medians (on the
// log scale, so that Compare(b, a) is the reciprocal), the interval the
// inversion of the Wilcoxon signed-rank test, whose false-positive rate is
// exact where a and b differ in nothing. This method needs no random numbers; the
// seed is there so that callers need not know.
// Blocks missing on one side, and those whose median is not positive, are left
// out with a warning.
func Compare(a, b [][]float64, _ uint64) (Comparison, []string) {
	logs, warnings := logRatios(a, b)
	c := Comparison{P: 1, Pairs: len(logs)}
	if len(logs) == 0 {
		return c, append(warnings, "no pairs of blocks to compare")
	}
	slices.Sort(logs)
	middle, low, high := hodgesLehmann(logs)
	c.Ratio, c.Low, c.High = math.Exp(middle), math.Exp(low), math.Exp(high)
	c.P = signedRank(logs)
	if c.Pairs < MinSamples {
		return c, append(warnings, fmt.Sprintf("need >= %d pairs of blocks for a comparison at level %v", MinSamples, Level))
	}
	c.Significant = c.P <= 1-Level && (c.Low > 1 || c.High < 1)
	return c, warnings
}

// logRatios returns log(median b / median a) of each pair of blocks.
func logRatios(a, b [][]float64) (logs []float64, warnings []string) {
	missing, improper, refused := max(len(a), len(b))-min(len(a), len(b)), 0, 0
	for i := range min(len(a), len(b)) {
		x, y := finite(a[i]), finite(b[i])
		refused += len(a[i]) - len(x) + len(b[i]) - len(y)
		if len(x) == 0 || len(y) == 0 {
			if len(x) != len(y) {
				missing++
			}
			continue
		}
		before, after := median(x), median(y)
		if min(before, after) < 1/limit {
			improper++
			continue
		}
		logs = append(logs, math.Log(after/before))
	}
	return logs, append(refusal(refused), leftOut(missing, improper)...)
}

// leftOut is the warnings about blocks that make no pair.
func leftOut(missing, improper int) (warnings []string) {
	if missing > 0 {
		warnings = append(warnings, fmt.Sprintf("left out %s missing on one side", count(missing, "block")))
	}
	if improper > 0 {
		warnings = append(warnings, fmt.Sprintf("left out %s whose median is not positive", count(improper, "pair")))
	}
	return warnings
}
