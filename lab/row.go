package lab

import (
	"cmp"
	"fmt"
	"slices"

	"shakedown/machine"
	"shakedown/result"
	"shakedown/spec"
	"shakedown/stats"
)

// hostBlock is the load of the machine while a block ran.
type hostBlock struct {
	length float64 // s
	own    float64 // s of processor time of the drivers
	usage  machine.Usage
}

// row makes the row of the case from what was measured so far.
func (m *measured) row(seed uint64) result.Row {
	r := result.Row{
		Schema: result.Schema, ID: m.id, Label: result.Measured, Case: m.Case,
		Attempted: m.attempted, Completed: m.completed, Failures: orEmpty(m.failures),
		Metrics: map[string]result.Metric{}, Proof: m.proof, Stopped: m.stopped,
	}
	r.Status, r.Reason = m.status()
	if r.Status == result.OK || m.broken != "" {
		m.estimate(&r, seed)
	}
	if m.record > 0 || m.exchange != nil {
		r.Wire = &result.Wire{RecordBytes: m.record, Exchange: m.exchange}
	}
	r.Link = m.link
	r.Warnings = orEmpty(append(r.Warnings, m.doubts()...))
	return r
}

// orEmpty makes lists print as [] in JSON, never as null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (m *measured) status() (result.Status, string) {
	switch {
	case m.Cannot != "":
		return result.Cannot, m.Cannot
	case m.contradicted():
		return result.Error, cmp.Or(m.wireSays, m.lastSaid)
	case m.broken != "":
		return result.Error, m.broken
	case m.completed == 0 && m.attempted > 0:
		return result.Failed, m.mostly()
	case m.completed == 0:
		return result.Failed, "stopped before the first block was over"
	}
	return result.OK, ""
}

// mostly says the most frequent failure.
func (m *measured) mostly() string {
	f := slices.MaxFunc(m.failures, func(a, b result.Failure) int { return a.Count - b.Count })
	return "no handshake completed: " + told(f)
}

// units of the metrics of a row.
var units = map[string]string{
	"connect": "s", "client_complete": "s", "server_complete": "s", "request": "s", "response": "s",
	"client_cpu": "s", "server_cpu": "s", "encrypt": "s", "decrypt": "s",
	"packets": "", "wire_bytes": "B", "retransmissions": "",
	"process": "s", "client_memory": "B", "server_memory": "B", "cpu_share": "", "memory_share": "",
}

// estimate fills in metrics and their warnings.
func (m *measured) estimate(r *result.Row, seed uint64) {
	for metric, blocks := range m.samples {
		e, warnings := stats.Summarise(blocks, seed^seedOf(m.id+metric))
		e.Unit = units[metric]
		r.Metrics[metric] = result.Metric{Estimate: e, What: m.what[metric]}
		if slices.Contains(m.headline(), metric) {
			r.Warnings = append(r.Warnings, named(metric, warnings)...)
			r.Warnings = append(r.Warnings, named(metric, stats.Drift(blocks))...)
			r.Warnings = append(r.Warnings, named(metric, stats.Outliers(slices.Concat(blocks...)))...)
		}
	}
	m.estimateHost(r)
}

func named(metric string, warnings []string) []string {
	out := make([]string, len(warnings))
	for i, w := range warnings {
		out[i] = metric + ": " + w
	}
	return out
}

// estimateHost makes one sample a second of the time in which the case ran.
func (m *measured) estimateHost(r *result.Row) {
	var cpu, memory []float64
	for _, w := range windows(m.host) {
		if share, ok := w.usage.CPUShare(); ok {
			cpu = append(cpu, share)
			memory = append(memory, w.usage.MemoryShare)
		}
	}
	for metric, values := range map[string][]float64{"cpu_share": cpu, "memory_share": memory} {
		if len(values) > 0 {
			e, _ := stats.Summarise([][]float64{values}, 0)
			r.Metrics[metric] = result.Metric{Estimate: e, What: "whole machine"}
		}
	}
}

// windows joins blocks until each window lasts a second. What is left over at
// the end counts when it lasts half a second, or is all there is.
func windows(blocks []hostBlock) []hostBlock {
	var out []hostBlock
	var now hostBlock
	for _, b := range blocks {
		now = hostBlock{now.length + b.length, now.own + b.own, now.usage.Add(b.usage)}
		if now.length >= 1 {
			out, now = append(out, now), hostBlock{}
		}
	}
	if now.length >= 0.5 || len(out) == 0 && now.length > 0 {
		out = append(out, now)
	}
	return out
}

// doubts are the warnings that concern the whole case.
func (m *measured) doubts() []string {
	var out []string
	out = append(out, m.warnings...)
	if m.completed > 0 && m.mismatch > 0 && !m.contradicted() {
		out = append(out, fmt.Sprintf("%d of %d were not as labelled and do not count: %s", m.mismatch, m.attempted, m.lastSaid))
	}
	if w := m.fellBack(); w != "" {
		out = append(out, w)
	}
	if m.link != nil && m.link.Late.Doubt() != "" {
		out = append(out, m.link.Late.Doubt())
	}
	return append(out, disturbed(m.host)...) // of cases that wait together only the link tells
}

// fellBack says that the client would have liked a post-quantum group and got
// a classical one.
func (m *measured) fellBack() string {
	if m.Case.Group != "" || m.Case.Version == "1.2" || m.proof.Client == nil || m.proof.Client.Group == "" || m.Client == nil || len(m.Client.Info.Groups) == 0 {
		return ""
	}
	wish, err := spec.ParseGroup(m.Client.Info.Groups[0])
	got, gotErr := spec.ParseGroup(m.proof.Client.Group)
	if err != nil || gotErr != nil || !wish.PostQuantum || got.PostQuantum {
		return ""
	}
	return fmt.Sprintf("fell back to %s: %s prefers %s, %s has not taken it", got.Name, m.Case.Client, wish.Name, m.Case.Server)
}

// Shares of the machine's processor time above which a warning is due.
const (
	stealLimit = 0.02
	otherLimit = 0.15 // the kernel's share of TCP and the lab itself stay below
)

// disturbed warns of processor time that went elsewhere while the case ran: to
// other guests of the host, or to other processes.
func disturbed(blocks []hostBlock) []string {
	var all hostBlock
	for _, b := range blocks {
		all.own += b.own
		all.usage = all.usage.Add(b.usage)
	}
	var out []string
	if share := all.usage.StealShare(); share > stealLimit {
		out = append(out, fmt.Sprintf("%.0f %% of the processor time was stolen by other guests of the host", 100*share))
	}
	if all.usage.Total <= 0 {
		return out
	}
	if share := (all.usage.Busy - all.usage.Steal - all.own) / all.usage.Total; share > otherLimit {
		out = append(out, fmt.Sprintf("other load: %.0f %% of the machine's processor time went to other processes", 100*share))
	}
	return out
}
