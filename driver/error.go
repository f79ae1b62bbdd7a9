package driver

import (
	"encoding/json"
	"fmt"
)

// CannotError says that a driver did not set up: the stack lacks what was
// asked (Reason "cannot") or something around it failed (Reason "setup").
type CannotError struct{ Line Error }

// Error gives the flag that named it and the driver's reason.
func (e *CannotError) Error() string {
	if e.Line.What != "" {
		return fmt.Sprintf("%s: %s", e.Line.What, e.Line.Detail)
	}
	return e.Line.Detail
}

// CrashError says that a driver ended before it had answered.
type CrashError struct {
	Status string // "exit status 1", "signal: killed"
	Stderr string // the end of what it said
}

// Error gives the status and what the driver said last.
func (e *CrashError) Error() string {
	if e.Stderr == "" {
		return "driver ended: " + e.Status
	}
	return fmt.Sprintf("driver ended: %s: %s", e.Status, e.Stderr)
}

// cannot decodes an error line.
func cannot(line []byte) error {
	var e Error
	if err := json.Unmarshal(line, &e); err != nil {
		return err
	}
	return &CannotError{e}
}
