//go:build unix

package main

import (
	"time"

	"shakedown/stats"
)

// effort says how long to measure one thing. What is independent of each other
// are rounds: in each all processes are started anew, so that where their
// memory happens to lie differs, too.
type effort struct {
	Time      time.Duration `default:"40s" help:"At most so long for each line, but at least 10 rounds."`
	Precision float64       `default:"0.003" help:"A line is over when half the width of its interval is this."`
	Pairs     int           `default:"${pairs}" help:"Pairs of measurements in a round."`
}

// measure makes rounds, each of which gives a ratio, until they are enough.
func (f effort) measure(round func() (float64, error)) (stats.Comparison, error) {
	var ratios []float64
	for end := time.Now().Add(f.Time); ; {
		r, err := round()
		if err != nil {
			return stats.Comparison{}, err
		}
		ratios = append(ratios, r)
		c := ratio(ratios)
		if len(ratios) >= stats.MinBlocks && ((c.High-c.Low)/2 <= f.Precision || time.Now().After(end)) {
			return c, nil
		}
	}
}

// pair makes two measurements, one or the other first by turns.
func pair[T any](k int, both [2]func() (T, error)) ([2]T, error) {
	var out [2]T
	for i := range both {
		which := (k + i) % 2
		m, err := both[which]()
		if err != nil {
			return out, err
		}
		out[which] = m
	}
	return out, nil
}

// ratio estimates a ratio from that of each round: the Hodges-Lehmann estimate
// with the interval of the Wilcoxon signed-rank test (docs/stats.md).
func ratio(rounds []float64) stats.Comparison {
	ones, ratios := make([][]float64, len(rounds)), make([][]float64, len(rounds))
	for i, r := range rounds {
		ones[i], ratios[i] = []float64{1}, []float64{r}
	}
	c, _ := stats.Compare(ones, ratios, 0)
	return c
}
