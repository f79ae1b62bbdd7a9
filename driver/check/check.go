// Package check is the conformance suite of the driver protocol: a program that
// passes it can be operated by the lab (docs/driver.md).
package check

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"shakedown/driver"
	"shakedown/pki"
	"shakedown/spec"
)

// Result is the outcome of one check.
type Result struct {
	Name    string `json:"name"`
	OK      bool   `json:"ok"`
	Skipped bool   `json:"skipped,omitempty"` // the driver does not claim what is checked
	Detail  string `json:"detail,omitempty"`
}

// deadline bounds one check; each takes milliseconds unless a driver hangs.
const deadline = 90 * time.Second

// handshakeDeadline is far beyond the slowest group on a busy machine.
const handshakeDeadline = 20 * time.Second

// suite is one run of the checks against one driver.
type suite struct {
	command driver.Command
	client  driver.Command // what connects: the same, or another's where it has no client
	info    spec.Info
	dir     string
	files   map[string]pki.Files
	psk     string
	pskName string
	tell    func(Result)
	results []Result
}

// Run checks a driver and returns every result; tell is called with each as it
// comes. A driver that only serves is checked with the client of another one,
// which may be left empty for those that have their own. The error is that the
// suite itself could not run.
func Run(ctx context.Context, command, other driver.Command, tell func(Result)) ([]Result, error) {
	dir, err := os.MkdirTemp("", "shakedown-check-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s := &suite{command: command, client: command, dir: dir, files: map[string]pki.Files{}, tell: tell}
	name, key, err := pki.NewPSK()
	if err != nil {
		return nil, err
	}
	s.pskName, s.psk = name, fmt.Sprintf("%x", key)
	if !s.check(ctx, "info", s.describe) || !s.check(ctx, "verbs", func(context.Context) error { return s.findClient(other) }) {
		return s.results, ctx.Err()
	}
	s.wrongUse(ctx)
	s.control(ctx)
	s.claims(ctx)
	s.peers(ctx)
	s.operations(ctx)
	return s.results, ctx.Err()
}

// check runs one check within the deadline.
func (s *suite) check(ctx context.Context, name string, do func(context.Context) error) bool {
	if ctx.Err() != nil {
		return false
	}
	ctx, cancel := context.WithTimeoutCause(ctx, deadline, fmt.Errorf("no answer within %v", deadline))
	defer cancel()
	r := Result{Name: name, OK: true}
	if err := do(ctx); err != nil {
		r.OK, r.Detail = false, err.Error()
	}
	s.add(r)
	return r.OK
}

func (s *suite) add(r Result) {
	s.results = append(s.results, r)
	s.tell(r)
}

// skip notes a check that the driver's claims make pointless.
func (s *suite) skip(name, why string) {
	s.add(Result{Name: name, OK: true, Skipped: true, Detail: why})
}

// describe asks for `info` and holds every name against the vocabulary.
func (s *suite) describe(ctx context.Context) error {
	info, err := driver.Describe(ctx, s.command)
	if err != nil {
		return err
	}
	s.info = info
	for _, field := range []struct {
		name   string
		values []string
		parse  func(string) (string, error)
	}{
		{"versions", info.Versions, canonical(spec.ParseVersion)},
		{"groups", info.Groups, canonical(spec.ParseGroup)},
		{"suites", info.Suites, canonical(spec.ParseSuite)},
		{"auths", info.Auths, canonical(spec.ParseAuth)},
		{"modes", info.Modes, canonical(spec.ParseMode)},
		{"protocols", info.Protocols, canonical(spec.ParseProtocol)},
	} {
		if err := names(field.name, field.values, field.parse); err != nil {
			return err
		}
	}
	if info.Stack == "" || info.Version == "" || info.Library == "" {
		return fmt.Errorf("stack %q, version %q, library %q: none may be empty", info.Stack, info.Version, info.Library)
	}
	return nil
}

// findClient takes the other driver's client where this one has none.
func (s *suite) findClient(other driver.Command) error {
	switch {
	case !slices.Contains(s.info.Verbs, "serve"):
		return fmt.Errorf("%q: a driver serves at least", s.info.Verbs)
	case s.connects():
	case other.Path == "":
		return fmt.Errorf("%q: no connect, and no other client at hand that could call", s.info.Verbs)
	default:
		s.client = other
	}
	return nil
}

// connects tells whether the driver has a client of its own.
func (s *suite) connects() bool { return slices.Contains(s.info.Verbs, "connect") }

// http tells whether the server speaks HTTP instead of the bare request and
// response.
func (s *suite) http() bool { return s.info.Application == "http" }

// canonical makes a parser that returns the one spelling of a name.
func canonical[T any](parse func(string) (T, error)) func(string) (string, error) {
	return func(s string) (string, error) {
		v, err := parse(s)
		return fmt.Sprint(v), err
	}
}

func names(field string, values []string, parse func(string) (string, error)) error {
	if len(values) == 0 {
		return fmt.Errorf("%s: empty", field)
	}
	for _, v := range values {
		got, err := parse(v)
		if err != nil {
			return fmt.Errorf("%s: %w", field, err)
		}
		if got != v {
			return fmt.Errorf("%s: %q is written %q", field, v, got)
		}
	}
	return nil
}

// identity makes the certificates of an authentication once.
func (s *suite) identity(auth string, client bool) (pki.Files, error) {
	name := auth
	if client {
		name += "-client"
	}
	if f, made := s.files[name]; made {
		return f, nil
	}
	id, err := pki.New(pki.Options{Auth: auth, Client: client})
	if err != nil {
		return pki.Files{}, err
	}
	f, err := id.WriteFiles(s.dir, name)
	s.files[name] = f
	return f, err
}

// flags makes the flags of both ends for a case.
func (s *suite) flags(c spec.Case) (server, client driver.Config, err error) {
	common := driver.Config{
		Version: string(c.Version), Auth: string(c.Auth), Mode: string(c.Mode), Mutual: c.Mutual,
		Groups: list(c.Group), Suites: list(c.Suite), Timeout: handshakeDeadline,
	}
	server, client = common, common
	server.Listen = "127.0.0.1:0"
	if s.http() {
		client.RequestText = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
	}
	if c.Auth == spec.AuthPSK {
		server.PSK, server.PSKIdentity = s.psk, s.pskName
		client.PSK, client.PSKIdentity = s.psk, s.pskName
		return server, client, nil
	}
	own, err := s.identity(string(c.Auth), false)
	if err != nil {
		return server, client, err
	}
	server.Cert, server.Key, client.CA = own.Chain, own.Key, own.Root
	if c.Mutual {
		theirs, err := s.identity(string(c.Auth), true)
		if err != nil {
			return server, client, err
		}
		client.Cert, client.Key, server.CA = theirs.Chain, theirs.Key, theirs.Root
	}
	return server, client, nil
}

func list(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// newest is the highest version the driver has.
func (s *suite) newest() spec.Version { return spec.Version(slices.Max(s.info.Versions)) }

// plain is the case from which others are made: the newest version, everything
// else at the stack's default.
func (s *suite) plain() spec.Case {
	return spec.Case{Kind: spec.KindHandshake, Version: s.newest(), Auth: spec.AuthECDSAP256, Mode: spec.ModeFull}
}

// path is a file in the suite's own directory.
func (s *suite) path(name string) string { return filepath.Join(s.dir, name) }
