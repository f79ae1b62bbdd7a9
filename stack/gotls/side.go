package gotls

import (
	"crypto/tls"
	"net"

	"shakedown/driver"
	"shakedown/spec"
)

// side is one end's context.
type side struct {
	config   *tls.Config
	server   bool
	sessions *sessions // of a client that resumes, else nil
	shown    bool      // this client was asked for its certificate and showed it
}

// Server makes the context of a server.
func (stack) Server(cfg driver.Config) (driver.Side, error) {
	config, err := newConfig(cfg)
	if err != nil {
		return nil, err
	}
	// A ticket of TLS 1.2 is a message of the handshake, and here of no use.
	config.SessionTicketsDisabled = cfg.Mode == string(spec.ModeFull) && cfg.Version == "1.2"
	if cfg.Mutual {
		config.ClientAuth = tls.RequireAndVerifyClientCert
		config.ClientCAs, err = readRoots(cfg.CA)
	}
	return &side{config: config, server: true}, err
}

// Client makes the context of a client.
func (stack) Client(cfg driver.Config) (driver.Side, error) {
	config, err := newConfig(cfg)
	if err != nil {
		return nil, err
	}
	s := &side{config: config}
	if config.RootCAs, err = readRoots(cfg.CA); err != nil {
		return nil, err
	}
	if cfg.Mode == string(spec.ModeResumed) {
		s.sessions = &sessions{}
		config.ClientSessionCache = s.sessions
	}
	s.showCertificate(cfg.Mutual)
	return s, nil
}

// showCertificate gives the certificate to a server that asks, only then, and
// notes it.
func (s *side) showCertificate(mutual bool) {
	certificates := s.config.Certificates
	s.config.Certificates = nil
	if !mutual || len(certificates) == 0 {
		return
	}
	s.config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
		s.shown = true
		return &certificates[0], nil
	}
}

// HasSession tells whether a client has a session to offer.
func (s *side) HasSession() bool { return s.sessions != nil && s.sessions.offer != nil }

// Open makes a connection.
func (s *side) Open(raw net.Conn) driver.Conn {
	s.shown = false
	if s.sessions != nil {
		s.sessions.begin()
	}
	if s.server {
		return &conn{Conn: tls.Server(raw, s.config), raw: raw, side: s}
	}
	return &conn{Conn: tls.Client(raw, s.config), raw: raw, side: s}
}

// conn is one connection.
type conn struct {
	*tls.Conn
	raw  net.Conn
	side *side
}

// SaveSession keeps the newest session for the next connection.
func (c *conn) SaveSession() {
	if c.side.sessions != nil {
		c.side.sessions.save(c.ConnectionState().Version == tls.VersionTLS13)
	}
}

// Close ends the connection.
func (c *conn) Close(notify bool) error {
	if notify {
		return c.Conn.Close()
	}
	return c.raw.Close()
}

// sessions is the session cache of one client that talks to one server.
type sessions struct {
	offer *tls.ClientSessionState // for this connection and, until saved, the next
	fresh *tls.ClientSessionState // came on this connection
	taken bool                    // the offer was made on this connection
}

func (s *sessions) begin() { s.fresh, s.taken = nil, false }

// Get hands out the session to offer.
func (s *sessions) Get(string) (*tls.ClientSessionState, bool) {
	s.taken = s.offer != nil
	return s.offer, s.taken
}

// Put takes a session that came; nil says that the offered one is of no use.
func (s *sessions) Put(_ string, session *tls.ClientSessionState) {
	if session == nil {
		s.offer = nil
		return
	}
	s.fresh = session
}

// save makes what came the next offer. A ticket of TLS 1.3 is for one use
// (RFC 8446 C.4), one of TLS 1.2 holds until another comes.
func (s *sessions) save(once bool) {
	if s.fresh != nil || once && s.taken {
		s.offer = s.fresh
	}
}
