package gotls

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shakedown/driver"
	"shakedown/spec"
)

func TestHandshakes(t *testing.T) {
	for _, version := range []string{"1.2", "1.3"} {
		for _, mode := range []string{"full", "resumed"} {
			for _, mutual := range []bool{false, true} {
				name := strings.Join([]string{version, mode, map[bool]string{true: "mutual"}[mutual]}, " ")
				t.Run(strings.TrimSpace(name), func(t *testing.T) {
					server, client := ends(t, "ecdsa-p256", driver.Config{
						Version: version, Mode: mode, Mutual: mutual, Groups: []string{"x25519"},
					})
					for _, b := range shake(t, 3, server, client) {
						b.inOrder(t)
						checkProofs(t, b, version, mode, mutual)
					}
				})
			}
		}
	}
}

func checkProofs(t *testing.T, b both, version, mode string, mutual bool) {
	t.Helper()
	client, server := b.proofs(t)
	want := spec.Proof{
		Version: version, Mode: mode, Group: "x25519",
		Suite:      client.Suite, // AES or ChaCha20, as the machine likes
		HelloRetry: new(false), Verified: new(true),
	}
	if version == "1.2" && mode == "resumed" {
		want.Group = ""
	}
	if mode == "full" {
		want.Mutual = new(mutual)
	}
	wantServer := want
	if mode == "full" {
		want.Signature = "ecdsa_secp256r1_sha256"
	}
	if !mutual {
		wantServer.Verified = nil
	}
	if diff := cmp.Diff(want, client); diff != "" {
		t.Errorf("client:\n%s", diff)
	}
	if diff := cmp.Diff(wantServer, server); diff != "" {
		t.Errorf("server:\n%s", diff)
	}
}

// TestPrime holds that a resumed block makes one full handshake first, and that
// later blocks need none.
func TestPrime(t *testing.T) {
	for _, version := range []string{"1.2", "1.3"} {
		server, client := ends(t, "ecdsa-p256", driver.Config{Version: version, Mode: "resumed"})
		s := start(t, "serve", server)
		client.To = s.Ready.Address
		c := start(t, "connect", client)
		first, second := run(t, c, 2), run(t, c, 2)
		if len(first.Primes) != 1 || len(second.Primes) != 0 {
			t.Errorf("%s: primes %d, then %d", version, len(first.Primes), len(second.Primes))
		}
		if p := first.Primes[0].Proof; p == nil || p.Mode != "full" {
			t.Errorf("%s: prime was %+v", version, p)
		}
		for _, h := range slices.Concat(first.Handshakes, second.Handshakes) {
			if h.Proof == nil || h.Proof.Mode != "resumed" {
				t.Errorf("%s: %+v", version, h.Proof)
			}
		}
	}
}

func TestSkipTicket(t *testing.T) {
	for version, mode := range map[string]string{"1.3": "full", "1.2": "resumed"} {
		server, client := ends(t, "ecdsa-p256", driver.Config{Version: version, Mode: "resumed"})
		client.Fault = "skip-ticket"
		for _, b := range shake(t, 3, server, client) {
			c, s := b.proofs(t)
			if c.Mode != mode || s.Mode != mode {
				t.Errorf("%s with a ticket unread: client %s, server %s, want %s", version, c.Mode, s.Mode, mode)
			}
		}
	}
}

func TestInfo(t *testing.T) {
	i := info(t)
	if i.Stack != "go" || !strings.HasPrefix(runtime.Version(), "go"+i.Version) {
		t.Errorf("stack %q, version %q", i.Stack, i.Version)
	}
	for list, want := range map[*[]string][]string{
		&i.Versions: {"1.2", "1.3"},
		&i.Modes:    {"full", "resumed"},
		&i.Groups:   {"X25519MLKEM768", "SecP256r1MLKEM768", "SecP384r1MLKEM1024", "x25519", "secp256r1", "secp384r1", "secp521r1"},
		&i.Auths:    {"ecdsa-p256", "ecdsa-p384", "ed25519", "rsa-2048", "rsa-3072"},
		&i.Suites:   {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"},
	} {
		for _, name := range want {
			if !slices.Contains(*list, name) {
				t.Errorf("%s is missing in %q", name, *list)
			}
		}
	}
	for _, name := range []string{"early-data", "psk", "TLS_AES_128_CCM_SHA256"} {
		if i.Cannot[name] == "" {
			t.Errorf("no reason why there is no %s", name)
		}
	}
}

func TestEveryGroup(t *testing.T) {
	for _, group := range info(t).Groups {
		server, client := ends(t, "ecdsa-p256", driver.Config{Version: "1.3", Groups: []string{group}})
		c, s := shake(t, 1, server, client)[0].proofs(t)
		if c.Group != group || s.Group != group {
			t.Errorf("%s: client %s, server %s", group, c.Group, s.Group)
		}
	}
}

func TestEverySuite(t *testing.T) {
	for _, name := range info(t).Suites {
		suite, err := spec.ParseSuite(name)
		if err != nil {
			t.Fatal(err)
		}
		auth := "ecdsa-p256"
		if suite.Auth == "RSA" {
			auth = "rsa-2048"
		}
		server, client := ends(t, auth, driver.Config{Suites: []string{name}})
		c, s := shake(t, 1, server, client)[0].proofs(t)
		if c.Suite != name || s.Suite != name {
			t.Errorf("%s: client %s, server %s", name, c.Suite, s.Suite)
		}
	}
}

// TestSuiteOneSided holds that each end keeps to its own list: the other has
// the defaults.
func TestSuiteOneSided(t *testing.T) {
	const name = "TLS_CHACHA20_POLY1305_SHA256"
	for _, at := range []string{"client", "server"} {
		server, client := ends(t, "ecdsa-p256", driver.Config{Version: "1.3"})
		if at == "client" {
			client.Suites = []string{name, "TLS_AES_256_GCM_SHA384"}
		} else {
			server.Suites = []string{name, "TLS_AES_256_GCM_SHA384"}
		}
		c, _ := shake(t, 1, server, client)[0].proofs(t)
		if at == "server" && c.Suite != name || at == "client" && c.Suite == "TLS_AES_128_GCM_SHA256" {
			t.Errorf("list at the %s: %s", at, c.Suite)
		}
	}
}

func TestEveryAuth(t *testing.T) {
	signatures := map[string]string{
		"ecdsa-p256": "ecdsa_secp256r1_sha256", "ecdsa-p384": "ecdsa_secp384r1_sha384", "ed25519": "ed25519",
		"rsa-2048": "rsa_pss_rsae_sha256", "rsa-3072": "rsa_pss_rsae_sha256",
	}
	for _, auth := range info(t).Auths {
		for _, version := range []string{"1.2", "1.3"} {
			server, client := ends(t, auth, driver.Config{Version: version, Auth: auth})
			c, _ := shake(t, 1, server, client)[0].proofs(t)
			want := signatures[auth]
			if version == "1.2" && auth == "ecdsa-p384" {
				want = "ecdsa_secp256r1_sha256" // ECDSA with SHA-256: TLS 1.2 leaves the curve open (RFC 8446 4.2.3)
			}
			if c.Signature != want {
				t.Errorf("%s in %s: signed with %q", auth, version, c.Signature)
			}
		}
	}
}

// TestHelloRetry: the server takes only what the client sends no share for.
func TestHelloRetry(t *testing.T) {
	for _, groups := range [][]string{
		{"x25519", "secp256r1"},
		{"secp256r1", "secp521r1"},
		{"X25519MLKEM768", "secp384r1"},
		{"X25519MLKEM768", "SecP256r1MLKEM768"},
		{"SecP256r1MLKEM768", "x25519"},
	} {
		server, client := ends(t, "ecdsa-p256", driver.Config{Version: "1.3", Groups: groups})
		server.Groups = groups[1:]
		b := shake(t, 1, server, client)[0]
		c, s := b.proofs(t)
		b.inOrder(t)
		if !*c.HelloRetry || !*s.HelloRetry || c.Group != groups[1] {
			t.Errorf("%q: client %v, server %v, group %s", groups, *c.HelloRetry, *s.HelloRetry, c.Group)
		}
	}
}

// TestHybridSharesTwice shows where no retry can be had: with a hybrid Go sends
// a share of its classical half too.
func TestHybridSharesTwice(t *testing.T) {
	server, client := ends(t, "ecdsa-p256", driver.Config{Version: "1.3", Groups: []string{"X25519MLKEM768", "x25519"}})
	server.Groups = []string{"x25519"}
	c, _ := shake(t, 1, server, client)[0].proofs(t)
	if *c.HelloRetry {
		t.Error("a retry, although both shares were sent")
	}
}

func TestKeyLog(t *testing.T) {
	server, client := ends(t, "ecdsa-p256", driver.Config{Version: "1.3"})
	client.KeyLog = scratch(t, "keys")
	shake(t, 1, server, client)[0].proofs(t)
	text, err := os.ReadFile(client.KeyLog)
	if err != nil || !strings.Contains(string(text), "CLIENT_HANDSHAKE_TRAFFIC_SECRET ") {
		t.Errorf("key log %q, %v", text, err)
	}
	if stat, err := os.Stat(client.KeyLog); err != nil || stat.Mode().Perm() != 0o600 {
		t.Errorf("key log has mode %v, %v", stat.Mode(), err)
	}
}

func TestMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells the peak of a block")
	}
	server, client := ends(t, "ecdsa-p256", driver.Config{Memory: true})
	s := start(t, "serve", server)
	client.To = s.Ready.Address
	block := run(t, start(t, "connect", client), 20)
	for _, m := range []*driver.Memory{block.Block.Memory, report(t, s).Report.Memory} {
		if m == nil || m.What != "rss" || m.Idle < 1<<20 || m.Peak < m.Idle {
			t.Errorf("memory %+v", m)
		}
	}
}

func TestCPU(t *testing.T) {
	server, client := ends(t, "ecdsa-p256", driver.Config{})
	s := start(t, "serve", server)
	client.To = s.Ready.Address
	block := run(t, start(t, "connect", client), 20)
	told := report(t, s)
	for side, cpu := range map[string]float64{"client": block.Block.CPU, "server": told.Report.CPU} {
		if cpu <= 0 || cpu > 60 {
			t.Errorf("%s: %g s of processor time", side, cpu)
		}
	}
	if again := report(t, s); again.Report.Count != 0 || again.Report.CPU >= told.Report.CPU {
		t.Errorf("an idle report says %+v after %+v", again.Report, told.Report)
	}
}

func TestLongRequests(t *testing.T) {
	server, client := ends(t, "ecdsa-p256", driver.Config{Request: driver.MaxApp, Response: driver.MaxApp})
	for _, b := range shake(t, 2, server, client) {
		b.inOrder(t)
	}
}
