package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"shakedown/machine"
	"shakedown/plan"
	"shakedown/result"
	"shakedown/spec"
)

// about adds a line of the head: what it is about, and the words.
func (t *text) about(what, words string) {
	if words != "" {
		t.wrap(left(what, 9), strings.Repeat(" ", 9), words)
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

// head adds all that could explain the figures.
func (t *text) head(run result.Run, rows []result.Row) {
	t.title(&run.Plan)
	for _, f := range slices.Concat(facts(run, rows), cautions(run)) {
		t.about(f.What, f.Words)
	}
	for _, note := range run.Plan.Notes {
		t.about("note", note)
	}
}

// fact is something that could explain a figure.
type fact struct{ What, Words string }

// facts say how it was measured.
func facts(run result.Run, rows []result.Row) []fact {
	return []fact{
		{"machine", machineText(run.Environment)},
		{"stacks", stacksText(run.Stacks)},
		{"run", runText(run)},
		{"effort", effortText(run.Effort) + endedText(rows)},
		{"clock", clockText(rows)},
	}
}

// cautions are settings under which figures are not what they seem.
func cautions(run result.Run) []fact {
	var out []fact
	if run.Settings.Fault != "" {
		out = append(out, fact{"FAULT", "clients were asked to misbehave (" + run.Settings.Fault + "): a test of the lab, not of the stacks"})
	}
	if run.Settings.Insecure {
		out = append(out, fact{"INSECURE", "servers that are no drivers were not verified"})
	}
	return out
}

func machineText(e machine.Environment) string {
	parts := []string{e.CPU, count(e.CPUs, "CPU"), strings.TrimSpace(systemName(e.OS) + " " + e.Kernel + " " + e.Arch)}
	if e.MemoryKiB > 0 {
		parts = append(parts, fmt.Sprintf("%.1f GiB", float64(e.MemoryKiB)/(1<<20)))
	}
	if e.Virtual != "" {
		parts = append(parts, "made by "+e.Virtual)
	}
	parts = append(parts, "governor "+cmp.Or(e.Governor, "unknown"))
	if len(e.Features) > 0 {
		parts = append(parts, "instructions "+strings.Join(e.Features, " "))
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// systemName writes an operating system as its makers do.
func systemName(goos string) string {
	names := map[string]string{"linux": "Linux", "darwin": "macOS", "windows": "Windows"}
	return cmp.Or(names[goos], goos)
}

// stacksText lists the stacks as loaded.
func stacksText(stacks map[string]result.Stack) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(stacks)) {
		s := stacks[name]
		if s.Library != "" && s.Library != name {
			name += " (" + strings.Join(strings.Fields(s.Library), " ") + ")"
		}
		if s.Root != "" {
			name += " from " + s.Root
		}
		out = append(out, name)
	}
	return strings.Join(out, "; ")
}

func runText(run result.Run) string {
	return fmt.Sprintf("%s, seed %d, shakedown %s: shakedown %s",
		run.Started.UTC().Format("2006-01-02 15:04 UTC"), run.Seed, run.Tool, strings.Join(run.CommandLine, " "))
}

// effortText says when a case has been measured enough.
func effortText(e plan.Effort) string {
	var ends []string
	if e.Precision > 0 {
		ends = append(ends, fmt.Sprintf("until the interval is ±%s of the median", percent(e.Precision)))
	}
	if e.Samples > 0 {
		ends = append(ends, fmt.Sprintf("%s of each case at most", count(e.Samples, "repetition")))
	}
	if e.Time > 0 {
		ends = append(ends, fmt.Sprintf("%s in all at most", duration(time.Duration(e.Time))))
	}
	if len(ends) == 0 {
		return "no bound"
	}
	return strings.Join(ends, ", ")
}

// endings says why sampling of cases ended, in the order they are told.
var endings = []struct{ stopped, words string }{
	{result.StoppedInterval, "by the interval"},
	{result.StoppedSamples, "by their repetitions"},
	{result.StoppedTime, "by the time"},
	{result.StoppedFailures, "by failures"},
	{result.StoppedInterrupt, "by an interruption"},
}

// endedText counts what ended the cases.
func endedText(rows []result.Row) string {
	var out []string
	for _, e := range endings {
		n := 0
		for _, r := range rows {
			if r.Stopped == e.stopped && r.Status != result.Cannot {
				n++
			}
		}
		if n > 0 {
			out = append(out, count(n, "case")+" "+e.words)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "; ended: " + strings.Join(out, ", ")
}

// clockText says what is timed.
func clockText(rows []result.Row) string {
	handshakes := slices.ContainsFunc(rows, func(r result.Row) bool { return r.Case.Kind == spec.KindHandshake })
	if !handshakes {
		return ""
	}
	return "a handshake's times run from when the client's stack is asked to begin, TCP being connected, to the mark of the column"
}
