package result

import (
	"slices"
	"time"

	"shakedown/machine"
	"shakedown/plan"
	"shakedown/spec"
)

// Run describes a run: everything that could explain a figure.
type Run struct {
	Schema      int                 `json:"schema"`
	Tool        string              `json:"tool"` // version of shakedown
	Started     time.Time           `json:"started"`
	CommandLine []string            `json:"command_line"`
	Seed        uint64              `json:"seed"`
	Plan        plan.Plan           `json:"plan"`
	Effort      plan.Effort         `json:"effort"` // in force, after --quick and flags
	Environment machine.Environment `json:"environment"`
	Stacks      map[string]Stack    `json:"stacks"` // by the name that cases use, such as "openssl@3.5.4"
	Cases       []CaseEntry         `json:"cases"`  // in the order of the plan
	Settings    Settings            `json:"settings,omitzero"`
}

// Sort puts rows into the order of the plan, in which the run itself shows them;
// rows.jsonl has them as they were finished.
func (r *Run) Sort(rows []Row) {
	place := map[string]int{}
	for i, c := range r.Cases {
		place[c.ID] = i
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return place[a.ID] - place[b.ID] })
}

// Settings are the flags of a run that change what happens and are no part of
// a case.
type Settings struct {
	Fault    string `json:"fault,omitempty"`    // misbehaviour asked of clients, for self-tests
	CA       string `json:"ca,omitempty"`       // root for servers that are no drivers; empty: the system's
	Insecure bool   `json:"insecure,omitempty"` // such servers are not verified
	MSS      int    `json:"mss,omitempty"`      // B of payload in a packet, for composed packets; 0: of Ethernet
}

// CaseEntry is a case as planned.
type CaseEntry struct {
	ID     string `json:"id"`
	Text   string `json:"text"`
	Cannot string `json:"cannot,omitempty"` // why it cannot be measured here
}

// Stack is a stack as loaded.
type Stack struct {
	spec.Info
	Root    string `json:"root,omitempty"`
	Program string `json:"program"`
}
