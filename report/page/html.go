// Package page shows a run as one HTML page with pictures that needs nothing
// else: no network, no script.
package page

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"shakedown/report/internal/content"
	"shakedown/report/internal/number"
	"shakedown/report/internal/prose"
	"shakedown/result"
)

var (
	//go:embed page.tmpl
	pageText string
	//go:embed page.css
	pageStyle string

	pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"flow": flow}).Parse(pageText))
)

// page is what the template shows, in its order.
type page struct {
	Style                   template.CSS
	Title, Question, Source string
	Cautions                []content.Fact
	Tally                   string
	Words                   []subject
	Sections                []pageSection
	GainMeans               string
	Comparisons             []pageFigures
	Without                 []content.Remark
	Cannot, Open            []string
	Warnings                []content.Remark
	Facts                   []content.Fact
	Notes                   []string
}

// pageSection is the cases of one kind.
type pageSection struct {
	Kind, Title, Labels, Common string
	Medians, Spreads            []picture
	Figures                     []pageFigures
	Failures                    []string
}

// pageFigures is a table, in parts that fit, and what belongs to it.
type pageFigures struct {
	Title  string
	Sent   *picture // nil where nothing was seen on the wire
	Tables []pageTable
	Notes  []string
}

// HTML writes the report of a run as one page. rows carry what [result.Annotate]
// puts there; blocks, the journal of the run, show how the samples spread and may
// be none. The error is that of w.
func HTML(w io.Writer, run result.Run, rows []result.Row, blocks []result.Block) error {
	all := content.Sections(rows)
	p := page{
		Style: template.CSS(pageStyle),
		Title: cmp.Or(run.Plan.Title, run.Plan.Name), Question: run.Plan.Question, Source: run.Plan.Source,
		Cautions: content.Cautions(run), Tally: tally(run, rows), Words: subjects(content.Words(rows)), GainMeans: content.GainMeans,
		Warnings: content.Warnings(all), Facts: content.Facts(run, rows), Notes: run.Plan.Notes,
	}
	p.Cannot, p.Open = content.Unmeasured(run, rows)
	for _, s := range all {
		p.Sections = append(p.Sections, section{s}.show(run, blocks))
		for _, r := range s.Without() {
			p.Without = append(p.Without, content.Remark{Words: r.Words, Cases: string(s.Kind) + "s: " + r.Cases})
		}
	}
	for _, f := range content.Comparisons(run, rows) {
		p.Comparisons = append(p.Comparisons, show(f))
	}
	var buf bytes.Buffer
	if err := pageTemplate.Execute(&buf, p); err != nil {
		return err
	}
	_, err := w.Write(bytes.Map(harmless, buf.Bytes()))
	return err
}

// unbroken is a space at which no line breaks.
const unbroken = '\u00a0'

// flow lets words break into lines where the terminal's do.
func flow(words string) string {
	parts := prose.Glued(words)
	for i := range parts {
		parts[i] = strings.ReplaceAll(parts[i], " ", string(unbroken))
	}
	return strings.Join(parts, " ")
}

// subject is a sentence cut at its colon, behind what it is about.
type subject struct{ About, Words string }

func subjects(sentences []string) []subject {
	var out []subject
	for _, s := range sentences {
		about, words, found := strings.Cut(s, ": ")
		if !found {
			about, words = "", s
		}
		out = append(out, subject{about, words})
	}
	return out
}

// harmless replaces what may hide or turn text: names and reasons come from peers.
func harmless(r rune) rune {
	if r == '\n' || r == '\t' || r == unbroken {
		return r
	}
	return prose.Printable(r)
}

// tally says how many cases have figures.
func tally(run result.Run, rows []result.Row) string {
	good, failed := 0, 0
	for _, r := range rows {
		switch r.Status {
		case result.OK:
			good++
		case result.Failed, result.Error:
			failed++
		case result.Cannot: // counted by what is left
		}
	}
	planned := max(len(run.Cases), len(rows))
	text := fmt.Sprintf("%s of %s measured", number.Grouped(good), number.Count(planned, "case"))
	if failed > 0 {
		text += fmt.Sprintf(", %s without a figure that can be trusted", number.Grouped(failed))
	}
	return text
}

// section draws the cases of one kind.
type section struct{ content.Section }

func (s section) show(run result.Run, blocks []result.Block) pageSection {
	out := pageSection{
		Kind: string(s.Kind), Title: prose.Sentence(s.Title()), Labels: s.Labels(),
		Common: s.Common(), Failures: s.Failures(), Medians: s.medianPictures(), Spreads: s.spreadPictures(blocks),
	}
	for _, f := range slices.Concat(s.ByLink(), s.Tables(run)) {
		shown := show(f)
		if f.Wire {
			shown.Sent = s.sentPicture()
		}
		out.Figures = append(out.Figures, shown)
	}
	return out
}

// show turns a table into such as fit on the page.
func show(f content.Figures) pageFigures {
	return pageFigures{Title: f.Title, Tables: tablesOf(f.Table), Notes: f.Notes}
}
