package content

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"shakedown/machine"
	"shakedown/plan"
	"shakedown/report/internal/number"
	"shakedown/result"
	"shakedown/spec"
)

// Fact is something that could explain a figure.
type Fact struct{ What, Words string }

// Facts say how it was measured.
func Facts(run result.Run, rows []result.Row) []Fact {
	return []Fact{
		{"machine", machineText(run.Environment)},
		{"stacks", stacksText(run.Stacks)},
		{"run", runText(run)},
		{"effort", Effort(run.Effort) + endedText(rows)},
		{"clock", clockText(rows)},
	}
}

// Cautions are settings under which figures are not what they seem.
func Cautions(run result.Run) []Fact {
	var out []Fact
	if run.Settings.Fault != "" {
		out = append(out, Fact{"FAULT", "clients were asked to misbehave (" + run.Settings.Fault + "): a test of the lab, not of the stacks"})
	}
	if run.Settings.Insecure {
		out = append(out, Fact{"INSECURE", "servers that are no drivers were not verified"})
	}
	return out
}

func machineText(e machine.Environment) string {
	parts := []string{e.CPU, number.Count(e.CPUs, "CPU"), strings.TrimSpace(systemName(e.OS) + " " + e.Kernel + " " + e.Arch)}
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

// Effort says when a case has been measured enough.
func Effort(e plan.Effort) string {
	var ends []string
	if e.Precision > 0 {
		ends = append(ends, fmt.Sprintf("until the interval is ±%s of the median", number.Percent(e.Precision)))
	}
	if e.Samples > 0 {
		ends = append(ends, fmt.Sprintf("%s of each case at most", number.Count(e.Samples, "repetition")))
	}
	if e.Time > 0 {
		ends = append(ends, fmt.Sprintf("%s in all at most", number.Duration(time.Duration(e.Time))))
	}
	if len(ends) == 0 {
		ends = []string{"no bound"}
	}
	if e.Processes > 0 {
		ends = append(ends, fmt.Sprintf("then %s in a row with a client process each", number.Count(e.Processes, "connection")))
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
			out = append(out, number.Count(n, "case")+" "+e.words)
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

// Unmeasured lists the cases of the plan that have no row: those that cannot be
// measured, and those for which an interrupted run had no time.
func Unmeasured(run result.Run, rows []result.Row) (reasons, open []string) {
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
