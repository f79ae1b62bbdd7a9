package space

import "fmt"

// RefusedError says what the system does not allow, and what would change that.
type RefusedError struct {
	What string // "a user namespace"
	Err  error
	Hint string
}

// Error says what was refused and why.
func (e *RefusedError) Error() string { return fmt.Sprintf("no %s: %v", e.What, e.Err) }

// Unwrap gives the system's error.
func (e *RefusedError) Unwrap() error { return e.Err }
