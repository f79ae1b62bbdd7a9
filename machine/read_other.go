//go:build !linux

package machine

import "errors"

// Read is not possible: the load is read from Linux's /proc.
func Read() (Reading, error) { return Reading{}, errors.ErrUnsupported }
