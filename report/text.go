package report

import (
	"io"
	"strings"

	"shakedown/result"
)

// Text writes the report of a run for a terminal. rows carry the comparisons and
// published figures that [result.Annotate] puts there. The error is that of w.
func Text(w io.Writer, run result.Run, rows []result.Row) error {
	var t text
	t.head(run, rows)
	all := sectionsOf(rows)
	for _, s := range all {
		t.section(run, s)
	}
	t.comparisons(run, rows)
	t.list("IN PLAIN WORDS", words(rows))
	t.warnings(warnings(all))
	cannot, open := unmeasured(run, rows)
	t.list("CANNOT BE MEASURED HERE", cannot)
	t.list("NOT MEASURED YET (shakedown run --resume goes on with this run)", open)
	return t.to(w)
}

// unmeasured lists the cases of the plan that have no row: those that cannot be
// measured, and those for which an interrupted run had no time.
func unmeasured(run result.Run, rows []result.Row) (reasons, open []string) {
	have := map[string]bool{}
	for _, r := range rows {
		have[r.ID] = true
	}
	cannot := map[string][]string{}
	for _, c := range run.Cases {
		switch {
		case have[c.ID]:
		case c.Cannot != "":
			if cannot[c.Cannot] == nil {
				reasons = append(reasons, c.Cannot)
			}
			cannot[c.Cannot] = append(cannot[c.Cannot], c.Text)
		default:
			open = append(open, c.Text)
		}
	}
	for i, reason := range reasons {
		reasons[i] = reason + ": " + strings.Join(cannot[reason], "; ")
	}
	return reasons, open
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
