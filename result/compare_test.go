package result

import (
	"math"
	"testing"

	"shakedown/plan"
	"shakedown/spec"
	"shakedown/stats"
)

func row(id string, c spec.Case, mean float64) Row {
	return Row{ID: id, Status: OK, Case: c, Metrics: map[string]Metric{
		"response": {Estimate: stats.Estimate{Median: mean, Mean: mean}},
	}}
}

// TestAnnotate: the paper's way to state a gain (a time of 1/1.3994 is
// +39.94 %), only between cases that differ in the named fields alone.
func TestAnnotate(t *testing.T) {
	p := &plan.Plan{Comparisons: []plan.Comparison{{
		Metric: "response", Statistic: "mean", Base: plan.Where{"version": "1.2"},
		Against: []plan.Target{{Case: plan.Where{"version": "1.3"}, Published: &plan.Published{Value: 39.94}}},
	}}}
	rows := []Row{
		row("base", spec.Case{Client: "go", Version: "1.2"}, 1),
		row("target", spec.Case{Client: "go", Version: "1.3"}, 1/1.3994),
		row("other stack", spec.Case{Client: "openssl", Version: "1.3"}, 1),
	}
	var blocks []Block
	for i := range 10 {
		slow, fast := 1+float64(i)/100, (1+float64(i)/100)/1.4
		blocks = append(blocks,
			Block{Case: "base", Number: i, Metrics: map[string][]float64{"response": {slow}}},
			Block{Case: "target", Number: i, Metrics: map[string][]float64{"response": {fast}}})
	}
	Annotate(p, rows, blocks)
	if len(rows[0].Comparisons) != 0 || len(rows[2].Comparisons) != 0 {
		t.Error("compared a base with itself or two stacks with each other")
	}
	if len(rows[1].Comparisons) != 1 {
		t.Fatalf("%d comparisons, want 1", len(rows[1].Comparisons))
	}
	c := rows[1].Comparisons[0]
	if math.Abs(c.Gain-0.3994) > 1e-9 || c.Base != "base" || c.Published.Value != 39.94 {
		t.Errorf("comparison %+v", c)
	}
	if !c.Significant || math.Abs(c.Low-0.4) > 1e-6 || math.Abs(c.High-0.4) > 1e-6 {
		t.Errorf("interval %v to %v, significant %v: want 0.4", c.Low, c.High, c.Significant)
	}
}

func TestFigures(t *testing.T) {
	p := &plan.Plan{Published: []plan.Figure{{Case: plan.Where{"size": "14"}, Published: plan.Published{Value: 35}}}}
	if got := Figures(p, spec.Case{Size: 14}); len(got) != 1 || got[0].Value != 35 {
		t.Errorf("got %v", got)
	}
	if got := Figures(p, spec.Case{Size: 15}); got != nil {
		t.Errorf("another case got %v", got)
	}
}
