package driver

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// everything has each field set, also those that no single verb takes together.
var everything = Config{
	Protocol: "tls", Version: "1.3", Groups: []string{"x25519", "secp256r1"}, Suites: []string{"TLS_AES_128_GCM_SHA256"},
	Auth: "ed25519", Cert: "a.crt", Key: "a.key", CA: "--ca", Insecure: true, Mutual: true, PSK: "00ff", PSKIdentity: "me",
	Mode: "early-data", ServerName: "example.org", Request: 1, Response: MaxApp, RequestText: "GET / HTTP/1.1\r\n\r\n",
	Timeout: 1500 * time.Millisecond, KeyLog: "keys", Memory: true, Fault: "skip-ticket",
	Listen: "127.0.0.1:0", To: "[::1]:443", Count: MaxBlock, Op: "record", Size: 32,
}

// of is what a verb takes of everything.
func of(verb string) Config {
	c := everything
	if verb != "serve" {
		c.Listen = ""
	}
	if verb != "connect" {
		c.To, c.RequestText = "", ""
	}
	if verb == "serve" {
		c.Count = 0
	}
	if verb != "op" {
		c.Op, c.Size = "", 0
	}
	return c
}

func TestParseArgsInvertsArgs(t *testing.T) {
	for _, verb := range strings.Fields(handshakes) {
		want := of(verb)
		got, err := ParseArgs(verb, argsOf(verb, want))
		if err != nil {
			t.Errorf("%s: %v", verb, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", verb, diff)
		}
	}
}

// argsOf is what Start puts behind the verb.
func argsOf(verb string, c Config) []string {
	if verb == "op" {
		return append([]string{c.Op}, c.Args()...)
	}
	return c.Args()
}

// TestEverythingIsTested fails when a field is added to Config alone.
func TestEverythingIsTested(t *testing.T) {
	v := reflect.ValueOf(everything)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("Config.%s is not tested", v.Type().Field(i).Name)
		}
	}
	if want := v.NumField() - 1; len(flags) != want { // Op is no flag
		t.Errorf("%d flags for %d fields", len(flags), want)
	}
}

func TestParseArgsRefuses(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"serve --listn x", "--listen"},
		{"serve listen x", "--listen"},
		{"serve --to x", "unknown serve flag"},
		{"serve --listen", "needs a value"},
		{"serve --cert ", "needs a value"},
		{"connect --count 0", "1 to 4096"},
		{"connect --request 16385", "1 to 16384"},
		{"connect --timeout -1", "number"},
		{"connect --version 1.4", "1.3"},
		{"connect --mode earlydata", "early-data"},
		{"connect --group x25519,", "group"},
		{"connect --group x25518", "x25519"},
		{"connect --suite TLS_AES_128_GCM_SHA257", "TLS_AES_128_GCM_SHA256"},
		{"connect --psk 0g", "--psk"},
		{"connect --psk " + strings.Repeat("00", 65), "65 bytes"},
		{"connect --fault skip-tickets", "skip-ticket"},
		{"op", "record"},
		{"op reckord", "record"},
		{"info --memory", "unknown info flag"},
	} {
		words := strings.Split(c.args, " ")
		got, err := ParseArgs(words[0], words[1:])
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q; got %+v", c.args, err, c.says, got)
		}
	}
}

func TestCheck(t *testing.T) {
	serve := Config{Listen: ":0", Cert: "c", Key: "k"}
	for _, c := range []struct {
		verb   string
		ok     bool
		change func(*Config)
	}{
		{"serve", true, func(*Config) {}},
		{"serve", false, func(c *Config) { c.Listen = "" }},
		{"serve", false, func(c *Config) { c.Key = "" }},
		{"serve", false, func(c *Config) { c.Cert, c.Key = "", "" }},
		{"serve", true, func(c *Config) { c.Cert, c.Key, c.PSK, c.PSKIdentity = "", "", "00", "me" }},
		{"serve", false, func(c *Config) { c.PSK = "00" }},
		{"serve", false, func(c *Config) { c.Auth = "psk" }},
		{"serve", false, func(c *Config) { c.Mutual = true }},
		{"serve", true, func(c *Config) { c.Mutual, c.CA = true, "ca" }},
		{"connect", false, func(*Config) {}},
		{"connect", true, func(c *Config) { *c = Config{To: "x:1"} }},
		{"connect", false, func(c *Config) { *c = Config{To: "x:1", Mutual: true} }},
		{"connect", false, func(c *Config) { *c = Config{To: "x:1", RequestText: strings.Repeat("x", MaxApp+1)} }},
		{"op", false, func(*Config) {}},
		{"op", true, func(c *Config) { c.Size = 1 }},
	} {
		cfg := serve
		c.change(&cfg)
		if err := cfg.check(c.verb); (err == nil) != c.ok {
			t.Errorf("%s %q: %v", c.verb, cfg.Args(), err)
		}
	}
}

func FuzzParseArgs(f *testing.F) {
	for _, verb := range strings.Fields(verbs) {
		f.Add(verb, strings.Join(argsOf(verb, of(verb)), "\n"))
	}
	f.Fuzz(func(t *testing.T, verb, text string) {
		got, err := ParseArgs(verb, strings.Split(text, "\n"))
		if err != nil {
			return
		}
		again, err := ParseArgs(verb, argsOf(verb, got))
		if err != nil || !cmp.Equal(got, again) {
			t.Errorf("%+v comes back as %+v, %v", got, again, err)
		}
	})
}

func TestAlertNames(t *testing.T) {
	for code, want := range map[uint8]string{40: "handshake_failure", 116: "certificate_required", 255: "unknown_255"} {
		if got := AlertName(code); got != want {
			t.Errorf("%d: %s, want %s", code, got, want)
		}
	}
}
