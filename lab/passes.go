package lab

import (
	"context"
	"errors"
	"slices"
	"time"

	"shakedown/result"
	"shakedown/spec"
)

// Numbers of blocks that are no measurement of times: what is measured apart, once
// a case has its samples.
const (
	memoryPass  = -1 // counting costs time
	tracePass   = -2 // behind a tap
	processPass = -3 // each connection with a client process of its own
)

// processRounds is how often the connections of the process pass are repeated.
const processRounds = 3

// missing lists the passes that a case still needs, as often as it needs each.
func (m *measured) missing() []int {
	if m.kindOfRecord() || m.completed == 0 || m.stopped == "" || m.broken != "" {
		return nil
	}
	var out []int
	for _, pass := range []int{memoryPass, tracePass} {
		if m.passed[pass] == 0 {
			out = append(out, pass)
		}
	}
	if m.effort.Processes > 0 && m.Case.Mode == spec.ModeFull { // a fresh process has no session
		out = append(out, slices.Repeat([]int{processPass}, max(0, processRounds-m.passed[processPass]))...)
	}
	return out
}

// finish runs the passes, the cases in turn so that a disturbance meets all of
// them, and writes the rows.
func (l *Lab) finish(ctx context.Context, cases []*measured) error {
	lacking := func(m *measured) bool { return m.rig != nil && len(m.missing()) > 0 }
	for open := filter(cases, lacking); len(open) > 0; open = filter(cases, lacking) {
		if err := together(open, func(m *measured) func() error { return l.pass(ctx, m, m.missing()[0]) }); err != nil {
			return err
		}
	}
	for _, m := range cases {
		row := l.row(m)
		if err := l.dir.AppendRow(row); err != nil {
			return err
		}
		m.kept = true
		l.opt.Watch.Row(row)
	}
	return nil
}

// pass runs one pass of a case, and then journals it.
func (l *Lab) pass(ctx context.Context, m *measured, pass int) (then func() error) {
	start := time.Now()
	b, err := l.passOf(ctx, m, pass)
	if ctx.Err() != nil {
		return known(interrupted(ctx))
	}
	b.Case, b.Number = m.id, pass
	b.Start, b.Length = float64(start.UnixNano())/1e9, time.Since(start).Seconds()
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		b.Warnings = append(b.Warnings, passNames[pass]+" not measured: "+err.Error())
	}
	return func() error {
		if err := l.dir.AppendBlock(b); err != nil {
			return err
		}
		m.take(b)
		return nil
	}
}

var passNames = map[int]string{memoryPass: "memory was", tracePass: "the wire was", processPass: "processes were"}

func (l *Lab) passOf(ctx context.Context, m *measured, pass int) (result.Block, error) {
	switch pass {
	case memoryPass:
		return m.rig.memory(ctx)
	case processPass:
		return m.rig.processes(ctx, m.effort.Processes)
	}
	t, err := m.rig.trace(ctx)
	if err != nil {
		return result.Block{}, err
	}
	return t.block(), l.dir.WriteTranscript(t.Transcript)
}
