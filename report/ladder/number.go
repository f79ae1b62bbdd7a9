package ladder

import (
	"math"
	"strconv"
	"strings"

	"shakedown/result"
)

// unknown stands for a figure that cannot be true, none for one that is not there.
const (
	unknown = "?"
	none    = "-"
)

// largest is the largest number that is written digit by digit.
const largest = 9_999_999

// figure writes a whole number with commas between thousands, in 9 characters at
// most.
func figure(n int) string {
	switch {
	case n < 0:
		return unknown
	case n > largest:
		return strconv.FormatFloat(float64(n), 'g', 3, 64)
	}
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

// count writes a number with its noun.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return figure(n) + " " + noun
}

// octets writes a number of bytes with its unit.
func octets(n int) string { return figure(n) + " B" }

// clock says how times are written: all in one unit, with the same decimals.
type clock struct {
	unit     string
	factor   float64
	decimals int
}

// clocks lists the ways of writing by the latest time in s that they are good for.
var clocks = []struct {
	below float64
	clock
}{
	{0.001, clock{"µs", 1e6, 0}},
	{0.01, clock{"ms", 1e3, 3}},
	{0.1, clock{"ms", 1e3, 2}},
	{1, clock{"ms", 1e3, 1}},
	{math.Inf(1), clock{"s", 1, 3}},
}

// clockFor chooses by the latest of the messages.
func clockFor(messages []result.Message) clock {
	latest := 0.0
	for _, m := range messages {
		if !math.IsNaN(m.Time) && !math.IsInf(m.Time, 0) {
			latest = max(latest, math.Abs(m.Time))
		}
	}
	for _, c := range clocks {
		if latest < c.below {
			return c.clock
		}
	}
	return clock{"s", 1, 3}
}

// print writes a time in s, in 9 characters at most.
func (c clock) print(s float64) string {
	if math.IsNaN(s) || math.IsInf(s, 0) {
		return unknown
	}
	if math.Abs(s) >= 1e4 {
		return strconv.FormatFloat(s*c.factor, 'g', 3, 64)
	}
	return strconv.FormatFloat(s*c.factor, 'f', c.decimals, 64)
}

// percent writes n as a share of a sum; nothing where there is no sum.
func percent(n, sum int) string {
	if sum <= 0 || n < 0 || n > sum {
		return ""
	}
	return strconv.FormatFloat(100*float64(n)/float64(sum), 'f', 1, 64) + " %"
}
