package main

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"shakedown/spec"
	"shakedown/stack"
	"shakedown/stack/native"
)

// someStacks are one that is here, one that lacks headers, one that broke, and
// a version that would be worth having.
func someStacks() []stack.Entry {
	lib, _ := native.Find("gnutls")
	info := spec.Info{
		Stack: "openssl", Version: "3.0.22", Headers: "3.0.20", Library: "OpenSSL 3.0.22", Verbs: []string{"info", "serve"},
		Versions: []string{"1.2", "1.3"}, Groups: []string{"x25519", "X25519MLKEM768"}, Modes: []string{"full", "resumed"},
		Suites: []string{"TLS_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", "TLS_RSA_WITH_AES_128_CBC_SHA"},
		Auths:  []string{"ecdsa-p256", "psk"}, Ops: []string{"record"}, Memory: "heap",
		Cannot: map[string]string{"mldsa44": "no ML-DSA", "mldsa65": "no ML-DSA", "early-data": "not built in"},
	}
	return []stack.Entry{
		{Name: "openssl", Root: "/opt/other", Stack: &stack.Stack{Name: "openssl@3.0.22", Root: "/opt/other", Info: info}},
		{Name: "gnutls", Err: &native.MissingError{Library: lib, What: "no headers", Hint: "apt-get install libgnutls28-dev"}},
		{Name: "wolfssl", Root: "/opt/broken", Err: errors.New("the driver does not compile")},
		{Name: "openssl@3.5", Err: &stack.MissingError{Stack: "openssl@3.5", Why: "no such version", Hint: "scripts/make-root trixie"}},
	}
}

func TestStacksText(t *testing.T) {
	var out strings.Builder
	if err := stacksText(&out, someStacks()); err != nil {
		t.Fatal(err)
	}
	const want = `                TLS 1.2  TLS 1.3  resumed  early-data  mutual  retry  hybrid  ML-DSA  psk  records  memory
openssl@3.0.22  yes      yes      yes      -           -       -      yes     -       yes  yes      heap

openssl@3.0.22  OpenSSL 3.0.22
  root           /opt/other
  headers        3.0.20
  verbs          info serve
  modes          full resumed
  classical      x25519
  hybrid         X25519MLKEM768
  TLS 1.3 suites TLS_AES_128_GCM_SHA256
  TLS 1.2 suites 2 (by name: --json), with AES_128_CBC
  auth           ecdsa-p256 psk
  cannot         mldsa44 mldsa65: no ML-DSA
  cannot         early-data: not built in

not here
  gnutls         no headers
                 apt-get install libgnutls28-dev
  wolfssl        the driver does not compile (/opt/broken)
  openssl@3.5    no such version; it would bring ML-KEM hybrids and ML-DSA
                 scripts/make-root trixie
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestStacksJSON(t *testing.T) {
	var out strings.Builder
	if err := stacksJSON(&out, someStacks()); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines, want 4", len(lines))
	}
	for i, want := range []struct {
		name, hint string
		here       bool
	}{
		{"openssl@3.0.22", "", true},
		{"gnutls", "apt-get install libgnutls28-dev", false},
		{"wolfssl", "", false},
		{"openssl@3.5", "scripts/make-root trixie", false},
	} {
		var got stackLine
		if err := json.Unmarshal([]byte(lines[i]), &got); err != nil {
			t.Fatal(err)
		}
		if got.Name != want.name || got.Hint != want.hint || got.Here != want.here || got.Here == (got.Why != "") {
			t.Errorf("line %d: %s", i+1, lines[i])
		}
	}
}
