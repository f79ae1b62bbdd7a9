package caddy

import (
	"fmt"
	"strings"
	"testing"

	"shakedown/driver"
)

const (
	access  = `{"level":"info","logger":"http.log.access","msg":"handled request","request":{"remote_ip":"127.0.0.1","remote_port":"46924","uri":"/","headers":{"Host":["a"]},"tls":{"resumed":%v,"version":%d,"cipher_suite":%d%s}},"status":200}` + "\n"
	failing = `{"level":"debug","logger":"http.stdlib","msg":"http: TLS handshake error from %s: %s"}` + "\n"
)

func TestServed(t *testing.T) {
	for _, c := range []struct {
		line, version, suite, mode string
		mutual                     bool
	}{
		{fmt.Sprintf(access, false, 772, 4865, ""), "1.3", "TLS_AES_128_GCM_SHA256", "full", false},
		{fmt.Sprintf(access, true, 771, 0xC02B, ""), "1.2", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "resumed", false},
		{fmt.Sprintf(access, false, 772, 4865, `,"client_common_name":""`), "1.3", "TLS_AES_128_GCM_SHA256", "full", true},
		{fmt.Sprintf(access, false, 9, 9, ""), "", "0x0009", "full", false},
	} {
		var j journal
		j.add([]byte(c.line))
		j.read()
		if len(j.list) != 1 {
			t.Fatalf("%d accounts of %s", len(j.list), c.line)
		}
		h := j.list[0]
		if c.suite == "0x0009" {
			c.suite = h.Proof.Suite // whatever name that code point has
		}
		if h.Port != 46924 || !h.OK || h.Proof.Version != c.version || h.Proof.Suite != c.suite || h.Proof.Mode != c.mode || *h.Proof.Mutual != c.mutual {
			t.Errorf("%+v %+v of %s", h, h.Proof, c.line)
		}
	}
}

func TestFailed(t *testing.T) {
	for _, c := range []struct{ cause, reason, alert, from string }{
		{"EOF", driver.ReasonClosed, "", ""},
		{"read tcp 127.0.0.1:1->127.0.0.1:2: i/o timeout", driver.ReasonTimeout, "", ""},
		{"read tcp 127.0.0.1:1->127.0.0.1:2: read: connection reset by peer", driver.ReasonReset, "", ""},
		{"remote error: tls: unknown certificate authority", driver.ReasonAlert, "unknown_ca", driver.FromPeer},
		{"remote error: tls: bad certificate", driver.ReasonAlert, "bad_certificate", driver.FromPeer},
		{"local error: tls: bad record MAC", driver.ReasonAlert, "bad_record_mac", driver.FromLocal},
		{"tls: client didn't provide a certificate", driver.ReasonVerify, "", ""},
		{"tls: first record does not look like a TLS handshake", driver.ReasonProtocol, "", ""},
		{"client sent an HTTP request to an HTTPS server", driver.ReasonProtocol, "", ""},
		{"something else", driver.ReasonOther, "", ""},
	} {
		for _, from := range []string{"127.0.0.1:46956", "[::1]:46956"} {
			var j journal
			j.add(fmt.Appendf(nil, failing, from, c.cause))
			j.read()
			if len(j.list) != 1 {
				t.Fatalf("%d accounts of %q", len(j.list), c.cause)
			}
			if h := j.list[0]; h.OK || h.Port != 46956 || h.Reason != c.reason || h.Alert != c.alert || h.From != c.from || h.Detail != c.cause {
				t.Errorf("%+v of %q", h, c.cause)
			}
		}
	}
}

// TestPassedOver: other lines are no accounts, and do no harm.
func TestPassedOver(t *testing.T) {
	j := journal{marker: "/mark/7"}
	for _, line := range []string{
		"", "no JSON", "{}", "[]", `{"logger":"http.log.access"}`, `{"logger":"http.log.access","request":7}`,
		`{"logger":"http.log.access","request":{"uri":"/mark/6"}}`, `{"logger":"http.stdlib","msg":"http: something"}`,
		`{"logger":"http.stdlib","msg":"http: TLS handshake error from nobody: EOF"}`,
		`{"logger":"other","request":{"tls":{"version":772}}}`,
	} {
		j.add([]byte(line + "\n"))
	}
	j.read()
	if len(j.list) != 0 || j.marked {
		t.Errorf("%+v", j.list)
	}
	j.add([]byte(`{"logger":"http.log.access","request":{"uri":"/ma`))
	j.read()
	if j.marked {
		t.Error("half a line is no line")
	}
	j.add([]byte("rk/7\"}}\n"))
	j.read()
	if !j.marked {
		t.Error("the marker was not seen")
	}
}

// TestEndlessLine: a line that does not end is given up.
func TestEndlessLine(t *testing.T) {
	var j journal
	piece := []byte(strings.Repeat("x", 1<<16))
	for range 1000 {
		j.add(piece)
		if len(j.raw) > maxRaw+len(piece) {
			t.Fatalf("%d bytes are kept", len(j.raw))
		}
	}
}

// FuzzJournal: whatever comes in whatever pieces, nothing breaks, what is kept
// is bounded, and each account can be printed.
func FuzzJournal(f *testing.F) {
	f.Add(fmt.Sprintf(access, true, 771, 0xC02B, `,"client_common_name":"x"`), 7)
	f.Add(fmt.Sprintf(failing, "127.0.0.1:46956", "remote error: tls: bad certificate"), 1)
	f.Add("{\n}\n", 100)
	f.Fuzz(func(t *testing.T, text string, at int) {
		j := journal{marker: "/mark/1"}
		at = min(max(at, 0), len(text))
		j.add([]byte(text[:at]))
		j.add([]byte(text[at:]))
		j.read()
		if len(j.raw) > maxLine || len(j.list) > strings.Count(text, "\n") {
			t.Fatalf("%d bytes and %d accounts are kept", len(j.raw), len(j.list))
		}
		var out strings.Builder
		p := printer{w: &out}
		for _, h := range j.list {
			p.add(h)
		}
		if err := p.flush(); err != nil || strings.Count(out.String(), "\n") != len(j.list) {
			t.Fatalf("%d accounts printed as %q", len(j.list), out.String())
		}
	})
}
