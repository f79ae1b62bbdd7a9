package report

import (
	"io"

	"shakedown/plan"
	"shakedown/report/internal/content"
	"shakedown/report/internal/number"
	"shakedown/result"
)

// Plan writes what a plan would measure: title, question, source, effort and the
// cases in order, those that cannot be measured with their reason. The error is
// that of w.
func Plan(w io.Writer, p *plan.Plan, cases []result.CaseEntry) error {
	var t text
	t.title(p)
	t.about("effort", content.Effort(p.Effort))
	if p.Quick != (plan.Effort{}) {
		t.about("--quick", content.Effort(p.Effort.Or(p.Quick)))
	}
	impossible := 0
	for _, c := range cases {
		if c.Cannot != "" {
			impossible++
		}
	}
	t.blank()
	t.line("%s, %d of them cannot be measured here:", number.Count(len(cases), "case"), impossible)
	for i, c := range cases {
		t.wrap(right(number.Grouped(i+1), 4)+"  ", "      ", c.Text)
		if c.Cannot != "" {
			t.wrap("      cannot: ", "        ", c.Cannot)
		}
	}
	return t.to(w)
}
