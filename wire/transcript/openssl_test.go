package transcript

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"shakedown/wire"
	"shakedown/wire/internal/wiretest"
)

// OpenSSL speaks what crypto/tls does not: AES-CCM, encrypt-then-MAC and 0-RTT.
func TestSuitesOfOpenSSL(t *testing.T) {
	for _, c := range []struct{ suite, name, version string }{
		{"ECDHE-ECDSA-AES128-CCM8", "TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8", "1.2"},
		{"ECDHE-ECDSA-AES256-CCM", "TLS_ECDHE_ECDSA_WITH_AES_256_CCM", "1.2"},
		{"ECDHE-ECDSA-AES256-SHA384", "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384", "1.2"},
		{"TLS_AES_128_CCM_SHA256", "TLS_AES_128_CCM_SHA256", "1.3"},
		{"TLS_AES_128_CCM_8_SHA256", "TLS_AES_128_CCM_8_SHA256", "1.3"},
		{"TLS_CHACHA20_POLY1305_SHA256", "TLS_CHACHA20_POLY1305_SHA256", "1.3"},
		{"TLS_AES_256_GCM_SHA384", "TLS_AES_256_GCM_SHA384", "1.3"},
	} {
		t.Run(c.suite, func(t *testing.T) {
			flags := []string{"-tls1_2", "-cipher", c.suite + "@SECLEVEL=0", "-no_ticket"}
			messages, trips := 10, 2
			if c.version == "1.3" {
				flags = []string{"-tls1_3", "-ciphersuites", c.suite}
				messages, trips = 7, 1
			}
			server := wiretest.StartOpenSSL(t, flags...)
			got := Read(recorded(t, server.Connect(false, flags...)))
			if got.Messages != messages || got.RoundTrips != trips || got.Opaque != 0 || got.Problem != "" || !got.Complete {
				t.Errorf("%d messages, %d round trips, %d closed, problem %q:\n%s",
					got.Messages, got.RoundTrips, got.Opaque, got.Problem, names(got))
			}
			if p := got.Proof; p.Version != c.version || p.Suite != c.name || p.Mode != "full" {
				t.Errorf("proof %+v", p)
			}
		})
	}
}

func TestEarlyDataOfOpenSSL(t *testing.T) {
	server := wiretest.StartOpenSSL(t, "-tls1_3", "-early_data")
	first := Read(recorded(t, server.Connect(true, "-tls1_3")))
	if first.Messages != 7 || first.Post == 0 {
		t.Fatalf("%d messages, %d after them\n%s", first.Messages, first.Post, names(first))
	}
	got := Read(recorded(t, server.Connect(false, "-tls1_3", "-sess_in", "@session", "-early_data", "@early")))
	if got.Messages != 6 || got.RoundTrips != 0 || got.Proof.Mode != "early-data" || got.Proof.Early != "accepted" {
		t.Errorf("%d messages, %d round trips, %+v\n%s", got.Messages, got.RoundTrips, got.Proof, names(got))
	}
	if got.EarlyBytes == 0 || data(got, Client) != "early request\n" {
		t.Errorf("%d early bytes, data %q", got.EarlyBytes, data(got, Client))
	}
	rejected := Read(recorded(t, server.Connect(false, "-tls1_3", "-sess_in", "@session", "-early_data", "@early")))
	// A ticket that was used is no ticket any more: OpenSSL turns to a full handshake.
	if p := rejected.Proof; rejected.Messages != 7 || rejected.RoundTrips != 1 || p.Mode != "full" || p.Early != "rejected" {
		t.Errorf("ticket used twice: %d messages, %d round trips, %+v", rejected.Messages, rejected.RoundTrips, p)
	}
}

func TestExternalKeyOfOpenSSL(t *testing.T) {
	psk := []string{"-psk", "0102030405060708090a0b0c0d0e0f10", "-psk_identity", "device"}
	for version, messages := range map[string]int{"-tls1_2": 9, "-tls1_3": 5} {
		flags := append([]string{version, "-ciphersuites", "TLS_AES_128_GCM_SHA256"}, psk...)
		if version == "-tls1_2" {
			flags = append(flags, "-cipher", "ECDHE-PSK-AES128-CBC-SHA256", "-no_ticket")
		}
		server := wiretest.StartOpenSSL(t, flags...)
		got := Read(recorded(t, server.Connect(false, flags...)))
		if p := got.Proof; !p.PSK || p.Mode != "full" || got.Messages != messages || got.Problem != "" || got.Opaque != 0 {
			t.Errorf("%s: %d messages, problem %q, proof %+v\n%s", version, got.Messages, got.Problem, p, names(got))
		}
	}
}

// said is how `openssl s_client -msg` announces a message: its direction, length in
// hexadecimal and name. It is silent about a ChangeCipherSpec that it receives.
var said = regexp.MustCompile(`(?m)^(>>>|<<<) [^,]+, Handshake \[length ([0-9a-f]+)\], (\w+)`)

// What openssl says of its messages and what the wire shows is the same, message by
// message.
func TestSameAsOpenSSLSays(t *testing.T) {
	for _, version := range []string{"-tls1_2", "-tls1_3"} {
		server := wiretest.StartOpenSSL(t, version)
		rec := server.Connect(true, version, "-msg")
		var want strings.Builder
		for _, m := range said.FindAllStringSubmatch(rec.Said, -1) {
			size, err := strconv.ParseInt(m[2], 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&want, "%s %s %d\n", map[string]string{">>>": "client", "<<<": "server"}[m[1]], m[3], size)
		}
		var got strings.Builder
		for _, e := range Read(recorded(t, rec)).Entries {
			if e.Content == wire.ContentHandshake {
				fmt.Fprintf(&got, "%s %s %d\n", e.From, e.Name, e.Size)
			}
		}
		if strings.Count(want.String(), "\n") < 7 || got.String() != want.String() {
			t.Errorf("%s: the wire shows\n%sopenssl says\n%s", version, got.String(), want.String())
		}
	}
}
