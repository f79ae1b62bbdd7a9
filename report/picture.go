package report

import (
	"fmt"
	"slices"

	"shakedown/result"
	"shakedown/spec"
)

// picture shows a metric of some cases above one axis, those of the same stacks
// together.
type picture struct {
	Caption, Unit string
	Log           bool
	Hills         bool // how the samples spread, else the medians
	Ticks         []tick
	Parts         []picturePart
}

type picturePart struct {
	Stacks string // "" where all cases have the same
	Rows   []pictureRow
}

// pictureRow is one case. Places are in percent of the width.
type pictureRow struct {
	Label, Value, Words    string
	Low, Median, High, P95 string
	Hill                   string // path
}

// headline is a metric that a kind of case is about.
type headline struct{ metric, name, caption string }

// headlines are the metrics that are drawn.
var headlines = map[spec.Kind][]headline{
	spec.KindHandshake: {{"response", "answer", "Answer: time until the first byte of the server's answer"}},
	spec.KindRecord:    {{"encrypt", "encrypt", "Encrypt: time for one record"}, {"decrypt", "decrypt", "Decrypt: time for one record"}},
	spec.KindOp:        {{"time", "time", "Time of one operation"}},
	spec.KindHost:      {{"cpu_share", "CPU in use", "CPU in use"}, {"memory_share", "memory in use", "Memory in use"}},
}

// medianPictures draws the medians of a section with their intervals. Metrics of
// one kind share an axis, so that they can be compared.
func (s section) medianPictures() []picture {
	var values []float64
	for _, m := range s.headlineMetrics() {
		values = append(values, m.Median, m.Low, m.High, m.P95)
	}
	a := newAxis(s.headlineScale(), values, true)
	return s.pictures(a, func(i int, name string) (pictureRow, bool) {
		m := s.rows[i].Metrics[name]
		interval := fmt.Sprintf("95 %% interval %s to %s", a.scale.print(m.Low), a.scale.print(m.High))
		return pictureRow{
			Value: a.scale.print(m.Median), Low: a.at(m.Low), Median: a.at(m.Median), High: a.at(m.High), P95: a.at(m.P95),
			Words: fmt.Sprintf("median %s %s, %s, 95th percentile %s", a.scale.print(m.Median), a.scale.unit, interval, a.scale.print(m.P95)),
		}, m.N > 0
	})
}

// spreadPictures draws how the samples spread, as far as there are blocks.
func (s section) spreadPictures(blocks []result.Block) []picture {
	samples := samplesOf(blocks, headlines[s.kind])
	var values []float64
	for _, m := range s.headlineMetrics() {
		values = append(values, m.Min, m.P99)
	}
	a := newAxis(s.headlineScale(), values, false)
	all := s.pictures(a, func(i int, name string) (pictureRow, bool) {
		m, of := s.rows[i].Metrics[name], samples[[2]string{s.rows[i].ID, name}]
		return pictureRow{
			Value: grouped(len(of)), Median: a.at(m.Median), P95: a.at(m.P95), Hill: a.hill(of),
			Words: fmt.Sprintf("%s from %s to %s %s, half of them up to %s, 95 %% of them up to %s",
				count(len(of), "sample"), a.scale.print(m.Min), a.scale.print(m.Max), a.scale.unit, a.scale.print(m.Median), a.scale.print(m.P95)),
		}, len(of) > 0
	})
	for i := range all {
		all[i].Hills = true
	}
	return all
}

// headlineMetrics are those of all rows with figures.
func (s section) headlineMetrics() []result.Metric {
	var out []result.Metric
	for _, i := range s.good() {
		for _, headline := range headlines[s.kind] {
			if m := s.rows[i].Metrics[headline.metric]; m.N > 0 {
				out = append(out, m)
			}
		}
	}
	return out
}

func (s section) headlineScale() scale {
	var values []float64
	unit := ""
	for _, m := range s.headlineMetrics() {
		unit = m.Unit
		values = append(values, m.Median)
	}
	return scaleFor(unit, values)
}

// pictures makes one picture for each headline; row draws case i, or says that
// there is nothing to draw.
func (s section) pictures(a axis, row func(i int, metric string) (pictureRow, bool)) []picture {
	var out []picture
	headed := s.headed()
	for _, headline := range headlines[s.kind] {
		p := picture{Caption: headline.caption, Unit: a.scale.unit, Log: a.log, Ticks: a.ticks()}
		for _, i := range s.good() {
			if r, found := row(i, headline.metric); found {
				stacks := ""
				r.Label = s.fullLabel(i)
				if headed {
					stacks, r.Label = s.v.stacks(i), s.shortLabel(i)
				}
				p.add(stacks, r)
			}
		}
		if len(p.Parts) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// add puts a row to those of its stacks, which follow each other.
func (p *picture) add(stacks string, r pictureRow) {
	if n := len(p.Parts); n == 0 || p.Parts[n-1].Stacks != stacks {
		p.Parts = append(p.Parts, picturePart{Stacks: stacks})
	}
	last := &p.Parts[len(p.Parts)-1]
	last.Rows = append(last.Rows, r)
}

// headed tells whether the names of the stacks stand above their cases: not
// where they would be the same for all, or others for each.
func (s section) headed() bool {
	all := map[string]bool{}
	good := s.good()
	for _, i := range good {
		all[s.v.stacks(i)] = true
	}
	return len(all) > 1 && len(all) < len(good)
}

// fullLabel names case i.
func (s section) fullLabel(i int) string { return fmt.Sprintf("#%d %s", s.v.first+i, s.v.label(i)) }

// shortLabel names case i below the name of its stacks.
func (s section) shortLabel(i int) string {
	v := s.v
	v.fields = slices.DeleteFunc(slices.Clone(v.fields), func(f string) bool { return f == "client" || f == "server" })
	return section{v: v}.fullLabel(i)
}

// samplesOf gathers the samples of each case and headline.
func samplesOf(blocks []result.Block, headlines []headline) map[[2]string][]float64 {
	out := map[[2]string][]float64{}
	for _, b := range blocks {
		for _, headline := range headlines {
			key := [2]string{b.Case, headline.metric}
			if b.Number >= 0 { // else the memory pass
				out[key] = append(out[key], b.Metrics[headline.metric]...)
			}
		}
	}
	return out
}
