//go:build linux || darwin

package driver

import (
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// What the network's errors are called here.
var (
	errsRefused = []error{unix.ECONNREFUSED}
	errsReset   = []error{unix.ECONNRESET, unix.EPIPE, unix.ECONNABORTED}
)

// monotonic reads the clock that all processes of the machine share, ns.
func monotonic() int64 { return clockNanos(unix.CLOCK_MONOTONIC) }

// cpuTime is the processor time of this process so far, user and system.
func cpuTime() time.Duration { return time.Duration(clockNanos(unix.CLOCK_PROCESS_CPUTIME_ID)) }

func clockNanos(id int32) int64 {
	var t unix.Timespec
	if unix.ClockGettime(id, &t) != nil {
		return 0
	}
	return t.Nano()
}

// acceptPending accepts a connection that waits already, nil when none does.
func acceptPending(l *net.TCPListener) (net.Conn, error) {
	raw, err := l.SyscallConn()
	if err != nil {
		return nil, err
	}
	waits := false
	err = raw.Control(func(fd uintptr) {
		polled := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, _ := unix.Poll(polled, 0)
		waits = n > 0
	})
	if err != nil || !waits {
		return nil, err
	}
	return l.Accept()
}
