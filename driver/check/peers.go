package check

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"slices"
	"time"

	"shakedown/driver"
)

// patience is the handshake deadline given for peers that do not answer.
const patience = 700 * time.Millisecond

// noConnect is why a check of a client is skipped.
const noConnect = "it has no client"

// peer is a misbehaving other end: what it does to a connection, and the
// reasons that a driver may give.
type peer struct {
	name    string
	do      func(net.Conn)
	reasons []string
}

var badPeers = []peer{
	{"a peer that never answers", hold, []string{"timeout"}},
	{"a peer that sends garbage", garbage, []string{"protocol", "alert", "other"}},
	{"a peer that resets the connection", reset, []string{"reset", "closed"}},
	{"a peer that closes at once", hangUp, []string{"closed", "reset"}},
	{"a peer that sends one byte a second", drip, []string{"timeout"}},
}

// hold keeps the connection and says nothing until the other end goes.
func hold(c net.Conn) { _, _ = io.Copy(io.Discard, c) }

func garbage(c net.Conn) {
	junk := make([]byte, 4096)
	_, _ = rand.Read(junk)
	junk[0] = 0x55 // no content type of TLS
	_, _ = c.Write(junk)
	hold(c)
}

func reset(c net.Conn) {
	_, _ = io.ReadFull(c, make([]byte, 16))
	_ = c.(*net.TCPConn).SetLinger(0)
}

func hangUp(net.Conn) {}

// drip begins a handshake record and never finishes it.
func drip(c net.Conn) {
	for _, b := range []byte{0x16, 0x03, 0x03, 0x00, 0x7a, 0x02, 0x00, 0x00} {
		if _, err := c.Write([]byte{b}); err != nil {
			return
		}
		time.Sleep(patience / 3)
	}
	hold(c)
}

// peers lets the driver meet misbehaving ends, as client and as server.
func (s *suite) peers(ctx context.Context) {
	for _, p := range badPeers {
		s.check(ctx, "server against "+p.name, func(ctx context.Context) error { return s.serverAgainst(ctx, p) })
	}
	if !s.connects() {
		s.skip("client against misbehaving servers", noConnect)
		return
	}
	for _, p := range badPeers {
		s.check(ctx, "client against "+p.name, func(ctx context.Context) error { return s.clientAgainst(ctx, p) })
	}
	s.check(ctx, "client against a port where nobody listens", func(ctx context.Context) error {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		address := l.Addr().String()
		_ = l.Close()
		return s.clientFails(ctx, address, []string{"refused"})
	})
}

func (s *suite) clientAgainst(ctx context.Context, p peer) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			p.do(c)
			_ = c.Close()
		}
	}()
	return s.clientFails(ctx, l.Addr().String(), p.reasons)
}

// clientFails expects one failed handshake with one of the reasons.
func (s *suite) clientFails(ctx context.Context, address string, reasons []string) error {
	_, flags, err := s.flags(s.plain())
	if err != nil {
		return err
	}
	flags.To, flags.Timeout = address, patience
	client, err := driver.Start(ctx, s.command, "connect", flags)
	if err != nil {
		return err
	}
	block, err := client.Run(ctx, 1)
	if err != nil {
		client.Kill()
		return err
	}
	if h := block.Handshakes[0]; h.OK || !slices.Contains(reasons, h.Reason) {
		client.Kill()
		return fmt.Errorf("ok %v, reason %q (%s): want a failure: %v", h.OK, h.Reason, h.Detail, reasons)
	}
	return client.Close(quit)
}

// serverAgainst lets a bad client call, then a good one: the server must
// survive the first and serve the second.
func (s *suite) serverAgainst(ctx context.Context, p peer) error {
	server, client, err := s.flags(s.plain())
	if err != nil {
		return err
	}
	server.Timeout = patience
	pair, err := s.start(ctx, server, client)
	if err != nil {
		return err
	}
	bad, err := net.Dial("tcp", pair.server.Ready.Address)
	if err != nil {
		return err
	}
	port := bad.LocalAddr().(*net.TCPAddr).Port
	gone := make(chan struct{})
	go func() { p.do(bad); _ = bad.Close(); close(gone) }()
	defer func() { _ = bad.Close(); <-gone }()
	joined, _, report, err := pair.run(ctx, 1)
	if err != nil {
		return err
	}
	if h := report.ByPort[port]; h.OK || h.Side == "" || h.Reason == "" {
		return fmt.Errorf("account of the bad client: %+v, want a failure with a reason", h)
	}
	if err := joined[0].hold(s.plain()); err != nil {
		return fmt.Errorf("the good client after it: %w", err)
	}
	return pair.close()
}
