package caddy

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"time"
)

// knock calls at an address until a server shows its certificate there, or the
// context ends.
func knock(ctx context.Context, address string) {
	for ctx.Err() == nil {
		if call(ctx, address) {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// call makes one connection with a request, and waits until the server has
// closed it: then what came of it is in the log. It tells whether a certificate
// was shown; a server that demands one from the client goes no further.
func call(ctx context.Context, address string) (shown bool) {
	var dialer net.Dialer
	raw, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return false
	}
	defer raw.Close()
	deadline, _ := ctx.Deadline()
	_ = raw.SetDeadline(deadline)
	conn := tls.Client(raw, anything(func() { shown = true }))
	if conn.Handshake() == nil {
		_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
		_, _ = io.Copy(io.Discard, conn)
	}
	_, _ = io.Copy(io.Discard, raw)
	return shown
}

// anything offers all that crypto/tls has and verifies nothing: who answers is
// the Caddy that was just started on this very socket.
func anything(shown func()) *tls.Config {
	c := &tls.Config{
		ServerName: "localhost", MinVersion: tls.VersionTLS12, InsecureSkipVerify: true,
		VerifyConnection: func(tls.ConnectionState) error { shown(); return nil },
	}
	for _, suite := range append(tls.CipherSuites(), tls.InsecureCipherSuites()...) {
		c.CipherSuites = append(c.CipherSuites, suite.ID)
	}
	return c
}
