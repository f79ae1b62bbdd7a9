package virtual

import (
	"errors"
	"net"
	"os"

	"github.com/quic-go/quic-go/testutils/simnet"
)

// conn is one end of the link, with the errors that [net.PacketConn] asks for.
type conn struct{ *simnet.SimConn }

// ReadFrom waits for a datagram. What does not fit into the buffer is cut off.
func (c conn) ReadFrom(b []byte) (n int, from net.Addr, err error) {
	n, from, err = c.SimConn.ReadFrom(b)
	return n, from, expired(err)
}

// WriteTo sends a datagram, and does not wait.
func (c conn) WriteTo(b []byte, to net.Addr) (n int, err error) {
	n, err = c.SimConn.WriteTo(b, to)
	return n, expired(err)
}

// expired turns the error of a deadline into that of other connections.
func expired(err error) error {
	if errors.Is(err, simnet.ErrDeadlineExceeded) {
		return os.ErrDeadlineExceeded
	}
	return err
}
