package content

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"shakedown/report/internal/number"
	"shakedown/report/internal/table"
	"shakedown/result"
	"shakedown/spec"
)

// Section is the cases of one kind.
type Section struct {
	Kind spec.Kind
	Rows []result.Row // those of the same stacks together, else in the order of the plan
	v    view
}

// Sections sorts rows by kind and numbers them.
func Sections(rows []result.Row) []Section {
	var out []Section
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
		s := Section{kind, of, newView(of)}
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

// Title is the heading, in capitals.
func (s Section) Title() string {
	return cmp.Or(titles[s.Kind], strings.ToUpper(string(s.Kind)), "CASES")
}

// Good are the places in Rows of those that have figures.
func (s Section) Good() []int {
	var out []int
	for i, r := range s.Rows {
		if r.Status == result.OK {
			out = append(out, i)
		}
	}
	return out
}

// Labels are the origins of the figures, "measured" as a rule.
func (s Section) Labels() string {
	seen := map[string]bool{}
	for _, r := range s.Rows {
		seen[string(cmp.Or(r.Label, result.Measured))] = true
	}
	return strings.Join(slices.Sorted(maps.Keys(seen)), ", ")
}

// Common says what is the same in all cases: "TLS 1.3, group x25519, ...".
func (s Section) Common() string { return s.v.common() }

// Figures is a table with what must be known of it.
type Figures struct {
	Title string // "" of the first table of a section
	Table table.Table
	Notes []string
	Wire  bool // it tells of what was seen on the wire
}

// Tables are the figures of a section: the measured ones and, of handshakes that
// were seen on the wire, what they are there. Without a figure there are none.
func (s Section) Tables(run result.Run) []Figures {
	good := s.Good()
	if len(good) == 0 {
		return nil
	}
	keys := append([]table.Column{s.v.numbers(good)}, s.v.keys(good)...)
	f := columns{rows: s.pick(good), compared: compared(run)}
	f.fill(s.Kind)
	f.notes = append(f.notes, "95 %: half the width of the median's 95 % interval, as a share of the median.")
	f.notes = append(f.notes, s.v.notes()...)
	out := []Figures{f.under("", keys)}
	if seen(f.rows) {
		w := columns{rows: f.rows}
		w.wire()
		onWire := w.under(wireTitle, keys)
		onWire.Wire = true
		out = append(out, onWire)
	}
	return out
}

// under puts the columns behind the cases, and sources before the other notes.
func (f *columns) under(title string, keys []table.Column) Figures {
	return Figures{Title: title, Table: table.Table{Keys: keys, Groups: f.groups}, Notes: slices.Concat(footnotes(f.sources), f.notes)}
}

// pick is some of the rows.
func (s Section) pick(of []int) []result.Row {
	var out []result.Row
	for _, i := range of {
		out = append(out, s.Rows[i])
	}
	return out
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

// Failures says what went wrong in cases that have figures all the same.
func (s Section) Failures() []string {
	var out []string
	for i, r := range s.Rows {
		if r.Status != result.OK {
			continue
		}
		for _, f := range r.Failures {
			out = append(out, fmt.Sprintf("%s: %s of %s failed: %s", s.v.brief([]int{i}), number.Grouped(f.Count), number.Grouped(r.Attempted), failureText(f)))
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

// Remark is words about cases.
type Remark struct{ Words, Cases string }

// Without lists the rows that have no figures, those of one reason together.
func (s Section) Without() []Remark {
	var reasons []string
	cases := map[string][]int{}
	for i, r := range s.Rows {
		if r.Status == result.OK {
			continue
		}
		reason := fmt.Sprintf("%s: %s", r.Status, cmp.Or(r.Reason, "no reason was given"))
		if len(cases[reason]) == 0 {
			reasons = append(reasons, reason)
		}
		cases[reason] = append(cases[reason], i)
	}
	var out []Remark
	for _, reason := range reasons {
		out = append(out, Remark{reason, s.v.list(cases[reason])})
	}
	return out
}

// Headed tells whether the names of the stacks stand above their cases: not
// where they would be the same for all, or others for each.
func (s Section) Headed() bool {
	all := map[string]bool{}
	good := s.Good()
	for _, i := range good {
		all[s.v.stacks(i)] = true
	}
	return len(all) > 1 && len(all) < len(good)
}

// Label names case i.
func (s Section) Label(i int) string { return fmt.Sprintf("#%d %s", s.v.first+i, s.v.label(i)) }

// ShortLabel names case i below the name of its stacks.
func (s Section) ShortLabel(i int) string {
	v := s.v
	v.fields = slices.DeleteFunc(slices.Clone(v.fields), func(f string) bool { return f == "client" || f == "server" })
	return Section{v: v}.Label(i)
}

// Stacks names both ends of case i.
func (s Section) Stacks(i int) string { return s.v.stacks(i) }
