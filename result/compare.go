package result

import (
	"fmt"
	"math"
	"strings"

	"shakedown/plan"
	"shakedown/spec"
	"shakedown/stats"
)

// Comparison sets a row against a base row of the same run.
type Comparison struct {
	Title     string  `json:"title"`
	Metric    string  `json:"metric"`
	Statistic string  `json:"statistic"` // "median" or "mean"
	Base      string  `json:"base"`      // ID of the base row
	Gain      float64 `json:"gain"`      // base / this − 1: so many more in the same time, as a share
	Low       float64 `json:"low"`       // 95 % interval of the gain of the block medians
	High      float64 `json:"high"`
	// Significant: the blocks, paired by their number, differ beyond chance.
	Significant bool            `json:"significant"`
	Published   *plan.Published `json:"published,omitempty"`
	Warnings    []string        `json:"warnings,omitempty"`
}

// Annotate puts the comparisons of the plan and its published figures into the
// rows. blocks are the journal of the run.
func Annotate(p *plan.Plan, rows []Row, blocks []Block) {
	samples := byMetric(blocks)
	for i := range rows {
		rows[i].Published = Figures(p, rows[i].Case)
		rows[i].Comparisons = nil
		for _, c := range p.Comparisons {
			rows[i].compare(c, rows, samples)
		}
	}
}

// Figures lists the published figures of the plan that belong to a case.
func Figures(p *plan.Plan, c spec.Case) []plan.Published {
	var out []plan.Published
	for _, f := range p.Published {
		if f.Belongs(c) {
			out = append(out, f.Published)
		}
	}
	return out
}

// blockSamples holds, of each case and metric, the samples by block number.
type blockSamples map[[2]string][][]float64

func byMetric(blocks []Block) blockSamples {
	out := blockSamples{}
	for _, b := range blocks {
		if b.Number < 0 {
			continue
		}
		for metric, values := range b.Metrics {
			key := [2]string{b.Case, metric}
			for len(out[key]) <= b.Number {
				out[key] = append(out[key], nil)
			}
			out[key][b.Number] = values
		}
	}
	return out
}

// compare adds the comparisons in which this row is the target.
func (r *Row) compare(c plan.Comparison, rows []Row, samples blockSamples) {
	for _, target := range c.Against {
		if r.Status != OK || !target.Case.Matches(r.Case) {
			continue
		}
		for _, base := range rows {
			if base.Status == OK && base.ID != r.ID && c.Base.Matches(base.Case) && comparable(base.Case, r.Case, c, target) {
				r.Comparisons = append(r.Comparisons, against(c, target, base, *r, samples))
			}
		}
	}
}

// comparable: the two cases differ in the fields that the comparison names, and
// in no other.
func comparable(base, other spec.Case, c plan.Comparison, t plan.Target) bool {
	for _, field := range spec.Differences([]spec.Case{base, other}) {
		_, inBase := c.Base[field]
		_, inTarget := t.Case[field]
		if !inBase && !inTarget {
			return false
		}
	}
	return true
}

func against(c plan.Comparison, t plan.Target, base, other Row, samples blockSamples) Comparison {
	out := Comparison{Title: c.Title, Metric: c.Metric, Statistic: "median", Base: base.ID, Published: t.Published}
	from, to := base.Metrics[c.Metric], other.Metrics[c.Metric]
	a, b := from.Median, to.Median
	if c.Statistic == "mean" {
		out.Statistic, a, b = "mean", from.Mean, to.Mean
	}
	out.Gain = gain(a, b)
	cmp, warnings := stats.Compare(samples[[2]string{other.ID, c.Metric}], samples[[2]string{base.ID, c.Metric}], 1)
	out.Low, out.High = cmp.Low-1, cmp.High-1
	out.Significant, out.Warnings = cmp.Significant, append(warnings, alsoDiffers(c, t, base, other)...)
	return out
}

// alsoDiffers warns where the proofs of the two rows differ in something that
// the comparison does not name: a stack chose another group, say.
func alsoDiffers(c plan.Comparison, t plan.Target, base, other Row) []string {
	a, b := base.Proof.Client, other.Proof.Client
	if a == nil || b == nil {
		return nil
	}
	var out []string
	for _, p := range []struct{ field, a, b string }{
		{"version", a.Version, b.Version}, {"group", a.Group, b.Group}, {"suite", cipher(a.Suite), cipher(b.Suite)},
	} {
		_, inBase := c.Base[p.field]
		_, inTarget := t.Case[p.field]
		if p.a != p.b && p.a != "" && p.b != "" && !inBase && !inTarget {
			out = append(out, fmt.Sprintf("the two also differ in %s: %s against %s", p.field, p.a, p.b))
		}
	}
	return out
}

// cipher is the AEAD and hash of a suite, which mean the same in TLS 1.2 and 1.3.
func cipher(suite string) string {
	_, after, found := strings.Cut(suite, "_WITH_")
	if !found {
		after = strings.TrimPrefix(suite, "TLS_")
	}
	return after
}

// gain is a / b − 1, 0 where it has no meaning.
func gain(a, b float64) float64 {
	g := a/b - 1
	if math.IsNaN(g) || math.IsInf(g, 0) {
		return 0
	}
	return g
}
