package driver

import (
	"errors"
	"io"
	"net"

	"shakedown/spec"
)

// plain is a stack without cryptography. Its handshake is one byte each way: F
// for full, R for resumed, E for early data that follows; a or r in return, for
// accepted or rejected early data.
type plain struct {
	tickets bool // servers leave sessions behind
	rejects bool // servers reject early data
}

func (plain) Name() string { return "plain" }

func (plain) Info() (spec.Info, error) { return spec.Info{Version: "1"}, nil }

func (p plain) Server(cfg Config) (Side, error) {
	if cfg.Version == "1.2" {
		return nil, Cannot("version", "plain has no %s", cfg.Version)
	}
	return &plainSide{plain: p, cfg: cfg, server: true}, nil
}

func (p plain) Client(cfg Config) (Side, error) { return &plainSide{plain: p, cfg: cfg}, nil }

type plainSide struct {
	plain
	cfg     Config
	server  bool
	session bool
}

func (s *plainSide) HasSession() bool     { return s.session }
func (s *plainSide) Open(c net.Conn) Conn { return &plainConn{Conn: c, side: s} }

type plainConn struct {
	net.Conn
	side  *plainSide
	kind  byte
	early byte
}

func (c *plainConn) SaveSession()     { c.side.session = c.side.tickets }
func (c *plainConn) Close(bool) error { return c.Conn.Close() }
func (c *plainConn) Failure(err error) Failure {
	return Failure{Reason: ReasonProtocol, Detail: err.Error()}
}

func (c *plainConn) Proof() spec.Proof {
	p := spec.Proof{Version: "1.3", Mode: map[byte]string{'F': "full", 'R': "resumed", 'E': "resumed"}[c.kind]}
	if c.kind == 'E' {
		p.Early = EarlyRejected
		if c.early == 'a' {
			p.Mode, p.Early = "early-data", EarlyAccepted
		}
	}
	return p
}

func (c *plainConn) WriteEarly(b []byte) error {
	c.kind = 'E'
	_, err := c.Write(append([]byte{'E'}, b...))
	return err
}

func (c *plainConn) Handshake() error {
	if c.side.server {
		return c.HandshakeEarly(func([]byte) []byte { return nil })
	}
	if c.kind == 0 {
		c.kind = 'F'
		if c.side.session {
			c.kind = 'R'
		}
		if _, err := c.Write([]byte{c.kind}); err != nil {
			return err
		}
	}
	return c.byte(&c.early)
}

func (c *plainConn) byte(into *byte) error {
	b := make([]byte, 1)
	_, err := io.ReadFull(c.Conn, b)
	*into = b[0]
	return err
}

func (c *plainConn) HandshakeEarly(got func([]byte) []byte) error {
	if err := c.byte(&c.kind); err != nil {
		return err
	}
	c.early = 'a'
	var reply []byte
	switch c.kind {
	case 'F', 'R':
	case 'E':
		early := make([]byte, c.side.cfg.Request)
		if _, err := io.ReadFull(c.Conn, early); err != nil {
			return err
		}
		if c.side.rejects {
			c.early = 'r'
		} else {
			got(early[:1])
			reply = got(early[1:])
		}
	default:
		return errors.New("neither F nor R nor E")
	}
	_, err := c.Write(append([]byte{c.early}, reply...))
	return err
}
