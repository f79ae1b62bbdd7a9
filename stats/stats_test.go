package stats

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// near fails unless got is want to within a relative error.
func near(t *testing.T, what string, got, want, relative float64) {
	t.Helper()
	if !(math.Abs(got-want) <= relative*math.Abs(want)) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// singles makes a block of each sample.
func singles(samples ...float64) (blocks [][]float64) {
	for _, s := range samples {
		blocks = append(blocks, []float64{s})
	}
	return blocks
}

// warned fails unless there is exactly one warning and it contains text.
func warned(t *testing.T, warnings []string, text string) {
	t.Helper()
	if len(warnings) != 1 || !strings.Contains(warnings[0], text) {
		t.Errorf("warnings %q, want one with %q", warnings, text)
	}
}

func TestSummariseKnown(t *testing.T) {
	e, warnings := Summarise(singles(8, 1, 3, 2, 5, 7, 4, 6, 10, 9), 1)
	if len(warnings) > 0 {
		t.Errorf("warnings: %q", warnings)
	}
	near(t, "median", e.Median, 5.5, 0)
	near(t, "mean", e.Mean, 5.5, 1e-15)
	near(t, "sd", e.SD, math.Sqrt(82.5/9), 1e-15)
	near(t, "p95", e.P95, 9.55, 1e-15) // rank 1 + 9 x 0.95 = 9.55
	near(t, "p99", e.P99, 9.91, 1e-15)
	// Of 10 samples the 2nd and 9th enclose the median with 1-2(1+10)/1024 =
	// 0.978516, the 3rd and 8th with 1-2(1+10+45)/1024 = 0.890625.
	share := (0.978515625 - 0.95) / (0.978515625 - 0.890625)
	step := 8 * share / (2 + 6*share)
	near(t, "low", e.Low, 2+step, 1e-12)
	near(t, "high", e.High, 9-step, 1e-12)
	if e.Min != 1 || e.Max != 10 || e.N != 10 || e.Level != 0.95 || e.Unit != "" {
		t.Errorf("estimate %+v", e)
	}
}

func TestSummariseFew(t *testing.T) {
	e, warnings := Summarise([][]float64{{3}, {1, 2}}, 1)
	warned(t, warnings, "need >= 6 samples for an interval at level 0.95")
	if e.Low != 1 || e.High != 3 || e.Median != 2 {
		t.Errorf("estimate %+v", e)
	}
	e, warnings = Summarise([][]float64{{7}}, 1)
	warned(t, warnings, "need >= 6")
	if e.Low != 7 || e.High != 7 || e.SD != 0 || e.Mean != 7 || e.P99 != 7 {
		t.Errorf("estimate of one sample %+v", e)
	}
	e, warnings = Summarise(nil, 1)
	warned(t, warnings, "no samples")
	if e != (Estimate{Level: Level}) {
		t.Errorf("estimate of nothing %+v", e)
	}
	_, warnings = Summarise([][]float64{{1, 2, 3, 4, 5, 6, 7}}, 1)
	warned(t, warnings, "one block")
}

func TestSummariseRefuses(t *testing.T) {
	dirty := [][]float64{{1, math.NaN(), 2}, {math.Inf(1)}, nil, {3, 4, math.Inf(-1)}, {5, 6, 1e300}}
	kept := slices.Clone(dirty[0])
	e, warnings := Summarise(dirty, 1)
	warned(t, warnings, "refused 4 samples")
	if e.N != 6 || e.Max != 6 {
		t.Errorf("estimate %+v", e)
	}
	if dirty[0][0] != kept[0] || dirty[0][2] != kept[2] || len(dirty[0]) != 3 {
		t.Errorf("the caller's samples changed: %v", dirty[0])
	}
}

func TestJSONNames(t *testing.T) {
	text, err := json.Marshal(Estimate{Unit: "s", N: 3})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"unit":"s","median":0,"low":0,"high":0,"level":0,"mean":0,"sd":0,"p95":0,"p99":0,"min":0,"max":0,"n":3}`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
}

func TestDeterministic(t *testing.T) {
	blocks := normal.blocks(source(1), 12, 30, 0.5)
	first, _ := Summarise(blocks, 7)
	again, _ := Summarise(blocks, 7)
	other, _ := Summarise(blocks, 8)
	if first != again {
		t.Errorf("same seed, different estimates: %+v and %+v", first, again)
	}
	if first == other {
		t.Error("another seed drew the same resamples")
	}
	near(t, "half width", RelativeWidth(blocks, 7), (first.High-first.Low)/2/first.Median, 1e-15)
}

func TestRelativeWidth(t *testing.T) {
	for _, blocks := range [][][]float64{nil, singles(1, 2, 3, 4, 5), singles(-2, -1, 0, 0, 0, 1, 2)} {
		if w := RelativeWidth(blocks, 1); !math.IsInf(w, 1) {
			t.Errorf("width of %v = %v, want +Inf", blocks, w)
		}
	}
	near(t, "width of equal samples", RelativeWidth(singles(3, 3, 3, 3, 3, 3), 1), 0, 0)
	narrow := RelativeWidth(normal.blocks(source(1), 40, 20, 0), 1)
	wide := RelativeWidth(normal.blocks(source(1), 10, 20, 0), 1)
	if !(narrow < wide) {
		t.Errorf("width %v of 40 blocks, %v of 10", narrow, wide)
	}
}

func FuzzSummarise(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 9}, uint8(1))
	f.Add(make([]byte, 800), uint8(7))
	f.Add(binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.NaN())), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, size uint8) {
		var samples []float64
		for ; len(data) >= 8; data = data[8:] {
			samples = append(samples, math.Float64frombits(binary.LittleEndian.Uint64(data)))
		}
		blocks := slices.Collect(slices.Chunk(samples, int(size)%40+1))
		e, _ := Summarise(blocks, 1)
		if !(e.Min <= e.Low && e.Low <= e.Median && e.Median <= e.High && e.High <= e.Max) {
			t.Errorf("out of order: %+v", e)
		}
		mirrored := slices.Clone(blocks)
		slices.Reverse(mirrored)
		c, _ := Compare(blocks, mirrored, 1)
		for _, v := range []any{e, c} {
			if _, err := json.Marshal(v); err != nil {
				t.Errorf("%+v: %v", v, err)
			}
		}
		Drift(blocks)
		Outliers(samples)
		RelativeWidth(blocks, 1)
	})
}
