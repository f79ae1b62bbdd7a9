package gotls

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"shakedown/driver"
	"shakedown/pki"
	"shakedown/spec"
)

// asDriver makes the test program the driver that it tests.
const asDriver = "GOTLS_TEST_AS_DRIVER=1"

func TestMain(m *testing.M) {
	if os.Getenv("GOTLS_TEST_AS_DRIVER") == "1" {
		os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	status := m.Run()
	if identities.dir != "" {
		_ = os.RemoveAll(identities.dir)
	}
	os.Exit(status)
}

func command(t *testing.T) driver.Command {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return driver.Command{Path: self, Env: []string{asDriver}}
}

// patience bounds one call of a test; it is no measure of speed.
func patience(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// identities are made once each, since RSA keys take their time.
var identities struct {
	sync.Mutex
	dir  string
	made map[string]pki.Files
}

func identity(t *testing.T, auth string, client bool) pki.Files {
	t.Helper()
	identities.Lock()
	defer identities.Unlock()
	name := fmt.Sprintf("%s-%v", auth, client)
	if files, ok := identities.made[name]; ok {
		return files
	}
	id, err := pki.New(pki.Options{Auth: auth, Client: client})
	if err != nil {
		t.Fatal(err)
	}
	if identities.dir == "" {
		if identities.dir, err = os.MkdirTemp("", "gotls"); err != nil {
			t.Fatal(err)
		}
		identities.made = map[string]pki.Files{}
	}
	files, err := id.WriteFiles(identities.dir, name)
	if err != nil {
		t.Fatal(err)
	}
	identities.made[name] = files
	return files
}

// ends gives both ends the certificates of an authentication.
func ends(t *testing.T, auth string, common driver.Config) (server, client driver.Config) {
	t.Helper()
	id := identity(t, auth, false)
	server, client = common, common
	server.Listen = "127.0.0.1:0"
	server.Cert, server.Key, client.CA = id.Chain, id.Key, id.Root
	if common.Mutual {
		mine := identity(t, auth, true)
		client.Cert, client.Key, server.CA = mine.Chain, mine.Key, mine.Root
	}
	return server, client
}

func start(t *testing.T, verb string, cfg driver.Config) *driver.Process {
	t.Helper()
	p, err := driver.Start(patience(t), command(t), verb, cfg)
	if err != nil {
		t.Fatalf("%s %q: %v", verb, cfg.Args(), err)
	}
	t.Cleanup(func() {
		if err := p.Close(time.Minute); err != nil {
			t.Errorf("%s %q: %v", verb, cfg.Args(), err)
		}
	})
	return p
}

func run(t *testing.T, p *driver.Process, n int) driver.ClientBlock {
	t.Helper()
	block, err := p.Run(patience(t), n)
	if err != nil {
		t.Fatal(err)
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

// both are the two halves of one handshake.
type both struct{ client, server driver.Handshake }

// shake makes n handshakes between two processes and joins the halves.
func shake(t *testing.T, n int, server, client driver.Config) (list []both) {
	t.Helper()
	s := start(t, "serve", server)
	client.To = s.Ready.Address
	block := run(t, start(t, "connect", client), n)
	told := report(t, s)
	if told.Report.Count != len(block.Handshakes)+len(block.Primes) {
		t.Errorf("server counts %d, client %d and %d", told.Report.Count, len(block.Handshakes), len(block.Primes))
	}
	for _, h := range block.Handshakes {
		list = append(list, both{h, told.ByPort[h.Port]})
	}
	return list
}

// proofs demands that both halves succeeded.
func (b both) proofs(t *testing.T) (client, server spec.Proof) {
	t.Helper()
	for _, h := range []driver.Handshake{b.client, b.server} {
		if !h.OK || h.Proof == nil {
			t.Fatalf("%s: %s %s %s %q", h.Side, h.Reason, h.Alert, h.From, h.Detail)
		}
	}
	return *b.client.Proof, *b.server.Proof
}

// inOrder checks the marks of both sides, which share a clock.
func (b both) inOrder(t *testing.T) {
	t.Helper()
	c, s := b.client, b.server
	increasing := func(marks ...int64) {
		for i := 1; i < len(marks); i++ {
			if marks[i-1] <= 0 || marks[i] < marks[i-1] {
				t.Errorf("marks out of order: %d", marks)
			}
		}
	}
	increasing(c.Dial, c.Connected, c.Start, c.Complete, c.Response)
	increasing(s.Accepted, s.Complete, s.Request)
	increasing(c.Start, s.Complete, s.Request, c.Response)
}

func info(t *testing.T) spec.Info {
	t.Helper()
	i, err := driver.Describe(patience(t), command(t))
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func scratch(t *testing.T, name string) string {
	t.Helper()
	return filepath.Join(t.TempDir(), name)
}
