package report

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"shakedown/plan"
	"shakedown/report/internal/content"
	"shakedown/result"
)

// Text writes the report of a run for a terminal. rows carry the comparisons and
// published figures that [result.Annotate] puts there. The error is that of w.
func Text(w io.Writer, run result.Run, rows []result.Row) error {
	var t text
	t.head(run, rows)
	all := content.Sections(rows)
	for _, s := range all {
		t.section(run, s)
	}
	t.comparisons(content.Comparisons(run, rows))
	t.list("IN PLAIN WORDS", content.Words(rows))
	t.warnings(content.Warnings(all))
	cannot, open := content.Unmeasured(run, rows)
	t.list("CANNOT BE MEASURED HERE", cannot)
	t.list("NOT MEASURED YET (shakedown run --resume goes on with this run)", open)
	return t.to(w)
}

// head adds all that could explain the figures.
func (t *text) head(run result.Run, rows []result.Row) {
	t.title(&run.Plan)
	for _, f := range slices.Concat(content.Facts(run, rows), content.Cautions(run)) {
		t.about(f.What, f.Words)
	}
	for _, note := range run.Plan.Notes {
		t.about("note", note)
	}
}

// title adds what a plan is for.
func (t *text) title(p *plan.Plan) {
	t.wrap("", "", cmp.Or(p.Title, p.Name))
	if p.Question != "" {
		t.wrap("", "", p.Question)
	}
	t.blank()
	t.about("repeats", p.Source)
}

// about adds a line of the head: what it is about, and the words.
func (t *text) about(what, words string) {
	if words != "" {
		t.wrap(left(what, 9), strings.Repeat(" ", 9), words)
	}
}

// section adds the tables of a kind, and the cases of that kind without figures.
func (t *text) section(run result.Run, s content.Section) {
	t.blank()
	t.line("%s (%s)", s.Title(), s.Labels())
	if same := s.Common(); same != "" {
		t.wrap("  in all of them: ", "    ", same)
	}
	tables := s.ByLink()
	if tables == nil {
		tables = s.Tables(run)
	} else {
		t.wrap("  ", "  ", "Each case by itself is in the page report.html of the run directory, and in --json.")
	}
	for _, f := range tables {
		t.figures(f)
	}
	for _, failure := range s.Failures() {
		t.wrap("  ", "    ", failure)
	}
	t.without(s.Without())
}

// figures adds a table with its notes.
func (t *text) figures(f content.Figures) {
	if f.Title != "" {
		t.blank()
		t.wrap("  ", "  ", f.Title)
	}
	t.table(f.Table)
	for _, note := range f.Notes {
		t.wrap("  ", "    ", note)
	}
}

// without adds the rows that have no figures.
func (t *text) without(reasons []content.Remark) {
	if len(reasons) > 0 {
		t.blank()
		t.line("  without figures:")
	}
	for _, r := range reasons {
		t.wrap("  ", "      ", r.Words)
		t.wrap("      ", "      ", r.Cases)
	}
}

// comparisons adds the comparisons of the plan.
func (t *text) comparisons(all []content.Figures) {
	if len(all) == 0 {
		return
	}
	t.blank()
	t.line("COMPARISONS (measured; what others published stands apart)")
	t.wrap("  ", "  ", content.GainMeans)
	for _, f := range all {
		t.figures(f)
	}
}

// warnings adds what is doubtful about the figures.
func (t *text) warnings(all []content.Remark) {
	if len(all) > 0 {
		t.blank()
		t.line("WARNINGS")
	}
	for _, w := range all {
		t.wrap("  - ", "    ", w.Words)
		t.wrap("    ", "      ", w.Cases)
	}
}

// list adds lines under a title, nothing without lines.
func (t *text) list(title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	t.blank()
	t.line("%s", title)
	for _, line := range lines {
		t.wrap("  - ", "    ", line)
	}
}
