package plan

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"shakedown/spec"
)

const small = `
name: small
title: Two stacks, two versions
samples: 10
time: 1m
quick: {samples: 2}
cases:
  - client: here
    server: [same, go]
    version: ["1.2", TLSv1.3]
    group: P-256
`

func TestExpand(t *testing.T) {
	p, err := Read("small.yaml", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range p.Expand([]string{"openssl", "wolfssl"}) {
		got = append(got, c.Client+" "+c.Server+" "+string(c.Version)+" "+c.Group)
	}
	want := []string{
		"openssl openssl 1.2 secp256r1", "openssl openssl 1.3 secp256r1",
		"openssl go 1.2 secp256r1", "openssl go 1.3 secp256r1",
		"wolfssl wolfssl 1.2 secp256r1", "wolfssl wolfssl 1.3 secp256r1",
		"wolfssl go 1.2 secp256r1", "wolfssl go 1.3 secp256r1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEffort(t *testing.T) {
	p, err := Read("small.yaml", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	want := Effort{Samples: 2, Time: Duration(time.Minute)}
	if got := p.Or(p.Quick); got != want {
		t.Errorf("quick effort %+v, want %+v", got, want)
	}
}

func TestExpandOnce(t *testing.T) {
	p := Plan{Cases: []Matrix{
		{Axes: map[string][]string{"client": {"go"}, "server": {"go"}}},
		{Axes: map[string][]string{"client": {"go", "go"}, "server": {Same}}},
	}}
	if n := len(p.Expand(nil)); n != 1 {
		t.Errorf("%d cases, want the same one once", n)
	}
}

// TestErrors: a mistake is named with file, line and field, and what is near.
func TestErrors(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"unknown value", "name: x\ncases:\n  - client: go\n    group: x2551\n", "bad.yaml: line 4, column 12: group: unknown group \"x2551\": did you mean x25519"},
		{"unknown stack", "cases:\n  - client: opensll\n", "line 2, column 13: client: unknown stack \"opensll\": did you mean openssl"},
		{"unknown axis", "cases:\n  - clinet: go\n", "line 2, column 5: unknown field \"clinet\": did you mean client"},
		{"unknown field", "nam: x\ncases:\n  - client: go\n", "bad.yaml: line 1, column 1: unknown field \"nam\": did you mean name?"},
		{"no cases", "name: x\n", "cases: the plan measures nothing"},
		{"not a mapping", "cases: [go]\n", "line 1, column 9: want a mapping"},
		{"nested", "cases:\n  - client: {a: b}\n", "want a value or a list"},
		{"bad duration", "time: soon\ncases:\n  - client: go\n", "bad.yaml: line 1, column 7: \"soon\" is no duration"},
		{"negative", "samples: -1\ncases:\n  - client: go\n", "line 1, column 10: samples: must not be negative"},
		{"negative timeout", "quick:\n  timeout: -1s\ncases:\n  - client: go\n", "line 2, column 12: timeout: must not be negative"},
		{"type", "samples: many\ncases:\n  - client: go\n", "line 1, column 10: samples: want a whole number, not \"many\""},
		{"precision", "precision: 5\ncases:\n  - client: go\n", "line 1, column 12: precision: 5 is no precision: 0.02 means"},
		{"statistic", "cases:\n  - client: go\ncomparisons:\n  - {metric: response, statistic: mode, base: {mode: full}, against: [{case: {mode: resumed}}]}\n", "line 4, column 5: statistic: want median or mean"},
		{"comparison field", "cases:\n  - client: go\ncomparisons:\n  - {metric: response, base: {mod: full}, against: [{case: {mode: resumed}}]}\n", "did you mean mode"},
		{"comparison value", "cases:\n  - client: go\ncomparisons:\n  - {metric: response, base: {mode: ful}, against: [{case: {mode: resumed}}]}\n", "did you mean full"},
		{"no client", "cases:\n  - version: 1.3\n", "line 2, column"},
		{"no yaml", "\t{", "bad.yaml"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read("bad.yaml", []byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant … %s", err, tt.want)
			}
		})
	}
}

func TestMatches(t *testing.T) {
	c := spec.Case{Version: "1.3", Mode: spec.ModeFull, Size: 14}
	if !(Where{"version": "1.3", "size": "14", "suite": ""}).Matches(c) {
		t.Error("a case does not match its own values")
	}
	if (Where{"version": "1.2"}).Matches(c) {
		t.Error("a case matches another version")
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("cases: [{client: go}]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Read("fuzz.yaml", data)
		if err == nil && len(p.Cases) == 0 {
			t.Error("a plan without cases was accepted")
		}
	})
}
