package lab

import (
	"hash/fnv"
	"math"
	"strings"

	"shakedown/plan"
	"shakedown/result"
	"shakedown/spec"
	"shakedown/stats"
)

const (
	giveUp    = 3    // repetitions without one success after which a case ends
	tolerated = 0.01 // share of repetitions whose proof may contradict the label
)

// measured is a case with what was measured of it.
type measured struct {
	Planned
	id     string
	effort plan.Effort

	rig       rig
	width     int  // how many cases like it run at the same time: those that wait for slow links
	fresh     bool // the drivers have not measured yet
	blockSize int

	blocks    int // of the measurement, without the memory pass
	attempted int
	completed int
	mismatch  int
	lastSaid  string // what the last mismatch was
	failures  []result.Failure
	samples   map[string][][]float64 // metric → blocks of samples
	what      map[string]string
	host      []hostBlock
	proof     result.Proof
	record    int
	link      *result.Link // with all that it carried; nil: loopback
	warnings  []string
	passed    map[int]int      // pass → its blocks in the journal
	exchange  *result.Exchange // as the tap saw it
	wireSays  string           // the wire contradicts the label: how

	stopped string // why sampling ended
	broken  string // what broke: no more repetitions
	kept    bool   // the row is in the run directory
}

// take adds a block that is in the journal, and decides whether it was the last.
func (m *measured) take(b result.Block) {
	if m.samples == nil {
		m.samples, m.what, m.passed = map[string][][]float64{}, map[string]string{}, map[int]int{}
	}
	for metric, values := range b.Metrics {
		m.samples[metric] = append(m.samples[metric], values)
	}
	for metric, what := range b.What {
		m.what[metric] = what
	}
	m.warnings = append(m.warnings, b.Warnings...)
	if b.Number >= 0 {
		m.count(b)
		m.stopped = m.enough()
		return
	}
	m.passed[b.Number]++
	if b.Number == tracePass {
		m.exchange, m.proof.Wire, m.wireSays = b.Wire, b.Proof.Wire, b.Mismatch
	}
}

func (m *measured) count(b result.Block) {
	m.blocks = max(m.blocks, b.Number+1)
	m.attempted += b.Attempted
	m.completed += b.Completed
	m.host = append(m.host, hostBlock{b.Length, b.CPU, b.Host})
	for _, f := range b.Failures {
		m.failures = addFailure(m.failures, f, f.Count)
		if f.Reason == "proof" {
			m.mismatch += f.Count
		}
	}
	if b.Mismatch != "" {
		m.lastSaid = b.Mismatch
	}
	if b.Proof.Client != nil && (m.proof.Client == nil || b.Mismatch != "") {
		m.proof.Client, m.proof.Server = b.Proof.Client, b.Proof.Server
	}
	m.record = b.Record
	m.carry(b.Link)
}

// carry adds up what the emulated link carried.
func (m *measured) carry(l *result.Link) {
	if l == nil {
		return
	}
	now := *l
	if m.link != nil {
		now.Carried = m.link.Carried
		now.Add(l.Carried)
	}
	m.link = &now
}

// enough says why the case has been measured enough, or "".
func (m *measured) enough() string {
	e := m.effort
	switch {
	case m.contradicted():
		return result.StoppedFailures
	case m.completed == 0 && m.attempted >= giveUp:
		return result.StoppedFailures
	case e.Samples > 0 && m.attempted >= e.Samples:
		return result.StoppedSamples
	case e.Precision > 0 && m.blocks >= stats.MinBlocks && m.spread() <= e.Precision:
		return result.StoppedInterval
	}
	return ""
}

// contradicted: the proof says otherwise than the label, and not by a rare
// accident.
func (m *measured) contradicted() bool {
	return m.wireSays != "" || m.lastSaid != "" && (m.kindOfRecord() || float64(m.mismatch) > tolerated*float64(m.attempted))
}

func (m *measured) kindOfRecord() bool { return m.Case.Kind == spec.KindRecord }

// headline names the metrics that decide when the interval is narrow enough.
func (m *measured) headline() []string {
	if m.kindOfRecord() {
		return []string{"encrypt", "decrypt"}
	}
	return []string{"response"}
}

func (m *measured) spread() float64 {
	var widest float64
	for _, metric := range m.headline() {
		widest = math.Max(widest, stats.RelativeWidth(m.samples[metric], seedOf(m.id)))
	}
	return widest
}

// nextBlock is how many repetitions the next block has.
func (m *measured) nextBlock() int {
	n := m.blockSize
	if m.effort.Samples > 0 {
		n = min(n, m.effort.Samples-m.attempted)
	}
	return max(n, 1)
}

// share is how much of the case is done, as far as samples tell.
func (m *measured) share() float64 {
	if m.stopped != "" || m.Cannot != "" {
		return 1
	}
	if m.effort.Samples == 0 {
		return 0
	}
	return min(1, float64(m.attempted)/float64(m.effort.Samples))
}

// breakdown ends the case because a driver broke.
func (m *measured) breakdown(err error) {
	m.broken, m.stopped = strings.TrimSpace(err.Error()), result.StoppedFailures
	m.close()
}

func (m *measured) close() {
	if m.rig != nil {
		_ = m.rig.close()
		m.rig = nil
	}
}

// seedOf makes a seed of a case's id, so that its intervals do not depend on
// the other cases of the run.
func seedOf(id string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id))
	return h.Sum64()
}
