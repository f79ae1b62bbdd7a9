package content

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"shakedown/report/internal/number"
	"shakedown/report/internal/table"
	"shakedown/result"
	"shakedown/spec"
)

// view says how cases are named beside each other: only what tells them apart.
type view struct {
	cases  []spec.Case // with what was negotiated where the case left it open
	fields []string    // in which the cases differ
	pairs  bool        // client and server are the same stack in every case
	short  bool        // suites may be called by their ciphers

	protocol string // "TLS" where it is the protocol of every case
	first    int    // number of the first case in the report
}

// chosen marks a value that the case left open and the stacks chose.
const chosen = "*"

// newView looks at rows that are shown together. Where a case leaves something
// open, the view shows what was negotiated.
func newView(rows []result.Row) view { return viewOf(rows, negotiated) }

// asAsked is a view that names rows by their cases alone.
func asAsked(rows []result.Row) view {
	return viewOf(rows, func(r result.Row) spec.Case { return r.Case })
}

func viewOf(rows []result.Row, show func(result.Row) spec.Case) view {
	v := view{pairs: true}
	for _, r := range rows {
		c := show(r)
		v.cases = append(v.cases, c)
		v.pairs = v.pairs && c.Client == c.Server
	}
	v.short = cipherTells(v.cases)
	v.protocol = oneProtocol(v.cases)
	for _, field := range spec.Differences(v.cases) {
		if !v.hides(field) {
			v.fields = append(v.fields, field)
		}
	}
	return v
}

// negotiated fills in what the proof says where the case says nothing.
func negotiated(r result.Row) spec.Case {
	c := r.Case
	proof := r.Proof.Client
	if proof == nil || r.Status != result.OK {
		return c
	}
	if c.Version == "" && proof.Version != "" {
		c.Version = spec.Version(proof.Version + chosen)
	}
	if c.Group == "" && proof.Group != "" && c.Auth != spec.AuthPSK {
		c.Group = proof.Group + chosen
	}
	if c.Suite == "" && proof.Suite != "" {
		c.Suite = proof.Suite + chosen
	}
	return c
}

// oneProtocol is the protocol of all cases, "" where there are several.
func oneProtocol(cases []spec.Case) string {
	name := ""
	for _, c := range cases {
		if name != "" && name != string(c.Protocol) {
			return ""
		}
		name = string(c.Protocol)
	}
	return strings.ToUpper(name)
}

// cipherTells: no two suites of a version have the same cipher.
func cipherTells(cases []spec.Case) bool {
	suites := map[[2]string]string{}
	for _, c := range cases {
		name := strings.TrimSuffix(c.Suite, chosen)
		key := [2]string{strings.TrimSuffix(string(c.Version), chosen), cipher(name)}
		if known, found := suites[key]; found && known != name {
			return false
		}
		suites[key] = name
	}
	return true
}

// cipher is the cipher of a suite, or the suite where it has none here.
func cipher(suite string) string {
	if s, err := spec.ParseSuite(suite); err == nil && s.Cipher != "" {
		return s.Cipher
	}
	return suite
}

// hides: the field is told by another one, or is never shown.
func (v view) hides(field string) bool {
	versions := slices.ContainsFunc(v.cases, func(c spec.Case) bool { return c.Version != "" })
	return field == "kind" || field == "server" && v.pairs || field == "protocol" && versions
}

// value is what a field of case i shows.
func (v view) value(i int, field string) string {
	c := v.cases[i]
	text := c.Get(field)
	if text == "" {
		return ""
	}
	switch field {
	case "version":
		return c.Version.Label(c.Protocol)
	case "protocol":
		return strings.ToUpper(text)
	case "suite":
		return v.suite(text)
	case "size":
		return text + " B"
	case "mutual", "retry":
		return field
	case "chain", "replica":
		return field + " " + text
	}
	return text
}

func (v view) suite(text string) string {
	name, open := strings.CutSuffix(text, chosen)
	if v.short {
		name = cipher(name)
	}
	if open {
		name += chosen
	}
	return name
}

// values are what fields of case i show, without those that show nothing.
func (v view) values(i int, fields []string) []string {
	var out []string
	for _, field := range fields {
		if text := v.value(i, field); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// label names case i among the others.
func (v view) label(i int) string {
	values := v.values(i, v.fields)
	if len(values) == 0 {
		return v.stacks(i)
	}
	return strings.Join(values, " ")
}

// list names some cases with their numbers, those of the same stacks together.
func (v view) list(of []int) string {
	rest := slices.DeleteFunc(slices.Clone(v.fields), func(f string) bool { return f == "client" || f == "server" })
	var order []string
	names := map[string][]string{}
	for _, i := range of {
		stacks := v.stacks(i)
		if names[stacks] == nil {
			order = append(order, stacks)
		}
		name := fmt.Sprintf("#%d %s", v.first+i, strings.Join(v.values(i, rest), " "))
		names[stacks] = append(names[stacks], strings.TrimSpace(name))
	}
	var out []string
	for _, stacks := range order {
		out = append(out, stacks+": "+strings.Join(names[stacks], ", "))
	}
	return strings.Join(out, "; ")
}

// stacks names both ends of case i.
func (v view) stacks(i int) string {
	c := v.cases[i]
	if c.Server == "" || c.Server == c.Client {
		return c.Client
	}
	return c.Client + " to " + c.Server
}

// numbers is the column of the numbers by which the report calls the cases.
func (v view) numbers(of []int) table.Column {
	c := table.Column{Title: "#"}
	for _, i := range of {
		c.Cells = append(c.Cells, strconv.Itoa(v.first+i))
	}
	return c
}

// brief calls cases by their names where they are few, else by their numbers.
func (v view) brief(of []int) string {
	if len(of) == len(v.cases) && len(of) > 1 {
		return fmt.Sprintf("all %d", len(of))
	}
	var out []string
	slices.Sort(of)
	for n := 0; n < len(of); n++ {
		if len(of) < 3 {
			out = append(out, fmt.Sprintf("#%d %s", v.first+of[n], v.label(of[n])))
			continue
		}
		start := n
		for n+1 < len(of) && of[n+1] == of[n]+1 {
			n++
		}
		out = append(out, stretch(v.first+of[start], v.first+of[n]))
	}
	return strings.Join(out, ", ")
}

// stretch writes numbers that follow each other: "#3-7".
func stretch(from, to int) string {
	if from == to {
		return fmt.Sprintf("#%d", from)
	}
	return fmt.Sprintf("#%d-%d", from, to)
}

// keys are the columns that tell the cases apart.
func (v view) keys(of []int) []table.Column {
	var out []table.Column
	for _, field := range v.fields {
		c := table.Column{Title: v.title(field)}
		for _, i := range of {
			c.Cells = append(c.Cells, v.cell(i, field))
		}
		out = append(out, c)
	}
	return out
}

// cell is the value of a field under its title.
func (v view) cell(i int, field string) string {
	text := v.value(i, field)
	switch {
	case text == "":
		return number.None
	case field == "version" && v.protocol != "":
		return strings.TrimPrefix(text, v.protocol+" ")
	}
	return text
}

func (v view) title(field string) string {
	switch {
	case field == "version" && v.protocol != "":
		return v.protocol
	case field == "client" && v.pairs:
		return "stack"
	case field == "suite" && v.short:
		return "cipher"
	}
	return field
}

// common says what is the same in all cases: "TLS 1.3, group x25519, ...".
func (v view) common() string {
	var out []string
	for _, field := range spec.Fields() {
		if slices.Contains(v.fields, field) || v.hides(field) {
			continue
		}
		text := v.value(0, field)
		switch {
		case text == "":
			continue
		case field == "suite":
			text = "suite " + v.cases[0].Suite
		case !slices.Contains([]string{"version", "protocol", "mutual", "retry", "chain", "replica"}, field):
			text = v.title(field) + " " + text
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// open tells whether something shown was the stacks' own choice.
func (v view) open() bool {
	return slices.ContainsFunc(v.cases, func(c spec.Case) bool {
		return strings.Contains(string(c.Version)+c.Group+c.Suite, chosen)
	})
}

// suites spells out, for ciphers that stand for them, the suites that have more
// in their names than TLS_ and the cipher.
func (v view) suites() string {
	if !v.short || !slices.Contains(v.fields, "suite") {
		return ""
	}
	var out []string
	for _, c := range v.cases {
		name := strings.TrimSuffix(c.Suite, chosen)
		s, err := spec.ParseSuite(name)
		if text := s.Cipher + " is " + name + " in " + c.Version.Label(c.Protocol); err == nil && !s.TLS13 && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return strings.Join(out, "; ")
}
