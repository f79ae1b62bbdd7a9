// Package number writes figures for people: in units and with digits that suit
// them, with the same digits in a column.
package number

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// None stands in a cell that has no figure.
const None = "-"

// Scale says how the figures of some columns are printed: in which unit, and
// with how many decimals.
type Scale struct {
	Unit     string
	Factor   float64 // from the unit of the metric to this one
	decimals int
}

// scales lists, by the unit of a metric, the units for people, large ones first.
var scales = map[string][]Scale{
	"s": {{"s", 1, 0}, {"ms", 1e3, 0}, {"µs", 1e6, 0}, {"ns", 1e9, 0}},
	"B": {{"MiB", 1.0 / (1 << 20), 0}, {"KiB", 1.0 / (1 << 10), 0}, {"B", 1, 0}},
	"":  {{"%", 100, 0}},
}

// wide is how far apart figures are that no unit suits alike.
const wide = 1000

// ScaleFor chooses the largest unit in which no figure is below 1, with three
// significant digits for the smallest; where figures are wide apart, the one that
// suits those in the middle. Figures of zero do not count.
func ScaleFor(unit string, values []float64) Scale {
	smallest, largest := math.Inf(1), 0.0
	for _, v := range values {
		if v > 0 {
			smallest, largest = min(smallest, v), max(largest, v)
		}
	}
	middle := smallest
	if largest > wide*smallest {
		middle = math.Sqrt(smallest * largest)
	}
	chosen := Scale{unit, 1, 0}
	for _, s := range scales[unit] {
		chosen = s
		if middle*s.Factor >= 1 {
			break
		}
	}
	chosen.decimals = decimals(smallest * chosen.Factor)
	switch chosen.Unit {
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

// Print writes a figure without its unit.
func (s Scale) Print(v float64) string {
	return strconv.FormatFloat(v*s.Factor, 'f', s.decimals, 64)
}

// WithUnit writes one figure with the unit that suits it.
func WithUnit(unit string, v float64) string {
	s := ScaleFor(unit, []float64{v})
	return s.Print(v) + " " + s.Unit
}

// Percent writes a share in percent with three significant digits at most.
func Percent(share float64) string {
	return strconv.FormatFloat(100*share, 'g', 3, 64) + " %"
}

// Signed writes a share in percent with its sign, and one decimal below 100 %.
func Signed(share float64) string {
	if math.Abs(share) >= 0.9995 {
		return fmt.Sprintf("%+.0f %%", 100*share)
	}
	return fmt.Sprintf("%+.1f %%", 100*share)
}

// Relative writes half the width of an interval as a share of its median.
func Relative(low, median, high float64) string {
	if median == 0 {
		return None
	}
	half := (high - low) / 2 / math.Abs(median)
	if half > 1 {
		return ">100%"
	}
	return fmt.Sprintf("±%.1f%%", 100*half)
}

// Count writes a number with its noun.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%s %ss", Grouped(n), noun)
}

// Grouped writes a whole number, not negative, with commas between thousands.
func Grouped(n int) string {
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

// Duration writes a length of time without zero parts: "60 min", "40 s".
func Duration(d time.Duration) string {
	switch {
	case d >= time.Minute && d%time.Minute == 0:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d >= time.Second && d%time.Second == 0:
		return fmt.Sprintf("%d s", d/time.Second)
	}
	return d.String()
}

// Published writes a published figure with the digits that were published.
func Published(unit string, v float64) string {
	switch {
	case unit == "%":
		return fmt.Sprintf("%+.2f %%", v)
	case scales[unit] != nil:
		return WithUnit(unit, v)
	}
	return strings.TrimSpace(fmt.Sprintf("%g %s", v, unit))
}

// PublishedCount writes a published number of whole things, none of its digits
// left out: "1,494 B".
func PublishedCount(unit string, v float64) string {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if v == math.Trunc(v) && v >= 0 && v < 1<<53 {
		text = Grouped(int(v))
	}
	return strings.TrimSpace(text + " " + unit)
}
