//go:build !linux

package machine

// memory stays unknown.
func (e *Environment) memory() {}
