package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"shakedown/plan"
	"shakedown/result"
	"shakedown/spec"
	"shakedown/stack"
)

// maxOpen is how many cases have their drivers running at the same time.
// Within such a group the blocks of all cases are interleaved.
const maxOpen = 48

// Stacks finds stacks by the names that cases use.
type Stacks interface {
	Resolve(ctx context.Context, ref spec.StackRef) (*stack.Stack, error)
	// Here names one stack of each kind that this machine has.
	Here(ctx context.Context) []string
}

// Watcher is told how the run goes. Its methods are called one at a time.
type Watcher interface {
	Begin(cases []result.CaseEntry, e plan.Effort)
	Starting(c spec.Case)
	Progress(p Progress)
	Row(r result.Row)
}

// Progress is where a run stands.
type Progress struct {
	Case    spec.Case     // measured last
	Done    float64       // share of this case, 0 to 1
	Overall float64       // share of the run, 0 to 1
	Left    time.Duration // estimate; 0: unknown
}

// Options are the settings of a run beside its plan.
type Options struct {
	Plan   *plan.Plan
	Effort plan.Effort
	Seed   uint64
	Set    result.Settings
	Rows   []result.Row // of an earlier part of the same run
	// Emulator is the program and its arguments that emulates links.
	Emulator []string
	Watch    Watcher
}

// Lab is one run in progress.
type Lab struct {
	dir   *result.Dir
	bench *bench
	opt   Options
	rng   *rand.Rand

	cases     []*measured
	started   time.Time
	blockTime time.Duration // how long a block should last
}

// ErrInterrupted says that the run was stopped from outside; what was measured
// is kept.
var ErrInterrupted = errors.New("interrupted")

// Cases expands a plan for the stacks of this machine: names are resolved to
// stacks as loaded, and what cannot be measured carries its reason.
func Cases(ctx context.Context, p *plan.Plan, stacks Stacks) ([]Planned, error) {
	var here []string
	if p.UsesHere() {
		here = stacks.Here(ctx)
	}
	var out []Planned
	seen := map[string]bool{}
	for _, c := range p.Expand(here) {
		planned, err := resolve(ctx, c, stacks)
		if err != nil {
			return nil, err
		}
		if id := planned.Case.ID(); !seen[id] {
			seen[id] = true
			out = append(out, planned)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("the plan has no case for the stacks of this machine")
	}
	return out, nil
}

// Planned is a case with its stacks, ready to be measured.
type Planned struct {
	Case           spec.Case
	Client, Server *stack.Stack // Server is nil for a foreign one
	Cannot         string       // why it cannot be measured here
}

// Emulated tells whether the case needs an emulated link, and can be measured.
func (p Planned) Emulated() bool { return p.Cannot == "" && emulated(p.Case) }

// resolve finds the stacks of a case and writes their versions into it. A stack
// that is not here makes the case one that cannot be measured. Without a server
// it is the stack of the client, without authentication ecdsa-p256.
func resolve(ctx context.Context, c spec.Case, stacks Stacks) (Planned, error) {
	if c.Client == "" {
		return Planned{}, fmt.Errorf("the case %q has no client", c)
	}
	c.Server = cmp.Or(c.Server, c.Client)
	p := Planned{Case: c}
	var clientErr, serverErr error
	p.Client, clientErr = find(ctx, &p.Case.Client, stacks)
	p.Server, serverErr = find(ctx, &p.Case.Server, stacks)
	err := cmp.Or(clientErr, serverErr)
	var missing *stack.MissingError
	switch {
	case errors.As(err, &missing):
		p.Cannot = missing.Error()
		return p, nil
	case err != nil:
		return p, err
	}
	if p.Server != nil && p.Server.Info.Application == "" { // others have certificates of their own
		p.Case.Auth = cmp.Or(p.Case.Auth, spec.AuthECDSAP256)
	}
	p.Cannot = cannot(p.Case, p.Client, p.Server)
	return p, nil
}

// find resolves one name in place.
func find(ctx context.Context, name *string, stacks Stacks) (*stack.Stack, error) {
	ref, err := spec.ParseStackRef(*name)
	if err != nil {
		return nil, err
	}
	if ref.Address != "" {
		return nil, nil
	}
	s, err := stacks.Resolve(ctx, ref)
	if err != nil {
		return nil, err
	}
	*name = s.Name
	return s, nil
}

// Run measures the cases into the directory and returns a row for each, also
// when it ends with an error; then the rows tell what was measured until then.
// blocks are those of an earlier part of the same run.
func Run(ctx context.Context, cases []Planned, dir *result.Dir, blocks []result.Block, opt Options) ([]result.Row, error) {
	ids, err := newIdentities()
	if err != nil {
		return nil, err
	}
	defer ids.close()
	l := &Lab{
		dir: dir, opt: opt, started: time.Now(),
		bench: newBench(ids, opt.Set, time.Duration(opt.Effort.Timeout)),
		rng:   rand.New(rand.NewPCG(opt.Seed, uint64(len(blocks)))),
	}
	l.bench.emulator, l.bench.seed = opt.Emulator, opt.Seed
	l.adopt(cases, blocks)
	l.opt.Watch.Begin(Entries(cases), opt.Effort)
	if err = l.groups(ctx); err != nil {
		for _, m := range l.unfinished() {
			m.stopped = cmp.Or(m.stopped, result.StoppedInterrupt)
		}
	}
	rows := l.rows()
	if kept := l.keep(rows); err == nil {
		err = kept
	}
	return rows, err
}

// Entries describes the cases for the run's description.
func Entries(cases []Planned) []result.CaseEntry {
	out := make([]result.CaseEntry, len(cases))
	for i, p := range cases {
		out[i] = result.CaseEntry{ID: p.Case.ID(), Text: p.Case.String(), Cannot: p.Cannot}
	}
	return out
}

// adopt takes the cases and gives each its blocks of an earlier part. A case
// whose time had run out then gets no more.
func (l *Lab) adopt(cases []Planned, blocks []result.Block) {
	before := map[string]result.Row{}
	for _, r := range l.opt.Rows {
		before[r.ID] = r
	}
	byCase := map[string][]result.Block{}
	for _, b := range blocks {
		byCase[b.Case] = append(byCase[b.Case], b)
	}
	for _, p := range cases {
		m := &measured{Planned: p, id: p.Case.ID(), effort: l.opt.Effort}
		for _, b := range byCase[m.id] {
			m.take(b)
		}
		if r, known := before[m.id]; known && r.Stopped != result.StoppedInterrupt {
			m.kept = true
			m.stopped = cmp.Or(m.stopped, textIf(r.Stopped == result.StoppedTime, r.Stopped))
		}
		l.cases = append(l.cases, m)
	}
}

// groups measures the cases group by group, each with its share of the time.
func (l *Lab) groups(ctx context.Context) error {
	open := l.unfinished()
	for len(open) > 0 {
		n := min(maxOpen, len(open))
		deadline := l.deadline(n, len(open))
		if err := l.group(ctx, open[:n], deadline); err != nil {
			return err
		}
		open = open[n:]
	}
	return nil
}

// deadline gives n of left cases their share of the time that is left; zero
// means none.
func (l *Lab) deadline(n, left int) time.Time {
	if l.opt.Effort.Time == 0 {
		return time.Time{}
	}
	rest := time.Duration(l.opt.Effort.Time) - time.Since(l.started)
	return time.Now().Add(rest * time.Duration(n) / time.Duration(left))
}

// unfinished lists the cases that are still to be measured, if only in a pass. Those
// of one link are together: they are compared with one another.
func (l *Lab) unfinished() []*measured {
	open := filter(l.cases, func(m *measured) bool {
		return m.Cannot == "" && (m.stopped == "" || len(m.missing()) > 0)
	})
	var links []string
	for _, m := range open {
		if !slices.Contains(links, m.Case.Link) {
			links = append(links, m.Case.Link)
		}
	}
	slices.SortStableFunc(open, func(a, b *measured) int {
		return slices.Index(links, a.Case.Link) - slices.Index(links, b.Case.Link)
	})
	return open
}

// rows returns the row of every case.
func (l *Lab) rows() []result.Row {
	var rows []result.Row
	for _, m := range l.cases {
		rows = append(rows, l.row(m))
	}
	return rows
}

func (l *Lab) row(m *measured) result.Row {
	row := m.row(l.opt.Seed)
	row.Published = result.Figures(l.opt.Plan, m.Case)
	return row
}

// keep writes the rows that finish has not: of cases that cannot be measured,
// and of those that an interruption cut short.
func (l *Lab) keep(rows []result.Row) error {
	for i, m := range l.cases {
		if m.kept || m.Cannot == "" && m.attempted == 0 {
			continue
		}
		if err := l.dir.AppendRow(rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// interrupted is ErrInterrupted with its cause.
func interrupted(ctx context.Context) error {
	return fmt.Errorf("%w: %w", ErrInterrupted, context.Cause(ctx))
}
