// Package plan reads plans: YAML files that span a matrix of cases, say how
// long to measure, and carry the published figures they repeat.
package plan

import (
	"errors"
	"fmt"
	"slices"

	"github.com/goccy/go-yaml"

	"shakedown/spec"
)

// Plan is what one run does.
type Plan struct {
	Name     string `yaml:"name" json:"name"`
	Title    string `yaml:"title" json:"title"`
	Question string `yaml:"question" json:"question,omitempty"`
	Source   string `yaml:"source" json:"source,omitempty"` // the paper or article it repeats

	Effort `yaml:",inline"`
	Quick  Effort `yaml:"quick" json:"quick,omitzero"` // replaces what it sets, with --quick

	Cases       []Matrix     `yaml:"cases" json:"cases"`
	Comparisons []Comparison `yaml:"comparisons" json:"comparisons,omitempty"`
	Published   []Figure     `yaml:"published" json:"published,omitempty"`
	Notes       []string     `yaml:"notes" json:"notes,omitempty"` // what the reader must know about the published figures
}

// Effort says when a case has been measured enough: whichever comes first.
type Effort struct {
	Samples   int      `yaml:"samples" json:"samples,omitempty"`     // per case; 0: no bound
	Time      Duration `yaml:"time" json:"time,omitempty"`           // of the whole run; 0: no bound
	Precision float64  `yaml:"precision" json:"precision,omitempty"` // half width of the interval / median; 0: does not stop
	Block     int      `yaml:"block" json:"block,omitempty"`         // repetitions in a block; 0: what lasts about half a second
	Timeout   Duration `yaml:"timeout" json:"timeout,omitempty"`     // of one handshake; 0: 10 s
}

// Published is a figure of somebody else's, shown beside ours and never mixed
// with it.
type Published struct {
	Metric string  `yaml:"metric" json:"metric"`
	Value  float64 `yaml:"value" json:"value"`
	Unit   string  `yaml:"unit" json:"unit,omitempty"`
	Source string  `yaml:"source" json:"source"`
}

// Figure is a published figure and the cases it belongs to: those that have the
// given values in the given fields.
type Figure struct {
	Case      Where `yaml:"case" json:"case"`
	Published `yaml:",inline"`
}

// Comparison sets cases against a base case that differs in the named fields
// only, and states the gain: base / case − 1 of a metric's statistic, in percent
// more repetitions in the same time.
type Comparison struct {
	Title     string   `yaml:"title" json:"title"`
	Metric    string   `yaml:"metric" json:"metric"`
	Statistic string   `yaml:"statistic" json:"statistic,omitempty"` // "median" (default) or "mean"
	Base      Where    `yaml:"base" json:"base"`                     // field → value of the base case
	Against   []Target `yaml:"against" json:"against"`
}

// Target is one kind of case that is compared with the base.
type Target struct {
	Case      Where      `yaml:"case" json:"case"`
	Published *Published `yaml:"published" json:"published,omitempty"` // the gain that was published, percent
}

// Read decodes a plan strictly. name is the file name for messages. An error
// names file, line, and field, and shows the line.
func Read(name string, data []byte) (*Plan, error) {
	var p Plan
	if err := yaml.UnmarshalWithOptions(data, &p, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("%s: %s", name, message(err))
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &p, nil
}

// message prints a YAML error with the offending line, without colour.
func message(err error) string {
	var placed *PlaceError
	if errors.As(err, &placed) {
		return placed.Error()
	}
	return yaml.FormatError(err, false, true)
}

// check refuses a plan that cannot mean anything.
func (p *Plan) check() error {
	switch {
	case len(p.Cases) == 0:
		return errors.New(`cases: the plan measures nothing: give at least one entry, such as "- {kind: handshake, client: go, server: go}"`)
	case p.Samples < 0 || p.Time < 0 || p.Precision < 0 || p.Block < 0:
		return errors.New("samples, time, precision, block: must not be negative")
	case p.Precision >= 1:
		return fmt.Errorf("precision: %v is no precision: 0.02 means an interval of ± 2 %%", p.Precision)
	}
	for i, c := range p.Comparisons {
		if err := c.check(); err != nil {
			return fmt.Errorf("comparisons[%d]: %w", i, err)
		}
	}
	return nil
}

func (c Comparison) check() error {
	if c.Statistic != "" && c.Statistic != "median" && c.Statistic != "mean" {
		return fmt.Errorf("statistic: want median or mean, not %q", c.Statistic)
	}
	if c.Metric == "" || len(c.Base) == 0 || len(c.Against) == 0 {
		return errors.New("needs metric, base and against")
	}
	return nil
}

// Or replaces what the other effort sets.
func (e Effort) Or(other Effort) Effort {
	if other.Samples != 0 {
		e.Samples = other.Samples
	}
	if other.Time != 0 {
		e.Time = other.Time
	}
	if other.Precision != 0 {
		e.Precision = other.Precision
	}
	if other.Block != 0 {
		e.Block = other.Block
	}
	if other.Timeout != 0 {
		e.Timeout = other.Timeout
	}
	return e
}

// Belongs tells whether the figure is about this case.
func (f Figure) Belongs(c spec.Case) bool { return f.Case.Matches(c) }

// BelongsToOne tells whether the figure is about at least one of the cases.
func (f Figure) BelongsToOne(cases []spec.Case) bool {
	return slices.ContainsFunc(cases, f.Belongs)
}
