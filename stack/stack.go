// Package stack is the literal list of stacks and finds those of this machine:
// the Go stacks inside this binary, and native libraries through drivers that
// are compiled against them.
package stack

import (
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
