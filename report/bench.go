package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"shakedown/result"
	"shakedown/spec"
	"shakedown/stats"
)

// benchUnits names the metrics in the Go benchmark format, in the order of a
// line. Times are in ns so that benchstat scales them; a unit that ends in "/op"
// says what an operation is: a handshake or a record.
var benchUnits = []struct {
	metric, unit string
	scale        float64
}{
	{"response", "response-ns/op", 1e9},
	{"request", "request-ns/op", 1e9},
	{"client_complete", "client-complete-ns/op", 1e9},
	{"server_complete", "server-complete-ns/op", 1e9},
	{"connect", "connect-ns/op", 1e9},
	{"client_cpu", "client-cpu-ns/op", 1e9},
	{"server_cpu", "server-cpu-ns/op", 1e9},
	{"encrypt", "encrypt-ns/op", 1e9},
	{"decrypt", "decrypt-ns/op", 1e9},
}

// Bench writes the run in the Go benchmark format (golang.org/design/14313): one
// line for each block of each row that has figures, with the medians of the
// block, so that benchstat compares blocks and not single samples. The error is
// that of w.
func Bench(w io.Writer, run result.Run, rows []result.Row, blocks []result.Block) error {
	var t text
	t.benchHeader(run)
	byCase := map[string][]result.Block{}
	for _, b := range blocks {
		if b.Number >= 0 && b.Completed > 0 {
			byCase[b.Case] = append(byCase[b.Case], b)
		}
	}
	for _, r := range rows {
		if r.Status != result.OK {
			continue
		}
		for _, b := range byCase[r.ID] {
			t.benchLine(benchName(r.Case), b)
		}
	}
	return t.to(w)
}

// benchHeader writes the configuration lines and what is assumed of the units.
func (t *text) benchHeader(run result.Run) {
	t.line("goos: %s", run.Environment.OS)
	t.line("goarch: %s", run.Environment.Arch)
	if run.Environment.CPU != "" {
		t.line("cpu: %s", run.Environment.CPU)
	}
	t.line("plan: %s", run.Plan.Name)
	t.line("# seed %d", run.Seed) // a key that differs would keep benchstat from comparing
	for _, name := range slices.Sorted(maps.Keys(run.Stacks)) {
		t.line("# %s is %s", name, run.Stacks[name].Library)
	}
	for _, u := range benchUnits {
		t.line("Unit %s better=lower assume=nothing", u.unit)
	}
	t.blank()
}

func (t *text) benchLine(name string, b result.Block) {
	var figures []string
	for _, u := range benchUnits {
		if values := b.Metrics[u.metric]; len(values) > 0 {
			e, _ := stats.Summarise([][]float64{values}, 0)
			figures = append(figures, strconv.FormatFloat(e.Median*u.scale, 'f', 1, 64)+" "+u.unit)
		}
	}
	if len(figures) > 0 {
		t.line("Benchmark%s %d %s", name, b.Completed, strings.Join(figures, " "))
	}
}

// benchName writes a case as a benchmark with its coordinates as key=value parts.
func benchName(c spec.Case) string {
	kind := cmp.Or(string(c.Kind), "case")
	parts := []string{strings.ToUpper(kind[:1]) + kind[1:]}
	for _, field := range spec.Fields()[1:] {
		if value := c.Get(field); value != "" {
			parts = append(parts, fmt.Sprintf("%s=%s", field, strings.ReplaceAll(value, " ", "_")))
		}
	}
	return strings.Join(parts, "/")
}
