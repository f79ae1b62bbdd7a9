package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"shakedown/result"
	"shakedown/spec"
)

// section is the cases of one kind.
type section struct {
	kind spec.Kind
	rows []result.Row // those of the same stacks together, else in the order of the plan
	v    view
}

// sectionsOf sorts rows by kind and numbers them.
func sectionsOf(rows []result.Row) []section {
	var out []section
	next := 1
	kinds := spec.Kinds()
	for _, r := range rows {
		if !slices.Contains(kinds, r.Case.Kind) {
			kinds = append(kinds, r.Case.Kind)
		}
	}
	for _, kind := range kinds {
		of := ofKind(rows, kind)
		if len(of) == 0 {
			continue
		}
		s := section{kind, of, newView(of)}
		s.v.first = next
		next += len(of)
		out = append(out, s)
	}
	return out
}

// ofKind picks the rows of a kind, those of the same stacks together, else in
// the order of the plan.
func ofKind(rows []result.Row, kind spec.Kind) []result.Row {
	of := slices.DeleteFunc(slices.Clone(rows), func(r result.Row) bool { return r.Case.Kind != kind })
	return byStacks(of, func(r result.Row) result.Row { return r })
}

// titles of the sections.
var titles = map[spec.Kind]string{
	spec.KindHandshake: "HANDSHAKES",
	spec.KindRecord:    "RECORDS",
	spec.KindOp:        "OPERATIONS",
	spec.KindHost:      "THE MACHINE",
}

// section adds the table of a kind, and the cases of that kind without figures.
func (t *text) section(run result.Run, s section) {
	t.blank()
	t.line("%s (%s)", s.title(), strings.Join(labels(s.rows), ", "))
	if same := s.v.common(); same != "" {
		t.wrap("  in all of them: ", "    ", same)
	}
	if good := s.good(); len(good) > 0 {
		f := s.figures(run, good)
		t.table(s.table(f, good))
		for _, note := range f.notes {
			t.wrap("  ", "    ", note)
		}
	}
	for _, failure := range s.failures() {
		t.wrap("  ", "    ", failure)
	}
	t.without(s.without())
}

func (s section) title() string {
	return cmp.Or(titles[s.kind], strings.ToUpper(string(s.kind)), "CASES")
}

// good are the rows that have figures.
func (s section) good() []int {
	var out []int
	for i, r := range s.rows {
		if r.Status == result.OK {
			out = append(out, i)
		}
	}
	return out
}

// labels are the origins of the figures, "measured" as a rule.
func labels(rows []result.Row) []string {
	seen := map[string]bool{}
	for _, r := range rows {
		seen[string(cmp.Or(r.Label, result.Measured))] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// figures makes the columns of the rows that have figures, and the notes below.
func (s section) figures(run result.Run, good []int) figures {
	f := figures{compared: compared(run)}
	for _, i := range good {
		f.rows = append(f.rows, s.rows[i])
	}
	f.fill(s.kind)
	f.notes = append(f.notes, "95 %: half the width of the median's 95 % interval, as a share of the median.")
	f.notes = slices.Concat(footnotes(f.sources), f.notes, s.v.notes())
	return f
}

// table puts the cases before their figures.
func (s section) table(f figures, good []int) table {
	return table{append([]column{s.v.numbers(good)}, s.v.keys(good)...), f.groups}
}

// notes explain what the labels of the cases do not say.
func (v view) notes() []string {
	var out []string
	if text := v.suites(); text != "" {
		out = append(out, text+".")
	}
	if v.open() {
		out = append(out, chosen+" the stacks' own choice: the case leaves it open.")
	}
	return out
}

// compared are the metrics that the plan compares; they are shown in full.
func compared(run result.Run) []string {
	var out []string
	for _, c := range run.Plan.Comparisons {
		out = append(out, c.Metric)
	}
	return out
}

// failures says what went wrong in cases that have figures all the same.
func (s section) failures() []string {
	var out []string
	for i, r := range s.rows {
		if r.Status != result.OK {
			continue
		}
		for _, f := range r.Failures {
			out = append(out, fmt.Sprintf("%s: %s of %s failed: %s", s.v.brief([]int{i}), grouped(f.Count), grouped(r.Attempted), failureText(f)))
		}
	}
	return out
}

func failureText(f result.Failure) string {
	text := f.Reason
	if f.Side != "" {
		text += " at the " + f.Side
	}
	if f.Alert != "" {
		text += ", alert " + f.Alert
	}
	if f.Detail != "" {
		text += " (" + f.Detail + ")"
	}
	return text
}

// remark is words about cases.
type remark struct{ Words, Cases string }

// without lists the rows that have no figures, those of one reason together.
func (s section) without() []remark {
	var reasons []string
	cases := map[string][]int{}
	for i, r := range s.rows {
		if r.Status == result.OK {
			continue
		}
		reason := fmt.Sprintf("%s: %s", r.Status, cmp.Or(r.Reason, "no reason was given"))
		if len(cases[reason]) == 0 {
			reasons = append(reasons, reason)
		}
		cases[reason] = append(cases[reason], i)
	}
	var out []remark
	for _, reason := range reasons {
		out = append(out, remark{reason, s.v.list(cases[reason])})
	}
	return out
}

// without adds the rows that have no figures.
func (t *text) without(reasons []remark) {
	if len(reasons) > 0 {
		t.blank()
		t.line("  without figures:")
	}
	for _, r := range reasons {
		t.wrap("  ", "      ", r.Words)
		t.wrap("      ", "      ", r.Cases)
	}
}
