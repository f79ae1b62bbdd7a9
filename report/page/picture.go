package page

import (
	"fmt"

	"shakedown/report/internal/content"
	"shakedown/report/internal/number"
	"shakedown/result"
)

// picture shows something of some cases above one axis, those of the same stacks
// together.
type picture struct {
	Caption, Unit string
	Log           bool
	Hills         bool // how the samples spread
	Bars          bool // what each side sent; else the medians
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
	Bars                   []bar
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
		m := s.Rows[i].Metrics[name]
		interval := fmt.Sprintf("95 %% interval %s to %s", a.scale.Print(m.Low), a.scale.Print(m.High))
		return pictureRow{
			Value: a.scale.Print(m.Median), Low: a.at(m.Low), Median: a.at(m.Median), High: a.at(m.High), P95: a.at(m.P95),
			Words: fmt.Sprintf("median %s %s, %s, 95th percentile %s", a.scale.Print(m.Median), a.scale.Unit, interval, a.scale.Print(m.P95)),
		}, m.N > 0
	})
}

// spreadPictures draws how the samples spread, as far as there are blocks.
func (s section) spreadPictures(blocks []result.Block) []picture {
	samples := samplesOf(blocks, s.Headlines())
	var values []float64
	for _, m := range s.headlineMetrics() {
		values = append(values, m.Min, m.P99)
	}
	a := newAxis(s.headlineScale(), values, false)
	all := s.pictures(a, func(i int, name string) (pictureRow, bool) {
		m, of := s.Rows[i].Metrics[name], samples[[2]string{s.Rows[i].ID, name}]
		return pictureRow{
			Value: number.Grouped(len(of)), Median: a.at(m.Median), P95: a.at(m.P95), Hill: a.hill(of),
			Words: fmt.Sprintf("%s from %s to %s %s, half of them up to %s, 95 %% of them up to %s",
				number.Count(len(of), "sample"), a.scale.Print(m.Min), a.scale.Print(m.Max), a.scale.Unit, a.scale.Print(m.Median), a.scale.Print(m.P95)),
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
	for _, i := range s.Good() {
		for _, headline := range s.Headlines() {
			if m := s.Rows[i].Metrics[headline.Metric]; m.N > 0 {
				out = append(out, m)
			}
		}
	}
	return out
}

func (s section) headlineScale() number.Scale {
	var values []float64
	unit := ""
	for _, m := range s.headlineMetrics() {
		unit = m.Unit
		values = append(values, m.Median)
	}
	return number.ScaleFor(unit, values)
}

// pictures makes one picture for each headline; row draws case i, or says that
// there is nothing to draw.
func (s section) pictures(a axis, row func(i int, metric string) (pictureRow, bool)) []picture {
	var out []picture
	for _, headline := range s.Headlines() {
		p := picture{Caption: headline.Caption, Unit: a.scale.Unit, Log: a.log, Ticks: a.ticks()}
		s.draw(&p, func(i int) (pictureRow, bool) { return row(i, headline.Metric) })
		if len(p.Parts) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// draw puts the cases that have something to draw into a picture.
func (s section) draw(p *picture, row func(i int) (pictureRow, bool)) {
	headed := s.Headed()
	for _, i := range s.Good() {
		r, found := row(i)
		if !found {
			continue
		}
		stacks := ""
		r.Label = s.Label(i)
		if headed {
			stacks, r.Label = s.Stacks(i), s.ShortLabel(i)
		}
		p.add(stacks, r)
	}
}

// add puts a row to those of its stacks, which follow each other.
func (p *picture) add(stacks string, r pictureRow) {
	if n := len(p.Parts); n == 0 || p.Parts[n-1].Stacks != stacks {
		p.Parts = append(p.Parts, picturePart{Stacks: stacks})
	}
	last := &p.Parts[len(p.Parts)-1]
	last.Rows = append(last.Rows, r)
}

// samplesOf gathers the samples of each case and headline.
func samplesOf(blocks []result.Block, headlines []content.Headline) map[[2]string][]float64 {
	out := map[[2]string][]float64{}
	for _, b := range blocks {
		for _, headline := range headlines {
			key := [2]string{b.Case, headline.Metric}
			if b.Number >= 0 { // else the memory pass
				out[key] = append(out[key], b.Metrics[headline.Metric]...)
			}
		}
	}
	return out
}
