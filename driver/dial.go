package driver

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"time"
)

// dialer opens TCP connections, with TCP_NODELAY and without keep-alive, to an
// address that was looked up before. It begins with the one of the hosts that
// answered last.
type dialer struct {
	addresses []string
	last      int
}

// newDialer looks up HOST:PORT, for at most the timeout.
func newDialer(to string, timeout time.Duration) (*dialer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	host, service, err := net.SplitHostPort(to)
	if err != nil {
		return nil, fmt.Errorf("--to: %w", err)
	}
	port, err := net.DefaultResolver.LookupPort(ctx, "tcp", service)
	if err != nil {
		return nil, fmt.Errorf("--to: %w", err)
	}
	hosts, err := net.DefaultResolver.LookupHost(ctx, host)
	if err != nil {
		return nil, fmt.Errorf("--to: %w", err)
	}
	d := &dialer{}
	for _, h := range hosts {
		d.addresses = append(d.addresses, net.JoinHostPort(h, strconv.Itoa(port)))
	}
	return d, nil
}

// dial tries each address once, until the deadline. The error is the first.
func (d *dialer) dial(deadline time.Time) (net.Conn, error) {
	tcp := net.Dialer{Deadline: deadline, KeepAlive: -1}
	var first error
	for i := range d.addresses {
		next := (d.last + i) % len(d.addresses)
		conn, err := tcp.Dial("tcp", d.addresses[next])
		if err == nil {
			d.last = next
			return conn, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}
