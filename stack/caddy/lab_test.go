package caddy

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"shakedown/driver"
	"shakedown/pki"
	"shakedown/spec"
	"shakedown/stack/gotls"
)

// asDriver makes the test program the driver that its value names.
const asDriver = "CADDY_TEST_AS_DRIVER"

func TestMain(m *testing.M) {
	switch os.Getenv(asDriver) {
	case "caddy":
		os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	case "go":
		os.Exit(gotls.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// command is this test program as a driver.
func command(t *testing.T, stack string) driver.Command {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return driver.Command{Path: self, Env: []string{asDriver + "=" + stack}}
}

// needCaddy skips a test where no Caddy is; with CI=true that is a failure.
func needCaddy(t *testing.T) Program {
	t.Helper()
	program, err := Find(t.Context(), "")
	var missing *MissingError
	if errors.As(err, &missing) && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// patience bounds one call of a test; it is no measure of speed.
func patience(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// serving starts a server; what is not set is as in the lab.
func serving(t *testing.T, cfg driver.Config) *driver.Process {
	t.Helper()
	needCaddy(t)
	cfg.Listen = "127.0.0.1:0"
	p, err := driver.Start(patience(t), command(t, "caddy"), "serve", cfg)
	if err != nil {
		t.Fatalf("serve %q: %v", cfg.Args(), err)
	}
	t.Cleanup(func() {
		if err := p.Close(time.Minute); err != nil {
			t.Errorf("serve %q: %v", cfg.Args(), err)
		}
	})
	return p
}

// page is the request of a client.
const page = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

// calling makes n handshakes of the Go stack with a server.
func calling(t *testing.T, server *driver.Process, cfg driver.Config, n int) driver.ClientBlock {
	t.Helper()
	cfg.To, cfg.RequestText, cfg.Timeout = server.Ready.Address, page, time.Minute
	if cfg.CA == "" {
		cfg.CA = server.Ready.CA
	}
	p, err := driver.Start(patience(t), command(t, "go"), "connect", cfg)
	if err != nil {
		t.Fatalf("connect %q: %v", cfg.Args(), err)
	}
	block, err := p.Run(patience(t), n)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Close(time.Minute); err != nil {
		t.Error(err)
	}
	return block
}

func report(t *testing.T, p *driver.Process) driver.ServerReport {
	t.Helper()
	r, err := p.Report(patience(t))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// proofs demands that a handshake succeeded and has an account at the server.
func proofs(t *testing.T, h driver.Handshake, told driver.ServerReport) (client, server spec.Proof) {
	t.Helper()
	other := told.ByPort[h.Port]
	for _, side := range []driver.Handshake{h, other} {
		if !side.OK || side.Proof == nil {
			t.Fatalf("port %d: %+v", h.Port, side)
		}
	}
	return *h.Proof, *other.Proof
}

// identities are made once each.
var identities struct {
	sync.Mutex
	made map[string]*pki.Identity
}

// identity gives the files of a certificate for an end.
func identity(t *testing.T, auth string, client bool) pki.Files {
	t.Helper()
	identities.Lock()
	defer identities.Unlock()
	name := auth
	if client {
		name += "-client"
	}
	if identities.made[name] == nil {
		id, err := pki.New(pki.Options{Auth: auth, Client: client})
		if err != nil {
			t.Fatal(err)
		}
		if identities.made == nil {
			identities.made = map[string]*pki.Identity{}
		}
		identities.made[name] = id
	}
	files, err := identities.made[name].WriteFiles(t.TempDir(), name)
	if err != nil {
		t.Fatal(err)
	}
	return files
}
