package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// none stands in a cell that has no figure.
const none = "-"

// scale says how the figures of some columns are printed: in which unit, and
// with how many decimals.
type scale struct {
	unit     string
	factor   float64
	decimals int
}

// scales lists, by the unit of a metric, the units for people, large ones first.
var scales = map[string][]scale{
	"s": {{"s", 1, 0}, {"ms", 1e3, 0}, {"µs", 1e6, 0}, {"ns", 1e9, 0}},
	"B": {{"MiB", 1.0 / (1 << 20), 0}, {"KiB", 1.0 / (1 << 10), 0}, {"B", 1, 0}},
	"":  {{"%", 100, 0}},
}

// scaleFor chooses the largest unit in which no figure is below 1, with three
// significant digits for the smallest. Figures of zero do not count.
func scaleFor(unit string, values []float64) scale {
	smallest := math.Inf(1)
	for _, v := range values {
		if v > 0 {
			smallest = min(smallest, v)
		}
	}
	chosen := scale{unit, 1, 0}
	for _, s := range scales[unit] {
		chosen = s
		if smallest*s.factor >= 1 {
			break
		}
	}
	chosen.decimals = decimals(smallest * chosen.factor)
	switch chosen.unit {
	case "B":
		chosen.decimals = 0
	case "%":
		chosen.decimals = 1
	}
	return chosen
}

// decimals gives a figure three significant digits, and two decimals at most.
func decimals(v float64) int {
	switch {
	case v >= 99.95:
		return 0
	case v >= 9.995:
		return 1
	}
	return 2
}

// print writes a figure without its unit.
func (s scale) print(v float64) string {
	return strconv.FormatFloat(v*s.factor, 'f', s.decimals, 64)
}

// withUnit writes one figure with the unit that suits it.
func withUnit(unit string, v float64) string {
	s := scaleFor(unit, []float64{v})
	return s.print(v) + " " + s.unit
}

// percent writes a share in percent with three significant digits at most.
func percent(share float64) string {
	return strconv.FormatFloat(100*share, 'g', 3, 64) + " %"
}

// signed writes a share in percent with its sign, and one decimal below 100 %.
func signed(share float64) string {
	if math.Abs(share) >= 0.9995 {
		return fmt.Sprintf("%+.0f %%", 100*share)
	}
	return fmt.Sprintf("%+.1f %%", 100*share)
}

// relative writes half the width of an interval as a share of its median.
func relative(low, median, high float64) string {
	if median == 0 {
		return none
	}
	half := (high - low) / 2 / math.Abs(median)
	if half > 1 {
		return ">100%"
	}
	return fmt.Sprintf("±%.1f%%", 100*half)
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%s %ss", grouped(n), noun)
}

// grouped writes a whole number, not negative, with commas between thousands.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	var out strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out.WriteByte(',')
		}
		out.WriteRune(d)
	}
	return out.String()
}

// duration writes a length of time without zero parts: "60 min", "40 s".
func duration(d time.Duration) string {
	switch {
	case d >= time.Minute && d%time.Minute == 0:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d >= time.Second && d%time.Second == 0:
		return fmt.Sprintf("%d s", d/time.Second)
	}
	return d.String()
}

// all joins words as in a sentence: "a, b and c".
func all(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
