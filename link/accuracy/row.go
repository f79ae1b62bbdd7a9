package accuracy

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Bound says on which side of Want the figure may lie.
type Bound string

// The bounds.
const (
	About Bound = "about" // no further off than allowed
	Least Bound = "least" // not below
	Most  Bound = "most"  // not above
)

// Row is one thing that was measured.
type Row struct {
	Name    string  `json:"name"`
	Setting string  `json:"setting"` // the link, as --link takes it
	Bound   Bound   `json:"bound"`
	Want    float64 `json:"want"`
	Got     float64 `json:"got"`
	Unit    string  `json:"unit"`    // of Want, Got, Error and Allowed: s or bit/s; a share has none
	Error   float64 `json:"error"`   // Got - Want
	Allowed float64 `json:"allowed"` // the largest error that is within
	OK      bool    `json:"ok"`
	Note    string  `json:"note,omitempty"` // what else is to be known, or why there is no figure
}

// judge fills in what follows from the figure.
func (r *Row) judge(got float64) {
	r.Got, r.Error = got, got-r.Want
	switch r.Bound {
	case About:
		r.OK = math.Abs(r.Error) <= r.Allowed
	case Least:
		r.OK = r.Error >= -r.Allowed
	case Most:
		r.OK = r.Error <= r.Allowed
	}
}

// fail is a row without a figure that can be trusted.
func (r *Row) fail(why string) { r.OK, r.Note = false, why }

// level is the probability with which a true emulator's losses are within.
const level = 0.99

// interval is where the number of losses among n packets lies with the probability
// level, when each is lost with the probability p: as little as possible, but no
// more than half of the rest, is left on either side.
func interval(n int, p float64) (low, high int) {
	d := distuv.Binomial{N: float64(n), P: p}
	return reaches(d, (1-level)/2), reaches(d, (1+level)/2)
}

// reaches is the least number at which the distribution reaches a probability.
func reaches(d distuv.Binomial, probability float64) int {
	low, high := 0, int(d.N)
	for low < high {
		if middle := (low + high) / 2; d.CDF(float64(middle)) < probability {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}
