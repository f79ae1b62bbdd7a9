//go:build !linux && !darwin

package driver

import (
	"errors"
	"net"
	"os"
	"time"
)

// pendingWait is how long a connection gets to show that it is pending.
const pendingWait = 20 * time.Millisecond

// monotonic reads the wall clock, which the Go drivers of a machine share, ns.
func monotonic() int64 { return time.Now().UnixNano() }

// acceptPending accepts a connection that waits already, nil when none does.
func acceptPending(l *net.TCPListener) (net.Conn, error) {
	if err := l.SetDeadline(time.Now().Add(pendingWait)); err != nil {
		return nil, err
	}
	conn, err := l.Accept()
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, l.SetDeadline(time.Time{})
	}
	return conn, err
}
