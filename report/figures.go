package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"shakedown/result"
	"shakedown/spec"
)

// figures makes the columns of a section.
type figures struct {
	rows     []result.Row
	compared []string // metrics that are shown in full
	groups   []group
	notes    []string
	sources  []string // of published figures, by their numbers
}

// fill makes the columns that suit the kind.
func (f *figures) fill(kind spec.Kind) {
	switch kind {
	case spec.KindHandshake:
		f.handshake()
	case spec.KindRecord:
		f.full("encrypt", "encrypt")
		f.full("decrypt", "decrypt")
		f.onWire()
		f.batch()
		f.notes = append(f.notes, "encrypt, decrypt: one record through the stack's record layer, in memory: no system call is timed.")
	case spec.KindOp:
		f.full("time", "time")
		f.medians("rate", "rate", "")
		f.medians("cycles", "cycles", "")
	case spec.KindHost:
		f.full("CPU in use", "cpu_share")
		f.full("memory in use", "memory_share")
	}
	if len(f.groups) == 0 {
		f.groups = append(f.groups, group{"", []column{{"figures", slices.Repeat([]string{"see --json"}, len(f.rows))}}})
	}
}

func (f *figures) handshake() {
	f.full("answer", "response")
	if slices.Contains(f.compared, "client_complete") {
		f.full("complete at client", "client_complete")
		f.medians("at server", "server_complete", "median")
	} else {
		f.medians("complete", "client_complete", "client", "server_complete", "server")
	}
	f.medians("CPU time", "client_cpu", "client", "server_cpu", "server")
	f.medians(f.memoryTitle(), "client_memory", "client", "server_memory", "server")
	f.medians("machine", "cpu_share", "CPU", "memory_share", "memory")
	f.notes = append(f.notes,
		"answer: until the first byte of the server's answer is at the client; fair across versions and modes.",
		"complete: until that side's handshake is over, which in TLS 1.3 is at the client before the server.",
		"CPU time: of the process of that side, per handshake. Peak memory: above the idle process, median of a few handshakes.",
		"machine: share of all processors and of memory in use meanwhile, whoever used it.")
}

// completion is the number of samples where it differs, and the share that
// completed where that is not everywhere all.
func (f *figures) completion() []column {
	n, done := column{title: "n"}, column{title: "done"}
	partial := false
	for _, r := range f.rows {
		n.cells = append(n.cells, grouped(samples(r)))
		partial = partial || r.Completed < r.Attempted
		done.cells = append(done.cells, percent(float64(r.Completed)/float64(max(r.Attempted, 1))))
	}
	var out []column
	if len(slices.Compact(slices.Clone(n.cells))) > 1 {
		out = append(out, n)
	} else {
		f.notes = append(f.notes, "n = "+n.cells[0]+" samples of each case.")
	}
	if partial {
		out = append(out, done)
	}
	return out
}

// samples is the number of samples of the metric that a row is about.
func samples(r result.Row) int {
	for _, metric := range []string{"response", "encrypt", "decrypt", "time"} {
		if m, found := r.Metrics[metric]; found {
			return m.N
		}
	}
	return r.Completed
}

// metric collects a metric of all rows, and tells whether a row has it.
func (f *figures) metric(name string) (of []result.Metric, found bool) {
	for _, r := range f.rows {
		m := r.Metrics[name]
		of = append(of, m)
		found = found || m.N > 0
	}
	return of, found
}

// scale suits the medians and means of some metrics.
func (f *figures) scale(names ...string) scale {
	var values []float64
	unit := ""
	for _, name := range names {
		of, _ := f.metric(name)
		for _, m := range of {
			if m.N > 0 {
				unit = m.Unit
				values = append(values, m.Median)
			}
		}
	}
	return scaleFor(unit, values)
}

// full adds a metric with its median, interval, mean and standard deviation.
func (f *figures) full(title, name string) {
	of, found := f.metric(name)
	if !found {
		return
	}
	s := f.scale(name)
	cols := []column{{title: "median"}, {title: "95 %"}, {title: "mean"}, {title: "sd"}}
	var lead []column
	if len(f.groups) == 0 {
		lead = f.completion()
	}
	for _, m := range of {
		cells := []string{none, none, none, none}
		if m.N > 0 {
			cells = []string{s.print(m.Median), relative(m.Low, m.Median, m.High), s.print(m.Mean), s.print(m.SD)}
		}
		for i := range cols {
			cols[i].cells = append(cols[i].cells, cells[i])
		}
	}
	f.groups = append(f.groups, group{title + ", " + s.unit, append(lead, cols...)})
	f.published(name)
}

// medians adds the medians of metrics that share a unit. After the heading come
// pairs of metric and column title.
func (f *figures) medians(title string, pairs ...string) {
	var names []string
	var cols []column
	for i := 0; i < len(pairs); i += 2 {
		if _, found := f.metric(pairs[i]); found {
			names = append(names, pairs[i])
			cols = append(cols, column{title: pairs[i+1]})
		}
	}
	if len(names) == 0 {
		return
	}
	s := f.scale(names...)
	for i, name := range names {
		of, _ := f.metric(name)
		for _, m := range of {
			cell := none
			if m.N > 0 {
				cell = s.print(m.Median)
			}
			cols[i].cells = append(cols[i].cells, cell)
		}
	}
	f.groups = append(f.groups, group{title + ", " + s.unit, cols})
}

// memoryTitle says what memory is; where stacks are measured differently, a
// note says which is which.
func (f *figures) memoryTitle() string {
	kinds := map[string][]string{}
	for _, r := range f.rows {
		for side, stack := range map[string]string{"client_memory": r.Case.Client, "server_memory": r.Case.Server} {
			what := r.Metrics[side].What
			if what != "" && !slices.Contains(kinds[what], stack) {
				kinds[what] = append(kinds[what], stack)
			}
		}
	}
	if len(kinds) == 1 {
		for what := range kinds {
			return "peak " + what
		}
	}
	if heap, rss := kinds["heap"], kinds["rss"]; len(heap)+len(rss) > 0 {
		slices.Sort(rss)
		f.notes = append(f.notes, "Peak memory is the allocator's count (heap), but the resident set (rss) of "+all(rss)+".")
	}
	return "peak memory"
}

// onWire adds how long the record is that carries a message.
func (f *figures) onWire() {
	c := column{title: "record"}
	found := false
	for _, r := range f.rows {
		cell := none
		if r.Wire != nil && r.Wire.RecordBytes > 0 {
			cell, found = grouped(r.Wire.RecordBytes), true
		}
		c.cells = append(c.cells, cell)
	}
	if found {
		f.groups = append(f.groups, group{"wire, B", []column{c}})
	}
}

// batch says how many records make a sample.
func (f *figures) batch() {
	low, high := math.MaxInt, 0
	for _, r := range f.rows {
		for _, metric := range []string{"encrypt", "decrypt"} {
			var n int
			if _, err := fmt.Sscanf(r.Metrics[metric].What, "mean of %d records", &n); err == nil {
				low, high = min(low, n), max(high, n)
			}
		}
	}
	switch {
	case high == 0:
	case low == high:
		f.notes = append(f.notes, fmt.Sprintf("A sample is the mean of %s; figures are per record.", count(low, "record")))
	default:
		f.notes = append(f.notes, fmt.Sprintf("A sample is the mean of %s to %s records; figures are per record.", grouped(low), grouped(high)))
	}
}

// published adds what others published of a metric, in a column of its own with
// the source below.
func (f *figures) published(name string) {
	cells := slices.Repeat([]string{none}, len(f.rows))
	found := false
	for i, r := range f.rows {
		for _, p := range r.Published {
			if p.Metric == name {
				cells[i] = publishedText(p.Unit, p.Value) + " " + mark(&f.sources, p.Source)
				found = true
			}
		}
	}
	if found {
		f.groups = append(f.groups, group{publishedTitle, []column{{metricName(name), cells}}})
	}
}

// publishedTitle heads figures that are somebody else's.
const publishedTitle = "published"

// publishedText writes a published figure with the digits that were published.
func publishedText(unit string, v float64) string {
	switch {
	case unit == "%":
		return fmt.Sprintf("%+.2f %%", v)
	case scales[unit] != nil:
		return withUnit(unit, v)
	}
	return strings.TrimSpace(fmt.Sprintf("%g %s", v, unit))
}

// mark numbers a source, "[1]".
func mark(sources *[]string, source string) string {
	i := slices.Index(*sources, source)
	if i < 0 {
		i = len(*sources)
		*sources = append(*sources, source)
	}
	return fmt.Sprintf("[%d]", i+1)
}

func footnotes(sources []string) []string {
	var out []string
	for i, source := range sources {
		out = append(out, fmt.Sprintf("[%d] %s", i+1, source))
	}
	return out
}
