package check

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"shakedown/driver"
	"shakedown/spec"
)

// several is how many handshakes make a check of a claim: sessions and tickets
// must survive being used.
const several = 3

// claims tries everything that `info` promises, in real handshakes.
func (s *suite) claims(ctx context.Context) {
	for _, v := range s.info.Versions {
		for _, m := range s.info.Modes {
			s.claim(ctx, fmt.Sprintf("TLS %s %s", v, m), func(c *spec.Case) { c.Version, c.Mode = spec.Version(v), spec.Mode(m) })
		}
	}
	for _, a := range s.info.Auths {
		for _, v := range s.info.Versions {
			s.claim(ctx, fmt.Sprintf("TLS %s auth %s", v, a), func(c *spec.Case) { c.Auth, c.Version = spec.Auth(a), spec.Version(v) })
		}
	}
	for _, g := range s.info.Groups {
		s.claim(ctx, "group "+g, func(c *spec.Case) { c.Group = g })
	}
	for _, suite := range s.info.Suites {
		s.claimSuite(ctx, suite)
	}
	s.mutual(ctx)
	s.helloRetry(ctx)
	s.skipTicket(ctx)
	s.lacking(ctx)
}

// claim checks one variant of the plain case, unless it cannot exist.
func (s *suite) claim(ctx context.Context, name string, vary func(*spec.Case)) {
	c := s.plain()
	vary(&c)
	if c.Validate() != nil {
		return
	}
	s.check(ctx, name, func(ctx context.Context) error { return s.handshakes(ctx, c, several) })
}

// claimSuite checks a cipher suite with the version and authentication it asks
// for. Suites without forward secrecy or certificates are not the lab's.
func (s *suite) claimSuite(ctx context.Context, name string) {
	suite, err := spec.ParseSuite(name)
	if err != nil {
		return // told by info
	}
	s.claim(ctx, "suite "+name, func(c *spec.Case) {
		c.Suite = name
		if !suite.TLS13 {
			c.Version = "1.2"
			c.Auth = authFor(suite)
		}
	})
}

// authFor picks the authentication that a TLS 1.2 suite is made for.
func authFor(s spec.Suite) spec.Auth {
	switch s.Auth {
	case "RSA":
		return spec.AuthRSA2048
	case "PSK":
		return spec.AuthPSK
	}
	return spec.AuthECDSAP256
}

func (s *suite) mutual(ctx context.Context) {
	if !s.info.Mutual {
		s.skip("mutual", "not claimed")
		return
	}
	for _, v := range s.info.Versions {
		s.claim(ctx, "TLS "+v+" mutual", func(c *spec.Case) { c.Version, c.Mutual = spec.Version(v), true })
	}
}

// helloRetry offers two groups, with a share for the one that the server lacks.
func (s *suite) helloRetry(ctx context.Context) {
	const name = "HelloRetryRequest"
	if !s.info.HelloRetry {
		s.skip(name, "not claimed")
		return
	}
	first, second := s.twoGroups()
	if second == "" {
		s.skip(name, "fewer than two groups")
		return
	}
	c := s.plain()
	c.Retry, c.Group = true, second
	s.check(ctx, name, func(ctx context.Context) error {
		server, client, err := s.flags(c)
		if err != nil {
			return err
		}
		client.Groups = []string{first, second}
		return s.handshakesWith(ctx, c, several, server, client)
	})
}

// twoGroups are two unrelated groups, in the order in which the stack has them.
func (s *suite) twoGroups() (first, second string) {
	for _, name := range s.info.Groups {
		g, err := spec.ParseGroup(name)
		switch {
		case err != nil || g.Class != spec.ClassEC:
		case first == "":
			first = name
		case second == "":
			second = name
		}
	}
	return first, second
}

// skipTicket: a client that saves its session before it has read a ticket must
// say that the next handshake was a full one.
func (s *suite) skipTicket(ctx context.Context) {
	const name = "ticket not read: no resumption is claimed"
	if !s.connects() {
		s.skip(name, noConnect)
		return
	}
	if s.newest() != "1.3" || !slices.Contains(s.info.Modes, "resumed") {
		s.skip(name, "no TLS 1.3 resumption claimed")
		return
	}
	c := s.plain()
	c.Mode = spec.ModeResumed
	s.check(ctx, name, func(ctx context.Context) error {
		server, client, err := s.flags(c)
		if err != nil {
			return err
		}
		client.Fault = "skip-ticket"
		p, err := s.start(ctx, server, client)
		if err != nil {
			return err
		}
		joined, _, _, err := p.run(ctx, several)
		if err != nil {
			return err
		}
		for _, h := range joined {
			if h.client.OK && h.client.Proof != nil && h.client.Proof.Mode != "full" {
				return fmt.Errorf("the client claims %s", h.client.Proof.Mode)
			}
		}
		return p.close()
	})
}

// lacking: what the stack has not is refused with an error line, not ignored.
func (s *suite) lacking(ctx context.Context) {
	missing := ""
	for _, g := range []string{"ffdhe8192", "brainpoolP512r1tls13", "SecP384r1MLKEM1024", "x448"} {
		if !slices.Contains(s.info.Groups, g) {
			missing = g
			break
		}
	}
	if missing == "" {
		s.skip("a group that is not there", "the stack has all that were thought of")
		return
	}
	s.check(ctx, "a group that is not there ("+missing+") is refused", func(ctx context.Context) error {
		c := s.plain()
		c.Group = missing
		server, _, err := s.flags(c)
		if err != nil {
			return err
		}
		p, err := driver.Start(ctx, s.command, "serve", server)
		if err == nil {
			p.Kill()
			return fmt.Errorf("the server started all the same")
		}
		return refusal(err, "cannot")
	})
}

// refusal checks that an error came as an error line with this reason.
func refusal(err error, reason string) error {
	var refused *driver.CannotError
	if !errors.As(err, &refused) {
		return fmt.Errorf("no error line: %w", err)
	}
	if refused.Line.Reason != reason || refused.Line.Detail == "" {
		return fmt.Errorf("reason %q, detail %q: want %q and a detail", refused.Line.Reason, refused.Line.Detail, reason)
	}
	return nil
}

// secret checks that a key log was written for its owner alone.
func secret(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return fmt.Errorf("no key log: %w", err)
	}
	if info.Mode().Perm() != 0o600 || info.Size() == 0 {
		return fmt.Errorf("key log of %d bytes with mode %v, want some with 0600", info.Size(), info.Mode().Perm())
	}
	return nil
}
