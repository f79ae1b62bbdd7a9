package caddy

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shakedown/driver"
	"shakedown/driver/check"
)

// TestConformance holds the driver against the protocol's own suite, with the
// client of the Go stack.
func TestConformance(t *testing.T) {
	needCaddy(t)
	_, err := check.Run(t.Context(), command(t, "caddy"), command(t, "go"), func(r check.Result) {
		if !r.OK {
			t.Errorf("%s: %s", r.Name, r.Detail)
		}
		t.Logf("%s: ok %v, skipped %v, %s", r.Name, r.OK, r.Skipped, r.Detail)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestOwnCertificate: Caddy's own authority is what the ready line says, and each
// combination is negotiated as asked, full and resumed.
func TestOwnCertificate(t *testing.T) {
	for _, c := range []struct{ version, group, mode string }{
		{"1.3", "X25519MLKEM768", "full"},
		{"1.3", "X25519MLKEM768", "resumed"},
		{"1.3", "x25519", "full"},
		{"1.3", "x25519", "resumed"},
		{"1.2", "x25519", "full"},
		{"1.2", "x25519", "resumed"},
	} {
		t.Run(c.version+" "+c.group+" "+c.mode, func(t *testing.T) {
			cfg := driver.Config{Version: c.version, Groups: []string{c.group}, Mode: c.mode}
			server := serving(t, cfg)
			cfg.Auth = "ecdsa-p256"
			block := calling(t, server, cfg, 3)
			told := report(t, server)
			if told.Report.Count != len(block.Handshakes)+len(block.Primes) {
				t.Errorf("server counts %d, client %d and %d", told.Report.Count, len(block.Handshakes), len(block.Primes))
			}
			for _, h := range block.Handshakes {
				mine, theirs := proofs(t, h, told)
				if mine.Version != c.version || theirs.Version != c.version || mine.Mode != c.mode || theirs.Mode != c.mode {
					t.Errorf("client %+v, server %+v", mine, theirs)
				}
				if mine.Suite != theirs.Suite || mine.Group != c.group && (c.version == "1.3" || c.mode == "full") {
					t.Errorf("client %+v, server %+v", mine, theirs)
				}
				if mine.Verified == nil || !*mine.Verified {
					t.Error("the client did not verify the certificate")
				}
			}
		})
	}
}

// TestDefaults: without flags a client that knows the hybrid gets it.
func TestDefaults(t *testing.T) {
	server := serving(t, driver.Config{})
	block := calling(t, server, driver.Config{}, 1)
	mine, _ := proofs(t, block.Handshakes[0], report(t, server))
	if mine.Version != "1.3" || mine.Group != "X25519MLKEM768" {
		t.Errorf("version %s with %s", mine.Version, mine.Group)
	}
}

// TestMutual: a client without a certificate is turned away, and both are told.
func TestMutual(t *testing.T) {
	mine := identity(t, "ecdsa-p256", true)
	for _, version := range []string{"1.2", "1.3"} {
		server := serving(t, driver.Config{Version: version, Mutual: true, CA: mine.Root})
		good := calling(t, server, driver.Config{Version: version, Mutual: true, Cert: mine.Chain, Key: mine.Key}, 1)
		bad := calling(t, server, driver.Config{Version: version}, 1)
		told := report(t, server)
		if _, theirs := proofs(t, good.Handshakes[0], told); theirs.Mutual == nil || !*theirs.Mutual {
			t.Errorf("TLS %s: server %+v", version, theirs)
		}
		h := told.ByPort[bad.Handshakes[0].Port]
		if bad.Handshakes[0].OK || h.OK || h.Reason != driver.ReasonVerify {
			t.Errorf("TLS %s: client %+v, server %+v", version, bad.Handshakes[0], h)
		}
	}
}

// TestRefused: what Caddy cannot do comes as a reason for the flag, and what it
// cannot read as a failed set-up.
func TestRefused(t *testing.T) {
	needCaddy(t)
	id := identity(t, "ecdsa-p256", false)
	other := identity(t, "ed25519", false)
	for _, c := range []struct {
		cfg          driver.Config
		reason, what string
	}{
		{driver.Config{Groups: []string{"x448"}}, "cannot", "group"},
		{driver.Config{Groups: []string{"x25519", "secp256r1"}}, "cannot", "group"},
		{driver.Config{Suites: []string{"TLS_AES_128_CCM_SHA256"}}, "cannot", "suite"},
		{driver.Config{Mode: "early-data"}, "cannot", "mode"},
		{driver.Config{Mode: "resumed", Mutual: true, CA: id.Root}, "cannot", "mode"},
		{driver.Config{Auth: "psk", PSK: "00", PSKIdentity: "me"}, "cannot", "psk"},
		{driver.Config{Protocol: "dtls"}, "cannot", "protocol"},
		{driver.Config{Cert: "/nowhere", Key: id.Key}, "setup", ""},
		{driver.Config{Cert: id.Chain, Key: other.Key}, "setup", ""},
		{driver.Config{Mutual: true, CA: id.Key}, "setup", ""},
	} {
		c.cfg.Listen = "127.0.0.1:0"
		p, err := driver.Start(patience(t), command(t, "caddy"), "serve", c.cfg)
		if err == nil {
			p.Kill()
			t.Errorf("%q was not refused", c.cfg.Args())
			continue
		}
		var refused *driver.CannotError
		if !errors.As(err, &refused) || refused.Line.Reason != c.reason || refused.Line.What != c.what || refused.Line.Detail == "" {
			t.Errorf("%q: %v", c.cfg.Args(), err)
		}
	}
}

// TestAddressInUse: the address is tried by the driver itself.
func TestAddressInUse(t *testing.T) {
	server := serving(t, driver.Config{})
	_, err := driver.Start(patience(t), command(t, "caddy"), "serve", driver.Config{Listen: server.Ready.Address})
	if err == nil || !strings.Contains(err.Error(), "address already in use") {
		t.Errorf("%v", err)
	}
}

// TestReports: one account of each connection, joined by the port, in no report
// but the next; a report without connections is empty.
func TestReports(t *testing.T) {
	server := serving(t, driver.Config{})
	if told := report(t, server); told.Report.Count != 0 || len(told.ByPort) != 0 {
		t.Fatalf("before the first connection: %+v", told)
	}
	for _, n := range []int{1, 100, driver.MaxBlock} {
		block := calling(t, server, driver.Config{Groups: []string{"x25519"}}, n)
		told := report(t, server)
		if told.Report.Count != n || told.Report.CPU <= 0 && memoryKind != "" {
			t.Fatalf("%d connections: %+v", n, told.Report)
		}
		for _, h := range block.Handshakes {
			proofs(t, h, told)
		}
	}
	if told := report(t, server); told.Report.Count != 0 || len(told.ByPort) != 0 {
		t.Errorf("after the last connection: %+v", told)
	}
}

// TestUnasked: accounts that nobody asks for are printed before they are too
// many, and counted.
func TestUnasked(t *testing.T) {
	var printed strings.Builder
	s := &server{out: &printer{w: &printed}}
	line := `{"logger":"http.log.access","request":{"remote_port":"4711","tls":{"version":772}}}` + "\n"
	for range mostAccounts + 1 {
		if err := s.takeIn([]byte(line)); err != nil {
			t.Fatal(err)
		}
		s.journal.read()
	}
	if got := strings.Count(printed.String(), "\n"); got != mostAccounts || s.count != got {
		t.Errorf("%d lines printed, %d counted", got, s.count)
	}
}

// TestGarbage: failures have their reasons, and the server goes on.
func TestGarbage(t *testing.T) {
	server := serving(t, driver.Config{Timeout: 500 * time.Millisecond})
	ports := map[int]string{}
	for _, c := range []struct{ text, reason string }{
		{"no handshake at all, but long enough", driver.ReasonProtocol},
		{"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", driver.ReasonProtocol},
		{"\x16\x03\x01\x00\x05\x01", driver.ReasonTimeout},
	} {
		conn, err := net.Dial("tcp", server.Ready.Address)
		if err != nil {
			t.Fatal(err)
		}
		ports[conn.LocalAddr().(*net.TCPAddr).Port] = c.reason
		_, _ = io.WriteString(conn, c.text)
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		_, _ = io.Copy(io.Discard, conn)
		_ = conn.Close()
	}
	good := calling(t, server, driver.Config{}, 1)
	told := report(t, server)
	proofs(t, good.Handshakes[0], told)
	for port, reason := range ports {
		if h := told.ByPort[port]; h.OK || h.Reason != reason || h.Detail == "" {
			t.Errorf("want %s: %+v", reason, h)
		}
	}
	if told.Report.Count != len(ports)+1 {
		t.Errorf("%d counted", told.Report.Count)
	}
}

// TestOpenConnection: a client that keeps its connection open holds no report
// up for ever.
func TestOpenConnection(t *testing.T) {
	server := serving(t, driver.Config{Timeout: 300 * time.Millisecond})
	conn, err := net.Dial("tcp", server.Ready.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	block := calling(t, server, driver.Config{}, 1)
	proofs(t, block.Handshakes[0], report(t, server))
}

// TestMemory: the resident set, with --memory only.
func TestMemory(t *testing.T) {
	server := serving(t, driver.Config{Memory: true})
	calling(t, server, driver.Config{}, 20)
	m := report(t, server).Report.Memory
	if memoryKind == "" && m == nil {
		t.Skip("this system does not tell the memory of another process")
	}
	if m == nil || m.What != memoryKind || m.Idle <= 1<<20 || m.Peak < m.Idle {
		t.Errorf("%+v", m)
	}
}

// TestResponse: the page is as long as the flag says, whatever is asked for.
func TestResponse(t *testing.T) {
	for bytes, want := range map[int]int{0: len("hello"), driver.MaxApp: driver.MaxApp} {
		server := serving(t, driver.Config{Response: bytes})
		pem, err := os.ReadFile(server.Ready.CA)
		if err != nil {
			t.Fatal(err)
		}
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(pem)
		conn, err := tls.Dial("tcp", server.Ready.Address, &tls.Config{RootCAs: pool, ServerName: "localhost"})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, "GET /any/thing HTTP/1.1\r\nHost: example.org\r\n\r\n") // without Connection: close
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		if err != nil || len(body) != want || answer.StatusCode != http.StatusOK || !answer.Close {
			t.Errorf("%d bytes, want %d, with %s: %v", len(body), want, answer.Status, err)
		}
		_ = answer.Body.Close()
		_ = conn.Close()
	}
}

// TestOldClient: OpenSSL before 3.5 knows no hybrid and gets x25519 without an
// error; in a full handshake of TLS 1.2 it gets no ticket.
func TestOldClient(t *testing.T) {
	openssl := filepath.Join("/usr", "bin", "openssl")
	version, err := exec.Command(openssl, "version").Output()
	if err != nil || !strings.HasPrefix(string(version), "OpenSSL 3.0.") {
		t.Skipf("%s is not OpenSSL 3.0: %s", openssl, version)
	}
	for _, c := range []struct {
		cfg          driver.Config
		want, forbid string
	}{
		{driver.Config{}, "Server Temp Key: X25519, 253 bits", "error"},
		{driver.Config{Version: "1.2", Mode: "full"}, "Protocol  : TLSv1.2", "session ticket:"},
		{driver.Config{Version: "1.2", Mode: "resumed"}, "TLS session ticket:", "error"},
	} {
		server := serving(t, c.cfg)
		client := exec.CommandContext(patience(t), openssl, "s_client", "-connect", server.Ready.Address,
			"-servername", "localhost", "-verify_hostname", "localhost", "-CAfile", server.Ready.CA, "-verify_return_error", "-ign_eof")
		client.Stdin = strings.NewReader(page)
		said, err := client.CombinedOutput()
		text := string(said)
		if err != nil || !strings.Contains(text, c.want) || strings.Contains(text, c.forbid) || !strings.Contains(text, "\r\n\r\nhello") {
			t.Errorf("%q: %v\n%s", c.cfg.Args(), err, text)
		}
		if told := report(t, server); told.Report.Count != 1 {
			t.Errorf("%d counted", told.Report.Count)
		}
	}
}
