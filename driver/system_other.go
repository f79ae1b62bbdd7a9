//go:build !linux && !darwin && !windows

package driver

import (
	"syscall"
	"time"
)

// What the network's errors are called here.
var (
	errsRefused = []error{syscall.ECONNREFUSED}
	errsReset   = []error{syscall.ECONNRESET, syscall.EPIPE}
)

// cpuTime is not told by this system.
func cpuTime() time.Duration { return 0 }
