package content

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"shakedown/report/internal/number"
	"shakedown/report/internal/prose"
	"shakedown/result"
	"shakedown/spec"
)

// Words says what the figures say, in sentences.
func Words(rows []result.Row) []string {
	said := slices.Concat(gainWords(rows), recordWords(rows), loadWords(rows))
	if len(said) == 0 {
		return headlineWords(rows)
	}
	return said
}

// Headline is a metric that a kind of case is about.
type Headline struct{ Metric, Name, Caption string }

// headlines are the metrics that are named first, and drawn.
var headlines = map[spec.Kind][]Headline{
	spec.KindHandshake: {{"response", "answer", "Answer: time until the first byte of the server's answer"}},
	spec.KindRecord:    {{"encrypt", "encrypt", "Encrypt: time for one record"}, {"decrypt", "decrypt", "Decrypt: time for one record"}},
	spec.KindOp:        {{"time", "time", "Time of one operation"}},
	spec.KindHost:      {{"cpu_share", "CPU in use", "CPU in use"}, {"memory_share", "memory in use", "Memory in use"}},
}

// Headlines are the metrics that the cases of the section are about.
func (s Section) Headlines() []Headline { return headlines[s.Kind] }

// headlineWords says of each kind what its headline is.
func headlineWords(rows []result.Row) []string {
	var said []string
	for _, s := range Sections(rows) {
		for _, cases := range s.byLink() {
			for _, headline := range s.Headlines() {
				if text := cases.headline(headline.Metric); text != "" {
					said = append(said, fmt.Sprintf("%s, %s: %s.", behind(prose.Sentence(s.Title()), cases.name), headline.Name, text))
				}
			}
		}
	}
	return said
}

// byLink parts the rows with figures by their links, where these differ: what links
// differ in is no merit of a stack.
func (s Section) byLink() (sets []set) {
	for _, i := range s.Good() {
		r := s.Rows[i]
		at := slices.IndexFunc(sets, func(c set) bool { return c.name == r.Case.Link })
		if at < 0 {
			at, sets = len(sets), append(sets, set{name: r.Case.Link})
		}
		sets[at].rows = append(sets[at].rows, r)
	}
	for i := range sets {
		sets[i].v = asAsked(sets[i].rows)
	}
	if len(sets) == 1 {
		sets[0].name = ""
	}
	return sets
}

// headline is the figure of the only row, or the fastest and the slowest.
func (s set) headline(metric string) string {
	switch {
	case len(s.rows) == 0 || s.rows[0].Metrics[metric].N == 0:
		return ""
	case len(s.rows) == 1:
		m := s.rows[0].Metrics[metric]
		return fmt.Sprintf("%s with %s", number.WithUnit(m.Unit, m.Median), s.v.stacks(0))
	case s.rows[0].Metrics[metric].Unit != "s":
		return "" // fast and slow are said of times
	}
	return s.rank(metric)
}

// gainWords says for each comparison and kind of target who gains.
func gainWords(rows []result.Row) []string {
	var said []string
	onWire := map[string]bool{} // subjects of which it was said, under another title
	for _, title := range titlesIn(rows) {
		c := contestOf(rows, title)
		var subjects []string
		of := map[string][]pair{}
		for i, p := range c.pairs {
			subject := c.target(i) + " against " + c.base(i)
			if of[subject] == nil {
				subjects = append(subjects, subject)
			}
			of[subject] = append(of[subject], p)
		}
		for _, subject := range subjects {
			said = append(said, gainSentence(subject, of[subject]))
			if words := wireWords(of[subject]); words != "" && !onWire[subject] {
				said, onWire[subject] = append(said, subject+", on the wire: "+words+"."), true
			}
		}
	}
	return said
}

// titlesIn lists the comparisons that rows carry, in the order of the plan.
func titlesIn(rows []result.Row) []string {
	var out []string
	for _, r := range rows {
		for _, c := range r.Comparisons {
			if !slices.Contains(out, c.Title) {
				out = append(out, c.Title)
			}
		}
	}
	return out
}

// gainSentence says how one kind of case fares against its base with each stack.
func gainSentence(subject string, pairs []pair) string {
	var rows []result.Row
	for _, p := range pairs {
		rows = append(rows, p.row)
	}
	v := asAsked(rows)
	by := map[string][]string{}
	for i, p := range pairs {
		by[p.verdict()] = append(by[p.verdict()], fmt.Sprintf("%s (%s)", v.label(i), number.Signed(p.Gain)))
	}
	var parts []string
	for _, verdict := range []string{"faster", "slower", "less", "more", contradictory, tooFew, notSignificant} {
		words := verdict
		if verdict == notSignificant {
			words = noDifference
		}
		if len(by[verdict]) > 0 {
			parts = append(parts, words+" with "+prose.All(by[verdict]))
		}
	}
	sentence := fmt.Sprintf("%s, %s: %s.", subject, metricWords(pairs[0].Metric), strings.Join(parts, "; "))
	if p := pairs[0].Published; p != nil {
		sentence += fmt.Sprintf(" Published: %s (%s).", number.Published(p.Unit, p.Value), p.Source)
	}
	return sentence
}

// noDifference is what is said of intervals that overlap.
const noDifference = "no difference that this run can show"

// metricWords says what a metric counts to.
func metricWords(metric string) string {
	words := map[string]string{
		"connect": "until TCP is connected", "request": "until the request is at the server",
		"response":        "until the first byte of the answer",
		"client_complete": "until the client's handshake is complete",
		"server_complete": "until the server's handshake is complete",
		"process":         "with starting and ending the client's program",
	}
	return cmp.Or(words[metric], "in "+metricName(metric))
}

// set is rows that differ in one field only.
type set struct {
	name string // what they have in common and others have not
	rows []result.Row
	v    view // of its rows
}

// setsBy gathers rows with figures that differ in the fields only; sets of one
// row are left out.
func setsBy(rows []result.Row, fields ...string) []set {
	var out []set
	at := map[spec.Case]int{}
	for _, r := range rows {
		rest := r.Case
		for _, field := range fields {
			_ = rest.Set(field, "") // the empty text is always allowed
		}
		if r.Status != result.OK {
			continue
		}
		i, known := at[rest]
		if !known {
			i = len(out)
			at[rest] = i
			out = append(out, set{})
		}
		out[i].rows = append(out[i].rows, r)
	}
	out = slices.DeleteFunc(out, func(s set) bool { return len(s.rows) < 2 })
	name(out, fields)
	return out
}

// name gives each set a name by what tells it from the others, its stacks at
// least, but not by the fields in which its own rows differ.
func name(sets []set, differing []string) {
	var first []result.Row
	for i := range sets {
		sets[i].v = asAsked(sets[i].rows)
		first = append(first, sets[i].rows[0])
	}
	v := asAsked(first)
	v.fields = slices.DeleteFunc(v.fields, func(f string) bool { return slices.Contains(differing, f) })
	for i := range sets {
		sets[i].name = strings.Join(v.values(i, v.fields), " ")
		if sets[i].name == "" && !slices.Contains(differing, "client") {
			sets[i].name = v.stacks(i)
		}
	}
}

// recordWords says which suite, or else which stack, is fastest and slowest.
func recordWords(rows []result.Row) []string {
	records := slices.DeleteFunc(slices.Clone(rows), func(r result.Row) bool { return r.Case.Kind != spec.KindRecord })
	sets := setsBy(records, "suite")
	if len(sets) == 0 {
		sets = setsBy(records, "client", "server")
	}
	var said []string
	for _, s := range sets {
		var parts []string
		for _, metric := range []string{"encrypt", "decrypt"} {
			parts = append(parts, "to "+metric+" "+s.rank(metric))
		}
		said = append(said, fmt.Sprintf("%s: %s.", behind("Records", s.name), strings.Join(parts, "; ")))
	}
	return said
}

// behind adds a name to what it is about, if there is one.
func behind(what, name string) string {
	if name == "" {
		return what
	}
	return what + ", " + name
}

// rank names the fastest and the slowest of a set, with those whose intervals
// overlap with the one and not with the other.
func (s set) rank(metric string) string {
	order := make([]int, len(s.rows))
	for i := range order {
		order[i] = i
	}
	of := func(i int) result.Metric { return s.rows[i].Metrics[metric] }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(of(a).Median, of(b).Median) })
	first, last := of(order[0]), of(order[len(order)-1])
	if first.N == 0 || first.High >= last.Low {
		return noDifference
	}
	var fast, slow []string
	for _, i := range order {
		likeFirst, likeLast := of(i).Low <= first.High, of(i).High >= last.Low
		switch {
		case likeFirst && !likeLast:
			fast = append(fast, s.v.label(i))
		case likeLast && !likeFirst:
			slow = append(slow, s.v.label(i))
		}
	}
	return fmt.Sprintf("%s fastest (%s), %s slowest (%s)", prose.All(fast)+isAre(fast), number.WithUnit(first.Unit, first.Median),
		prose.All(slow)+isAre(slow), number.WithUnit(last.Unit, last.Median))
}

func isAre(names []string) string {
	if len(names) == 1 {
		return " is"
	}
	return " are"
}

// loadWords says how the suites of handshakes load the machine.
func loadWords(rows []result.Row) []string {
	handshakes := slices.DeleteFunc(slices.Clone(rows), func(r result.Row) bool { return r.Case.Kind != spec.KindHandshake })
	var said []string
	for _, s := range setsBy(handshakes, "suite") {
		var parts []string
		for _, load := range []struct{ metric, what string }{{"cpu_share", "CPU"}, {"memory_share", "memory"}} {
			if text := s.span(load.metric); text != "" {
				parts = append(parts, load.what+" "+text)
			}
		}
		if len(parts) > 0 {
			said = append(said, fmt.Sprintf("%s: %s.", behind("Load of the whole machine by suite", s.name), strings.Join(parts, "; ")))
		}
	}
	return said
}

// span says from where to where a share goes over the set.
func (s set) span(metric string) string {
	low, high := -1, -1
	for i, r := range s.rows {
		m := r.Metrics[metric]
		if m.N == 0 {
			continue
		}
		if low < 0 || m.Median < s.rows[low].Metrics[metric].Median {
			low = i
		}
		if high < 0 || m.Median > s.rows[high].Metrics[metric].Median {
			high = i
		}
	}
	if low < 0 {
		return ""
	}
	from, to := s.rows[low].Metrics[metric].Median, s.rows[high].Metrics[metric].Median
	if percent1(from) == percent1(to) {
		return percent1(from) + " with each"
	}
	return fmt.Sprintf("%s (%s) to %s (%s)", percent1(from), s.v.label(low), percent1(to), s.v.label(high))
}

// percent1 writes a share in percent with one decimal.
func percent1(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }
