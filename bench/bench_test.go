//go:build unix

package main

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"shakedown/plan"
	"shakedown/stack/native"
)

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		low, high, limit float64
		most, least      verdict
	}{
		{1.00, 1.01, 1.02, pass, miss},
		{1.01, 1.03, 1.02, open, open},
		{1.03, 1.04, 1.02, miss, pass},
	} {
		if got := atMost(c.low, c.high, c.limit); got != c.most {
			t.Errorf("at most %v: (%v, %v) is %q, want %q", c.limit, c.low, c.high, got, c.most)
		}
		if got := atLeast(c.low, c.high, c.limit); got != c.least {
			t.Errorf("at least %v: (%v, %v) is %q, want %q", c.limit, c.low, c.high, got, c.least)
		}
	}
	if outcome([]verdict{pass, open, miss}) != errMissed || outcome([]verdict{pass, open}) != errOpen ||
		outcome([]verdict{pass}) != nil || outcome(nil) == nil {
		t.Error("the outcome is not that of the worst verdict")
	}
}

func TestMedian(t *testing.T) {
	x := []float64{3, 1, 2}
	if got := median(x); got != 2 || x[0] != 3 {
		t.Errorf("median of 3, 1, 2 is %v, and the slice is now %v", got, x)
	}
	if got := median([]float64{4, 1, 2, 3}); got != 2.5 {
		t.Errorf("median of 4, 1, 2, 3 is %v", got)
	}
	if !math.IsNaN(median(nil)) {
		t.Error("nothing has a median")
	}
}

// A ratio that varies by 1 % around 1.01 is estimated within a tenth of that
// from many rounds, and measuring stops when the interval is narrow.
func TestMeasureStops(t *testing.T) {
	n := 0
	f := effort{Time: time.Hour, Precision: 0.005}
	got, err := f.measure(func() (float64, error) {
		n++
		return 1.01 + 0.01*math.Sin(float64(7*n)), nil
	})
	if err != nil || n < 10 || n > 100 {
		t.Fatalf("stopped after %d rounds: %v", n, err)
	}
	if math.Abs(got.Ratio-1.01) > 0.005 || (got.High-got.Low)/2 > 0.005 {
		t.Errorf("got %+v", got)
	}
}

func TestPairAlternates(t *testing.T) {
	var order []int
	mark := func(i int) func() (int, error) {
		return func() (int, error) { order = append(order, i); return i, nil }
	}
	for k := range 2 {
		got, err := pair(k, [2]func() (int, error){mark(0), mark(1)})
		if err != nil || got != [2]int{0, 1} {
			t.Errorf("pair %d gave %v, %v", k, got, err)
		}
	}
	if want := []int{0, 1, 1, 0}; len(order) != 4 || [4]int(order) != [4]int(want) {
		t.Errorf("order %v, want %v", order, want)
	}
}

// 5 % of 100 are exceeded by chance in at most 2.5 % of experiments from 11 on:
// P(X > 10) = 0.0115, P(X > 9) = 0.0282 for the binomial distribution.
func TestCount(t *testing.T) {
	if got := byChance(100, 0.05); got != 10 {
		t.Errorf("by chance up to %d of 100, want 10", got)
	}
	for count, want := range map[int]verdict{0: pass, 5: pass, 6: open, 10: open, 11: miss} {
		if got := judgeCount(count, 100); got != want {
			t.Errorf("%d of 100 is %q, want %q", count, got, want)
		}
	}
}

func TestSignificant(t *testing.T) {
	const rows = `{"comparisons":null}
{"comparisons":[{"metric":"response","significant":true},{"metric":"client_cpu","significant":false},{"metric":"server_cpu","significant":true}]}
`
	got, err := significant([]byte(rows))
	if err != nil || len(got) != 2 || got[0] != "response" || got[1] != "server_cpu" {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := significant([]byte(`{"status":"failed"}`)); err == nil {
		t.Error("a run without comparisons counts")
	}
}

// The plan can be read and has two cases.
func TestAAPlan(t *testing.T) {
	text, err := planFor("openssl")
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Read("aa.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Comparisons) != len(aaMetrics) {
		t.Errorf("%d comparisons, want %d", len(p.Comparisons), len(aaMetrics))
	}
	if got := p.Cases[0].Axes["replica"]; len(got) != 2 {
		t.Errorf("replicas %v, want two", got)
	}
}

func TestCountHandshakes(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "Collecting connection statistics for 1 seconds\n": 0,
		"Collecting connection statistics for 1 seconds\n***":                      3,
		"Collecting connection statistics for 1 seconds\n****\n\n4 connections in": 4,
	} {
		if got := countHandshakes([]byte(text)); got != want {
			t.Errorf("%q has %d handshakes, want %d", text, got, want)
		}
	}
}

// The clock of a process is that of its own CPU time.
func TestCPUOf(t *testing.T) {
	before, err := cpuOf(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for after := before; after-before < 5*time.Millisecond; {
		if after, err = cpuOf(os.Getpid()); err != nil {
			t.Fatal(err)
		}
	}
}

// Every library has its bare loop, and it is operated as its driver is.
func TestBareLoops(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles four programs")
	}
	t.Chdir("..")
	for _, lib := range native.Libraries() {
		t.Run(lib.Name, func(t *testing.T) {
			var out bytes.Buffer
			e := &env{t.Context(), t.TempDir(), &out, &out}
			id, err := newIdentity(e)
			if err != nil {
				t.Fatal(err)
			}
			c := overheadCmd{Version: []string{"1.3", "1.2"}, Block: 1, effort: effort{Time: time.Nanosecond, Pairs: 1}}
			if _, err := c.library(e, lib, id); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(out.String(), "not here") {
				t.Skip(out.String())
			}
			if n := strings.Count(out.String(), "\n"+lib.Name) + 1; n < 2 {
				t.Errorf("%d lines, want one for each version:\n%s", n, out.String())
			}
		})
	}
}
