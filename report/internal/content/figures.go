package content

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"shakedown/plan"
	"shakedown/report/internal/number"
	"shakedown/report/internal/prose"
	"shakedown/report/internal/table"
	"shakedown/result"
	"shakedown/spec"
)

// columns makes the columns of a table.
type columns struct {
	rows     []result.Row
	compared []string // metrics that are shown in full
	groups   []table.Group
	notes    []string
	sources  []string // of published figures, by their numbers
}

// add puts a group of columns to the right.
func (f *columns) add(title string, of ...table.Column) {
	f.groups = append(f.groups, table.Group{Title: title, Columns: of})
}

// fill makes the columns that suit the kind.
func (f *columns) fill(kind spec.Kind) {
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
		f.add("", table.Column{Title: "figures", Cells: slices.Repeat([]string{"see --json"}, len(f.rows))})
	}
}

func (f *columns) handshake() {
	f.full("answer", "response")
	if slices.Contains(f.compared, "client_complete") {
		f.full("complete at client", "client_complete")
		f.medians("at server", "server_complete", "median")
	} else {
		f.medians("complete", "client_complete", "client", "server_complete", "server")
	}
	f.process()
	f.link()
	f.medians("CPU time", "client_cpu", "client", "server_cpu", "server")
	f.medians(f.memoryTitle(), "client_memory", "client", "server_memory", "server")
	f.medians("machine", "cpu_share", "CPU", "memory_share", "memory")
	f.notes = append(f.notes,
		"answer: until the first byte of the server's answer is at the client; fair across versions and modes.",
		"complete: until that side's handshake is over, which in TLS 1.3 is at the client before the server.",
		"CPU time: of the process of that side, per handshake. Peak memory: above the idle process, median of a few handshakes.",
		"machine: share of all processors and of memory in use meanwhile, whoever used it.")
}

// link adds what an emulated link adds: the connect, which takes a round trip, and
// packets that were sent again.
func (f *columns) link() {
	if !slices.ContainsFunc(f.rows, func(r result.Row) bool { return r.Link != nil }) {
		return
	}
	f.medians("TCP", "connect", "connect")
	c := table.Column{Title: "sent again"}
	for _, r := range f.rows {
		cell := number.None
		if m := r.Metrics["retransmissions"]; m.N > 0 {
			cell = fmt.Sprintf("%.2f", m.Mean)
		}
		c.Cells = append(c.Cells, cell)
	}
	f.add("packets", c)
	f.notes = append(f.notes, "connect: until TCP is connected; it comes before the handshake and is in no other time. "+
		"sent again: packets of both sides, mean of a connection.")
}

// process adds connections that begin with the start of the client's program.
func (f *columns) process() {
	of, found := f.metric("process")
	if !found {
		return
	}
	f.full("with process", "process")
	var notes []string
	for _, m := range of {
		note := fmt.Sprintf("with process: a connection with starting and ending the client's program; a sample is the %s, n = %s.", m.What, number.Grouped(m.N))
		if m.N > 0 && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	f.notes = append(f.notes, notes...)
}

// completion is the number of samples where it differs, and the share that
// completed where that is not everywhere all.
func (f *columns) completion() []table.Column {
	n, done := table.Column{Title: "n"}, table.Column{Title: "done"}
	partial := false
	for _, r := range f.rows {
		n.Cells = append(n.Cells, number.Grouped(samples(r)))
		partial = partial || r.Completed < r.Attempted
		done.Cells = append(done.Cells, number.Percent(float64(r.Completed)/float64(max(r.Attempted, 1))))
	}
	var out []table.Column
	if len(slices.Compact(slices.Clone(n.Cells))) > 1 {
		out = append(out, n)
	} else {
		f.notes = append(f.notes, "n = "+n.Cells[0]+" samples of each case.")
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
func (f *columns) metric(name string) (of []result.Metric, found bool) {
	for _, r := range f.rows {
		m := r.Metrics[name]
		of = append(of, m)
		found = found || m.N > 0
	}
	return of, found
}

// scale suits the medians and means of some metrics.
func (f *columns) scale(names ...string) number.Scale {
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
	return number.ScaleFor(unit, values)
}

// full adds a metric with its median, interval, mean and standard deviation.
func (f *columns) full(title, name string) {
	of, found := f.metric(name)
	if !found {
		return
	}
	s := f.scale(name)
	cols := []table.Column{{Title: "median"}, {Title: "95 %"}, {Title: "mean"}, {Title: "sd"}}
	var lead []table.Column
	if len(f.groups) == 0 {
		lead = f.completion()
	}
	for _, m := range of {
		cells := []string{number.None, number.None, number.None, number.None}
		if m.N > 0 {
			cells = []string{s.Print(m.Median), number.Relative(m.Low, m.Median, m.High), s.Print(m.Mean), s.Print(m.SD)}
		}
		for i := range cols {
			cols[i].Cells = append(cols[i].Cells, cells[i])
		}
	}
	f.add(title+", "+s.Unit, append(lead, cols...)...)
	f.published(func(p plan.Published) string { return number.Published(p.Unit, p.Value) }, publishedColumn{name, metricName(name)})
}

// medians adds the medians of metrics that share a unit. After the heading come
// pairs of metric and column title.
func (f *columns) medians(title string, pairs ...string) {
	var names []string
	var cols []table.Column
	for i := 0; i < len(pairs); i += 2 {
		if _, found := f.metric(pairs[i]); found {
			names = append(names, pairs[i])
			cols = append(cols, table.Column{Title: pairs[i+1]})
		}
	}
	if len(names) == 0 {
		return
	}
	s := f.scale(names...)
	for i, name := range names {
		of, _ := f.metric(name)
		for _, m := range of {
			cell := number.None
			if m.N > 0 {
				cell = s.Print(m.Median)
			}
			cols[i].Cells = append(cols[i].Cells, cell)
		}
	}
	f.add(title+", "+s.Unit, cols...)
}

// memoryTitle says what memory is; where stacks are measured differently, a
// note says which is which.
func (f *columns) memoryTitle() string {
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
		f.notes = append(f.notes, "Peak memory is the allocator's count (heap), but the resident set (rss) of "+prose.All(rss)+".")
	}
	return "peak memory"
}

// onWire adds how long the record is that carries a message.
func (f *columns) onWire() {
	c := table.Column{Title: "record"}
	found := false
	for _, r := range f.rows {
		cell := number.None
		if r.Wire != nil && r.Wire.RecordBytes > 0 {
			cell, found = number.Grouped(r.Wire.RecordBytes), true
		}
		c.Cells = append(c.Cells, cell)
	}
	if found {
		f.add("wire, B", c)
	}
}

// batch says how many records make a sample.
func (f *columns) batch() {
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
		f.notes = append(f.notes, fmt.Sprintf("A sample is the mean of %s; figures are per record.", number.Count(low, "record")))
	default:
		f.notes = append(f.notes, fmt.Sprintf("A sample is the mean of %s to %s records; figures are per record.", number.Grouped(low), number.Grouped(high)))
	}
}

// publishedColumn is a metric of which others may have published figures.
type publishedColumn struct{ metric, title string }

// published adds what others published of some metrics, in a group of its own
// with the sources below.
func (f *columns) published(write func(plan.Published) string, metrics ...publishedColumn) {
	var of []table.Column
	for _, m := range metrics {
		c := table.Column{Title: m.title}
		for _, r := range f.rows {
			var all []string
			for _, p := range r.Published {
				if p.Metric == m.metric {
					all = append(all, write(p)+" "+mark(&f.sources, p.Source))
				}
			}
			c.Cells = append(c.Cells, cmp.Or(strings.Join(all, ", "), number.None))
		}
		if holds(c) {
			of = append(of, c)
		}
	}
	if len(of) > 0 {
		f.groups = append(f.groups, table.Group{Title: PublishedTitle, Columns: of, Beside: true})
	}
}

// PublishedTitle heads figures that are somebody else's.
const PublishedTitle = "published"

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
