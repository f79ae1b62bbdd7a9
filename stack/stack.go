// Package stack is the literal list of stacks and finds those of this machine:
// the Go stacks inside this binary, native libraries through drivers that are
// compiled against them, and Caddy.
package stack

import (
	"slices"

	"shakedown/driver"
	"shakedown/spec"
)

// Stack is a stack that can be operated here.
type Stack struct {
	Name    string // with its version as loaded: "openssl@3.5.4"
	Root    string // directory of another distribution's files, empty for this machine's own
	Command driver.Command
	Info    spec.Info
}

// can tells whether the stack's driver has a verb.
func (s *Stack) can(verb string) bool { return slices.Contains(s.Info.Verbs, verb) }
