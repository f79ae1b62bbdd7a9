//go:build !linux

package space

import (
	"errors"
	"runtime"
)

// Enter has nothing to enter outside Linux.
func Enter() (status int, ran bool, err error) {
	return 0, false, &RefusedError{"network namespace", errors.New("not on " + runtime.GOOS), "emulated links need Linux"}
}
