package gotls

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"shakedown/driver"
)

// foreign is a server that is no driver: serve gets each connection.
func foreign(t *testing.T, serve func(*net.TCPConn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go serve(c.(*net.TCPConn))
		}
	}()
	return l.Addr().String()
}

// against runs a client against an address and returns its failure.
func against(t *testing.T, to string, cfg driver.Config) driver.Handshake {
	t.Helper()
	cfg.To = to
	cfg.CA = identity(t, "ecdsa-p256", false).Root
	h := run(t, start(t, "connect", cfg), 1).Handshakes[0]
	if h.OK || h.Proof != nil {
		t.Fatalf("it succeeded: %+v", h)
	}
	return h
}

func wantFailure(t *testing.T, h driver.Handshake, reason, alert, from string) {
	t.Helper()
	if h.Reason != reason || h.Alert != alert || h.From != from || h.Detail == "" {
		t.Errorf("%s: reason %q, alert %q from %q, %q; want %q, %q from %q",
			h.Side, h.Reason, h.Alert, h.From, h.Detail, reason, alert, from)
	}
}

func TestSilentServer(t *testing.T) {
	to := foreign(t, func(c *net.TCPConn) { _, _ = io.Copy(io.Discard, c) })
	h := against(t, to, driver.Config{Timeout: 100 * time.Millisecond})
	wantFailure(t, h, "timeout", "", "")
	if h.Start == 0 || h.Complete != 0 || h.Port == 0 {
		t.Errorf("marks: %+v", h)
	}
}

func TestGarbageServer(t *testing.T) {
	to := foreign(t, func(c *net.TCPConn) {
		_, _ = c.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"))
		_, _ = io.Copy(io.Discard, c)
	})
	wantFailure(t, against(t, to, driver.Config{}), "protocol", "", "")
}

func TestResetServer(t *testing.T) {
	to := foreign(t, func(c *net.TCPConn) {
		_, _ = io.ReadFull(c, make([]byte, 1))
		_ = c.SetLinger(0)
		_ = c.Close()
	})
	wantFailure(t, against(t, to, driver.Config{}), "reset", "", "")
}

func TestClosingServer(t *testing.T) {
	to := foreign(t, func(c *net.TCPConn) {
		_ = c.CloseWrite()
		_, _ = io.Copy(io.Discard, c)
	})
	wantFailure(t, against(t, to, driver.Config{}), "closed", "", "")
}

func TestNobodyThere(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	to := l.Addr().String()
	_ = l.Close()
	h := against(t, to, driver.Config{})
	wantFailure(t, h, "refused", "", "")
	if h.Dial == 0 || h.Connected != 0 {
		t.Errorf("marks: %+v", h)
	}
}

// TestNoSession: the prime handshake fails, so each that needs it does.
func TestNoSession(t *testing.T) {
	to := foreign(t, func(c *net.TCPConn) { _ = c.Close() })
	h := against(t, to, driver.Config{Mode: "resumed"})
	wantFailure(t, h, "no-session", "", "")
}

func TestUntrustedServer(t *testing.T) {
	server, client := ends(t, "ecdsa-p256", driver.Config{})
	client.CA = identity(t, "ecdsa-p384", false).Root
	b := shake(t, 1, server, client)[0]
	wantFailure(t, b.client, "verify", "bad_certificate", "local")
	wantFailure(t, b.server, "alert", "bad_certificate", "peer")
}

func TestWrongName(t *testing.T) {
	server, client := ends(t, "ecdsa-p256", driver.Config{ServerName: "other.example"})
	wantFailure(t, shake(t, 1, server, client)[0].client, "verify", "bad_certificate", "local")
}

func TestInsecure(t *testing.T) {
	server, client := ends(t, "ecdsa-p256", driver.Config{})
	client.CA, client.Insecure = "", true
	c, _ := shake(t, 1, server, client)[0].proofs(t)
	if c.Verified == nil || *c.Verified {
		t.Errorf("verified: %v", c.Verified)
	}
}

func TestNothingInCommon(t *testing.T) {
	server, client := ends(t, "ecdsa-p256", driver.Config{Version: "1.3", Groups: []string{"x25519"}})
	server.Groups = []string{"secp384r1"}
	b := shake(t, 1, server, client)[0]
	wantFailure(t, b.client, "alert", "handshake_failure", "peer")
	wantFailure(t, b.server, "alert", "handshake_failure", "local")
}

// TestClientWithoutCertificate: with TLS 1.3 the client is done before the
// server says no.
func TestClientWithoutCertificate(t *testing.T) {
	for version, alert := range map[string]string{"1.2": "handshake_failure", "1.3": "certificate_required"} {
		server, client := ends(t, "ecdsa-p256", driver.Config{Version: version, Mutual: true})
		client.Mutual, client.Cert, client.Key = false, "", ""
		for _, b := range shake(t, 5, server, client) {
			wantFailure(t, b.client, "alert", alert, "peer")
			wantFailure(t, b.server, "alert", alert, "local")
		}
	}
}

// TestStuckClient: a client that says nothing holds the server up for no longer
// than the timeout, and the report waits for that.
func TestStuckClient(t *testing.T) {
	server, _ := ends(t, "ecdsa-p256", driver.Config{Timeout: 100 * time.Millisecond})
	s := start(t, "serve", server)
	c, err := net.Dial("tcp", s.Ready.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	port := c.LocalAddr().(*net.TCPAddr).Port
	r := report(t, s)
	wantFailure(t, r.ByPort[port], "timeout", "", "")
}

// TestPendingBeforeReport: connections that wait in the kernel count.
func TestPendingBeforeReport(t *testing.T) {
	server, _ := ends(t, "ecdsa-p256", driver.Config{})
	s := start(t, "serve", server)
	const n = 5
	for range n {
		c, err := net.Dial("tcp", s.Ready.Address)
		if err != nil {
			t.Fatal(err)
		}
		_ = c.Close()
	}
	r := report(t, s)
	if r.Report.Count != n || len(r.ByPort) != n {
		t.Errorf("%d of %d counted, %d lines", r.Report.Count, n, len(r.ByPort))
	}
}

// TestForeignServer: any first byte is the response.
func TestForeignServer(t *testing.T) {
	server, client := ends(t, "ecdsa-p256", driver.Config{})
	server.Request, server.Response = 5, 7
	client.RequestText = "hello"
	shake(t, 1, server, client)[0].proofs(t)
}

func TestCannot(t *testing.T) {
	for _, c := range []struct {
		what string
		cfg  driver.Config
	}{
		{"suite", driver.Config{Suites: []string{"TLS_AES_128_CCM_SHA256"}}},
		{"suite", driver.Config{Version: "1.2", Suites: []string{"TLS_AES_128_GCM_SHA256"}}},
		{"group", driver.Config{Groups: []string{"ffdhe2048"}}},
		{"group", driver.Config{Groups: []string{"secp256r1", "x25519"}}},
		{"group", driver.Config{Version: "1.2", Groups: []string{"X25519MLKEM768"}}},
		{"mode", driver.Config{Mode: "early-data"}},
		{"auth", driver.Config{Auth: "mldsa87"}},
		{"psk", driver.Config{PSK: "00", PSKIdentity: "me"}},
		{"protocol", driver.Config{Protocol: "dtls"}},
	} {
		server, client := ends(t, "ecdsa-p256", c.cfg)
		client.To = "127.0.0.1:1"
		for verb, cfg := range map[string]driver.Config{"serve": server, "connect": client} {
			_, err := driver.Start(patience(t), command(t), verb, cfg)
			var cannot *driver.CannotError
			if !errors.As(err, &cannot) || cannot.Line.Reason != "cannot" || cannot.Line.What != c.what {
				t.Errorf("%s %q: %v, want cannot %s", verb, cfg.Args(), err, c.what)
			}
		}
	}
}

func TestSetup(t *testing.T) {
	server, client := ends(t, "ecdsa-p256", driver.Config{})
	bad := func(change func(*driver.Config)) driver.Config {
		cfg := server
		change(&cfg)
		return cfg
	}
	client.To, client.CA = "127.0.0.1:1", client.CA+".none"
	for verb, list := range map[string][]driver.Config{
		"connect": {client},
		"serve": {
			bad(func(c *driver.Config) { c.Cert += ".none" }),
			bad(func(c *driver.Config) { c.Listen = "192.0.2.1:1" }),
			bad(func(c *driver.Config) { c.KeyLog = t.TempDir() }),
			bad(func(c *driver.Config) { c.Mutual, c.CA = true, c.Key }),
		},
	} {
		for _, cfg := range list {
			_, err := driver.Start(patience(t), command(t), verb, cfg)
			var cannot *driver.CannotError
			if !errors.As(err, &cannot) || cannot.Line.Reason != "setup" || cannot.Line.Detail == "" {
				t.Errorf("%s %q: %v", verb, cfg.Args(), err)
			}
		}
	}
}

// direct runs the driver once with all its input at hand.
func direct(t *testing.T, stdin string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command(t).Path, args...)
	cmd.Env = append(os.Environ(), asDriver)
	cmd.Stdin = strings.NewReader(stdin)
	var out, words strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &words
	_ = cmd.Run()
	return out.String(), words.String(), cmd.ProcessState.ExitCode()
}

func TestWrongUse(t *testing.T) {
	server, _ := ends(t, "ecdsa-p256", driver.Config{})
	serve := append([]string{"serve"}, server.Args()...)
	for _, c := range []struct {
		stdin string
		args  []string
	}{
		{"", nil},
		{"", []string{"conect"}},
		{"", []string{"serve", "--listn", "127.0.0.1:0"}},
		{"", []string{"connect", "--to"}},
		{"", []string{"op", "redord"}},
		{"", []string{"info", "--memory"}},
		{"", append(serve, "--group", "curve255")},
		{"", append(serve, "--version", "1.4")},
		{"again\n", serve},
		{strings.Repeat("x", 1000), serve},
	} {
		out, words, status := direct(t, c.stdin, c.args...)
		if status != 2 || strings.Count(words, "\n") != 1 || strings.Contains(out, "error") {
			t.Errorf("%q with %.20q: status %d, out %q, err %q", c.args, c.stdin, status, out, words)
		}
	}
}

// TestEndOfInput: without commands a driver ends well, and a client does what
// it was told before the end.
func TestEndOfInput(t *testing.T) {
	server, client := ends(t, "ecdsa-p256", driver.Config{})
	s := start(t, "serve", server)
	client.To = s.Ready.Address
	for _, c := range []struct {
		stdin string
		args  []string
		lines int
	}{
		{"", append([]string{"serve"}, server.Args()...), 1},
		{"report\n", append([]string{"serve"}, server.Args()...), 2},
		{"", append([]string{"connect"}, client.Args()...), 1},
		{"run 2\nrun 1", append([]string{"connect"}, client.Args()...), 6},
		{"", append([]string{"connect", "--count", "3"}, client.Args()...), 5},
	} {
		out, words, status := direct(t, c.stdin, c.args...)
		if status != 0 || strings.Count(out, "\n") != c.lines || words != "" {
			t.Errorf("%q with %q: status %d, out %q, err %q", c.args, c.stdin, status, out, words)
		}
	}
}
