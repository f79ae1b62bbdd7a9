package page

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"shakedown/report/internal/number"
)

// axis maps figures to places between 0 and 100 % of a picture's width.
type axis struct {
	low, high float64
	log       bool
	scale     number.Scale // in which ticks are labelled
}

// wide is the ratio of the largest figure to the smallest from which an axis is
// logarithmic: on a linear one the small figures would be one dot.
const wide = 12

// newAxis spans values, those that are not positive left out. A linear axis
// begins at 0 where lengths are compared from there, else at the smallest value.
func newAxis(s number.Scale, values []float64, fromZero bool) axis {
	low, high := math.Inf(1), 0.0
	for _, v := range values {
		if v > 0 && !math.IsInf(v, 1) {
			low, high = min(low, v), max(high, v)
		}
	}
	if high == 0 {
		low, high = 1, 1
	}
	a := axis{low, high, high/low >= wide, s}
	switch {
	case a.log:
		a.low, a.high = low/1.15, high*1.15
	case fromZero:
		a.low, a.high = 0, high*1.04
	default:
		margin := max((high-low)*0.04, high*0.001)
		a.low, a.high = low-margin, high+margin
	}
	return a
}

// newBars spans bars of that length at most: linear, from zero, whatever their
// ratio, since lengths are compared.
func newBars(s number.Scale, longest int) axis {
	return axis{0, float64(max(longest, 1)) * 1.04, false, s}
}

// share is where a figure lies, from 0 to 1; what lies outside is at the edge.
func (a axis) share(v float64) float64 {
	x := (v - a.low) / (a.high - a.low)
	if a.log {
		x = math.Log(max(v, a.low)/a.low) / math.Log(a.high/a.low)
	}
	if !(x > 0) {
		return 0
	}
	return min(x, 1)
}

// at is where a figure lies, in percent with two decimals.
func (a axis) at(v float64) string {
	return strconv.FormatFloat(math.Round(1e4*a.share(v))/100, 'f', -1, 64)
}

// tick is a labelled place of an axis.
type tick struct{ At, Text, Anchor string }

// ticks are round figures in the unit of the axis, some five.
func (a axis) ticks() []tick {
	values := a.steps()
	if a.log {
		values = a.decades()
	}
	var out []tick
	for _, v := range values {
		t := tick{a.at(v / a.scale.Factor), tickText(v), "middle"}
		switch x := a.share(v / a.scale.Factor); {
		case x < 0.03:
			t.Anchor = "start"
		case x > 0.97:
			t.Anchor = "end"
		}
		out = append(out, t)
	}
	return out
}

// tickText writes a round figure, without the noise of its last digits.
func tickText(v float64) string {
	if v >= 1e7 || v < 1e-4 {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64)
}

// steps are multiples of 1, 2 or 5 times a power of ten.
func (a axis) steps() []float64 {
	low, high := a.low*a.scale.Factor, a.high*a.scale.Factor
	step := math.Pow(10, math.Floor(math.Log10((high-low)/5)))
	for _, times := range []float64{1, 2, 5, 10} {
		if (high-low)/(step*times) <= 6 {
			step *= times
			break
		}
	}
	var out []float64
	for n := math.Ceil(low / step); n*step <= high && len(out) < 8; n++ {
		out = append(out, n*step)
	}
	return out
}

// decades are powers of ten, with multiples of them where there are few.
func (a axis) decades() []float64 {
	low, high := a.low*a.scale.Factor, a.high*a.scale.Factor
	span := math.Log10(high / low)
	times, every := []float64{1}, max(1, math.Ceil(span/6))
	switch {
	case span < 1.7:
		times = []float64{1, 2, 5}
	case span < 3.5:
		times = []float64{1, 3}
	}
	var out []float64
	for e := math.Floor(math.Log10(low)); math.Pow(10, e) <= high && len(out) < 12; e += every {
		for _, t := range times {
			if v := t * math.Pow(10, e); v >= low && v <= high {
				out = append(out, v)
			}
		}
	}
	return out
}

// Size of a hill, in the units of its path.
const (
	bins   = 80
	height = 24
)

// hill is the outline of a histogram of samples over the axis as an SVG path,
// its peak at the full height. Samples beyond the axis are not in it.
func (a axis) hill(samples []float64) string {
	var counts [bins]int
	peak := 0
	for _, v := range samples {
		if v < a.low || v > a.high || math.IsNaN(v) {
			continue
		}
		i := min(int(a.share(v)*bins), bins-1)
		counts[i]++
		peak = max(peak, counts[i])
	}
	if peak == 0 {
		return ""
	}
	var path strings.Builder
	last := 0
	fmt.Fprintf(&path, "M0 %d", height)
	for i, n := range counts {
		top := n * height * 10 / peak
		if n > 0 {
			top = max(top, 10) // a single sample is seen, too
		}
		if top != last {
			fmt.Fprintf(&path, "H%dV%g", i, float64(height*10-top)/10)
			last = top
		}
	}
	fmt.Fprintf(&path, "H%dV%dZ", bins, height)
	return path.String()
}
