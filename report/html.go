package report

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

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
	Cautions                []fact
	Tally                   string
	Words                   []subject
	Sections                []pageSection
	GainMeans               string
	Comparisons             []pageComparison
	Without                 []remark
	Cannot, Open            []string
	Warnings                []remark
	Facts                   []fact
	Notes                   []string
}

// pageSection is the cases of one kind.
type pageSection struct {
	Kind, Title, Labels, Common string
	Medians, Spreads            []picture
	Tables                      []pageTable
	Notes, Failures             []string
}

type pageComparison struct {
	Title  string
	Tables []pageTable
	Notes  []string
}

// HTML writes the report of a run as one page that needs nothing else: no
// network, no script. rows carry what [result.Annotate] puts there; blocks, the
// journal of the run, show how the samples spread and may be none. The error is
// that of w.
func HTML(w io.Writer, run result.Run, rows []result.Row, blocks []result.Block) error {
	all := sectionsOf(rows)
	p := page{
		Style: template.CSS(pageStyle),
		Title: cmp.Or(run.Plan.Title, run.Plan.Name), Question: run.Plan.Question, Source: run.Plan.Source,
		Cautions: cautions(run), Words: subjects(words(rows)), GainMeans: gainMeans,
		Warnings: warnings(all), Facts: facts(run, rows), Notes: run.Plan.Notes,
	}
	p.Cannot, p.Open = unmeasured(run, rows)
	for _, s := range all {
		p.Sections = append(p.Sections, pageOf(run, s, blocks))
		for _, r := range s.without() {
			p.Without = append(p.Without, remark{r.Words, string(s.kind) + "s: " + r.Cases})
		}
	}
	for _, c := range comparisonsOf(run, rows) {
		p.Comparisons = append(p.Comparisons, pageComparison{c.title, tablesOf(c.table), c.notes})
	}
	p.Tally = tally(run, rows)
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
	parts := glued(words)
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
	return printable(r)
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
	text := fmt.Sprintf("%s of %s measured", grouped(good), count(planned, "case"))
	if failed > 0 {
		text += fmt.Sprintf(", %s without a figure that can be trusted", grouped(failed))
	}
	return text
}

// sentence writes a heading of the terminal as it is written elsewhere.
func sentence(heading string) string {
	return heading[:1] + strings.ToLower(heading[1:])
}

// pageOf shows a section.
func pageOf(run result.Run, s section, blocks []result.Block) pageSection {
	out := pageSection{
		Kind: string(s.kind), Title: sentence(s.title()), Labels: strings.Join(labels(s.rows), ", "),
		Common: s.v.common(), Failures: s.failures(),
	}
	if good := s.good(); len(good) > 0 {
		f := s.figures(run, good)
		out.Medians, out.Spreads = s.medianPictures(), s.spreadPictures(blocks)
		out.Tables, out.Notes = tablesOf(s.table(f, good)), f.notes
	}
	return out
}

// pageTable is a table row by row.
type pageTable struct {
	Keys   []string
	Groups []pageGroup
	Rows   []pageRow
}

type pageGroup struct {
	Title, Class string
	Columns      []pageCell
}

// pageRow is the keys of a case and its cells.
type pageRow struct {
	Keys  []string
	Cells []pageCell
}

type pageCell struct{ Text, Class string }

// pageWidth is how many characters a table of the page may take.
const pageWidth = 132

// tablesOf turns a table into such as fit on a page.
func tablesOf(tb table) []pageTable {
	var out []pageTable
	for _, part := range tb.parts(pageWidth) {
		t := pageTable{Rows: make([]pageRow, len(part.keys[0].cells))}
		for _, k := range part.keys {
			t.Keys = append(t.Keys, k.title)
			for i := range t.Rows {
				t.Rows[i].Keys = append(t.Rows[i].Keys, k.cells[i])
			}
		}
		for _, g := range part.groups {
			t.add(g)
		}
		out = append(out, t)
	}
	return out
}

// add puts a group of columns to the right. Classes tell where a group begins
// and which figures are somebody else's.
func (t *pageTable) add(g group) {
	class := ""
	if g.title == publishedTitle {
		class = " published"
	}
	head := pageGroup{Title: g.title, Class: "first" + class}
	for n, c := range g.columns {
		of := strings.TrimSpace(class)
		if n == 0 {
			of = head.Class
		}
		head.Columns = append(head.Columns, pageCell{c.title, of})
		for i := range t.Rows {
			t.Rows[i].Cells = append(t.Rows[i].Cells, pageCell{c.cells[i], of})
		}
	}
	t.Groups = append(t.Groups, head)
}
