// Package plan reads plans: YAML files that span a matrix of cases, say how
// long to measure, and carry the published figures they repeat.
package plan

import (
	"slices"

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
	// Processes is how many connections in a row are made with a client process each,
	// three times, to measure what starting the client costs; 0: none.
	Processes int `yaml:"processes" json:"processes,omitempty"`
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
	if other.Processes != 0 {
		e.Processes = other.Processes
	}
	return e
}

// Belongs tells whether the figure is about this case.
func (f Figure) Belongs(c spec.Case) bool { return f.Case.Matches(c) }

// BelongsToOne tells whether the figure is about at least one of the cases.
func (f Figure) BelongsToOne(cases []spec.Case) bool {
	return slices.ContainsFunc(cases, f.Belongs)
}
