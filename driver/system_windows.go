package driver

import (
	"time"

	"golang.org/x/sys/windows"
)

// What the network's errors are called here.
var (
	errsRefused = []error{windows.WSAECONNREFUSED}
	errsReset   = []error{windows.WSAECONNRESET, windows.WSAECONNABORTED, windows.WSAESHUTDOWN}
)

// cpuTime is the processor time of this process so far, user and system.
func cpuTime() time.Duration {
	var created, ended, system, user windows.Filetime
	if windows.GetProcessTimes(windows.CurrentProcess(), &created, &ended, &system, &user) != nil {
		return 0
	}
	return ticks(system) + ticks(user)
}

// ticks turns a count of 100 ns into a duration.
func ticks(t windows.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
}
