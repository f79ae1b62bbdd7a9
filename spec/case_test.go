package spec

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// whole sets every coordinate of a handshake.
var whole = Case{
	Kind: KindHandshake, Client: "go@1.26.8", Server: "openssl@3.5.9", Protocol: ProtocolTLS, Version: Version13,
	Group: "X25519MLKEM768", Suite: "TLS_AES_128_GCM_SHA256", Auth: AuthECDSAP256, Mode: ModeResumed, Mutual: true,
	Link: "lte-m", Size: 14, Token: "softhsm", Provider: "go", Chain: 3, Retry: true,
}

// TestRowFields holds the JSON of a case against the contract: these names, in
// this order, always present.
func TestRowFields(t *testing.T) {
	const want = `{"kind":"handshake","client":"openssl@3.5.9","server":"go@1.26.8","protocol":"tls","version":"1.3",` +
		`"group":"X25519MLKEM768","suite":"TLS_AES_128_GCM_SHA256","auth":"ecdsa-p256","mode":"full","mutual":false,` +
		`"link":"loopback","op":"","provider":"","size":0,"token":""}`
	var c Case
	if err := json.Unmarshal([]byte(want), &c); err != nil {
		t.Fatal(err)
	}
	if got, err := json.Marshal(c); err != nil || string(got) != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
}

// TestFieldsMatchJSON keeps the list of fields and the struct in step.
func TestFieldsMatchJSON(t *testing.T) {
	var tags []string
	for i := range reflect.TypeFor[Case]().NumField() {
		tag, _, _ := strings.Cut(reflect.TypeFor[Case]().Field(i).Tag.Get("json"), ",")
		tags = append(tags, tag)
	}
	if !slices.Equal(tags, Fields()) {
		t.Errorf("fields %q, JSON %q", Fields(), tags)
	}
}

func TestGetSet(t *testing.T) {
	var copied Case
	for _, name := range Fields() {
		if err := copied.Set(name, whole.Get(name)); err != nil {
			t.Errorf("set %s: %v", name, err)
		}
	}
	if copied != whole {
		t.Errorf("copied field by field:\n got %+v\nwant %+v", copied, whole)
	}
	for _, name := range Fields() {
		if err := copied.Set(name, ""); err != nil {
			t.Errorf("unset %s: %v", name, err)
		}
	}
	if copied != (Case{}) {
		t.Errorf("unset field by field: %+v", copied)
	}
	if got := whole.Get("colour"); got != "" {
		t.Errorf("no such field, but %q", got)
	}
}

func TestSetCanonicalises(t *testing.T) {
	var c Case
	for name, spelling := range map[string]string{
		"group": "p-256", "suite": "ecdhe-rsa-aes128-gcm-sha256", "version": "TLSv1.2", "mode": "0RTT",
		"server": "OpenSSL@3.5", "mutual": "1", "auth": "RSA2048",
	} {
		if err := c.Set(name, spelling); err != nil {
			t.Error(err)
		}
	}
	want := Case{
		Group: "secp256r1", Suite: "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", Version: "1.2", Mode: "early-data",
		Server: "openssl@3.5", Mutual: true, Auth: "rsa-2048",
	}
	if c != want {
		t.Errorf("got %+v\nwant %+v", c, want)
	}
}

func TestSetRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"group": "x2551", "colour": "red", "mutual": "perhaps", "size": "1.5", "client": "opensl", "kind": "dance",
	} {
		c := whole
		if err := c.Set(name, text); err == nil {
			t.Errorf("%s took %q", name, text)
		}
		if c != whole {
			t.Errorf("%s %q was refused and changed the case to %+v", name, text, c)
		}
	}
}

func TestID(t *testing.T) {
	// The ID is part of run directories: a change here breaks --resume and compare.
	if got := whole.ID(); got != "d8cd9d25e0a3" {
		t.Errorf("ID of the whole case changed to %s", got)
	}
	spelled := whole
	spelled.Group, spelled.Suite, spelled.Version = "x25519mlkem768", "TLS13-AES128-GCM-SHA256", "TLSv1.3"
	if spelled.ID() != whole.ID() {
		t.Error("the ID depends on spelling")
	}
	if (Case{Chain: 1}).ID() != (Case{}).ID() {
		t.Error("a chain of one certificate is not the default")
	}
	seen := map[string]string{whole.ID(): "nothing"}
	for _, name := range Fields() {
		changed := whole
		if err := changed.Set(name, ""); err != nil {
			t.Fatal(err)
		}
		other, taken := seen[changed.ID()]
		if taken && whole.Get(name) != "" {
			t.Errorf("unsetting %s or %s makes the same ID", name, other)
		}
		seen[changed.ID()] = name
	}
}

func TestIDKeepsFieldsApart(t *testing.T) {
	a := Case{Link: "x\"\nop=\"y"}
	b := Case{Link: "x", Op: "y"}
	if a.ID() == b.ID() {
		t.Error("a value can pass for another field")
	}
}

func TestCaseString(t *testing.T) {
	for _, c := range []struct {
		c    Case
		want string
	}{
		{Case{}, ""},
		{Case{Kind: KindHandshake, Client: "go", Server: "openssl@3.5.9", Protocol: "tls", Version: "1.3", Auth: "ecdsa-p256", Mode: "full", Link: "loopback"}, "handshake go -> openssl@3.5.9, TLS 1.3, ecdsa-p256, full, loopback"},
		{Case{Kind: KindOp, Op: "mlkem768", Provider: "go"}, "op mlkem768, go"},
		{Case{Kind: KindRecord, Client: "wolfssl", Suite: "TLS_AES_128_CCM_SHA256", Size: 14}, "record wolfssl, TLS_AES_128_CCM_SHA256, 14 B"},
		{Case{Server: "example.org:443", Protocol: "quic", Version: "1.3"}, "-> example.org:443, QUIC"},
		{whole, "handshake go@1.26.8 -> openssl@3.5.9, TLS 1.3, X25519MLKEM768, TLS_AES_128_GCM_SHA256, ecdsa-p256, resumed, mutual, chain 3, retry, go, 14 B, softhsm, lte-m"},
	} {
		if got := c.c.String(); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

func TestDifferences(t *testing.T) {
	other := whole
	other.Version, other.Size, other.Mutual = Version12, 0, false
	if got := Differences([]Case{whole, whole, other}); !slices.Equal(got, []string{"version", "mutual", "size"}) {
		t.Errorf("differences: %q", got)
	}
	if got := Differences([]Case{whole, whole}); got != nil {
		t.Errorf("equal cases differ in %q", got)
	}
	if got := Differences(nil); got != nil {
		t.Errorf("no cases differ in %q", got)
	}
}

// verdicts are changes to a plain handshake and what Validate says of each.
var verdicts = []struct {
	change string // field=value, parted by spaces
	reason string // part of the error; empty for a case that is possible
}{
	{"", ""},
	{"version=1.2 suite=ECDHE-ECDSA-AES128-GCM-SHA256 group=x25519", ""},
	{"version=1.3 auth=mldsa44 group=SecP256r1MLKEM768", ""},
	{"version=1.2 auth=ed25519 suite=ECDHE-ECDSA-AES128-GCM-SHA256", ""},
	{"version=1.2 auth=psk suite=PSK-AES128-CCM8", ""},
	{"version=1.2 auth=rsa-2048 suite=DHE-RSA-AES128-GCM-SHA256 group=ffdhe2048", ""},
	{"protocol=quic mode=early-data", ""},
	{"group=0x1234 version=1.2", ""},
	{"kind=op op=mlkem768", ""},
	{"server=example.org:443", ""},
	{"mode=early-data suite=TLS_AES_128_GCM_SHA256", ""},

	{"kind=", "needs a kind"},
	{"kind=op", "name of the operation"},
	{"op=mlkem768", "is an operation"},
	{"size=-1", "negative"},
	{"chain=-1", "negative"},
	{"client=example.org:443", "client is a stack"},
	{"protocol=dtls version=1.1", "there is no DTLS 1.1"},
	{"protocol=quic version=1.2", "1.3 only"},
	{"version=1.2 mode=early-data", "early data needs version 1.3"},
	{"version=1.2 retry=true", "HelloRetryRequest needs"},
	{"version=1.2 auth=mldsa65", "mldsa65 needs version 1.3"},
	{"version=1.1 auth=ed25519", "ed25519 needs version 1.2"},
	{"version=1.2 group=X25519MLKEM768", "X25519MLKEM768 needs version 1.3, not 1.2"},
	{"version=1.2 group=MLKEM768", "MLKEM768 needs version 1.3"},
	{"version=1.3 group=brainpoolP256r1", "ended with 1.2"},
	{"version=1.2 group=brainpoolP256r1tls13", "needs version 1.3"},
	{"mode=early-data group=secp256k1", "ended with 1.2"},
	{"group=0x0a0a", "to be ignored"},
	{"version=1.2 suite=TLS_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256 needs version 1.3, not 1.2"},
	{"version=1.3 suite=ECDHE-RSA-AES128-GCM-SHA256", "does not exist in version 1.3"},
	{"version=1.1 suite=ECDHE-RSA-AES128-GCM-SHA256", "needs version 1.2"},
	{"mode=early-data suite=ECDHE-RSA-AES128-GCM-SHA256", "does not exist in version 1.3"},
	{"auth=mldsa44 suite=ECDHE-ECDSA-AES128-GCM-SHA256", "does not exist in version 1.3"},
	{"protocol=quic suite=TLS_AES_128_CCM_8_SHA256", "QUIC must not"},
	{"protocol=dtls suite=RC4-SHA", "stream cipher"},
	{"version=1.2 auth=rsa-2048 suite=ECDHE-ECDSA-AES128-GCM-SHA256", "authenticates with ECDSA, not with rsa-2048"},
	{"version=1.2 auth=ecdsa-p256 suite=ECDHE-RSA-AES128-GCM-SHA256", "authenticates with RSA, not with ecdsa-p256"},
	{"version=1.2 auth=ecdsa-p256 suite=PSK-AES128-CCM8", "authenticates with PSK"},
	{"version=1.2 auth=psk suite=ECDHE-RSA-AES128-GCM-SHA256", "not with psk"},
	{"version=1.2 auth=rsa-2048 suite=ADH-AES128-SHA", "authenticates with anon"},
	{"version=1.2 suite=ECDHE-RSA-AES128-GCM-SHA256 group=ffdhe2048", "finite field group"},
	{"version=1.2 suite=DHE-RSA-AES128-GCM-SHA256 group=x25519", "no finite field group"},
	{"version=1.2 suite=AES128-GCM-SHA256 group=x25519", "no ephemeral key exchange"},
	{"auth=psk mutual=true", "client certificate"},
	{"auth=psk chain=2", "no certificate"},
}

func TestValidate(t *testing.T) {
	for _, c := range verdicts {
		err := changed(t, c.change).Validate()
		if c.reason == "" && err != nil {
			t.Errorf("%q: %v", c.change, err)
		}
		refusal := (*Impossible)(nil)
		if c.reason != "" && (!errors.As(err, &refusal) || !strings.Contains(refusal.Reason, c.reason)) {
			t.Errorf("%q: %v; want %q", c.change, err, c.reason)
		}
	}
}

// changed returns a plain handshake with some coordinates set.
func changed(t *testing.T, changes string) Case {
	t.Helper()
	c := Case{Kind: KindHandshake, Client: "go", Server: "go", Protocol: ProtocolTLS}
	for _, change := range strings.Fields(changes) {
		name, value, _ := strings.Cut(change, "=")
		if err := c.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// TestValidateNames covers cases that come from a file rather than from Set.
func TestValidateNames(t *testing.T) {
	for want, c := range map[string]Case{
		"unknown group \"x2551\": did you mean":  {Kind: KindHandshake, Group: "x2551"},
		"unknown suite":                          {Kind: KindHandshake, Suite: "TLS_FAST"},
		"unknown version":                        {Kind: KindHandshake, Version: "2.0"},
		"unknown auth":                           {Kind: KindHandshake, Auth: "password"},
		"client: unknown stack \"opensl\": did ": {Kind: KindHandshake, Client: "opensl"},
	} {
		if err := c.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: %v; want %q", c, err, want)
		}
	}
}

func FuzzCase(f *testing.F) {
	f.Add("group", "P-256", "suite", "AES128-SHA")
	f.Add("server", "[::1]:1", "version", "dtls1.2")
	f.Add("link", "\xff\"\n", "size", "-1")
	f.Fuzz(func(t *testing.T, name1, text1, name2, text2 string) {
		c := Case{Kind: KindHandshake}
		_ = c.Set(name1, text1)
		_ = c.Set(name2, text2)
		if c != c.Canonical() && c.Chain != 1 {
			t.Errorf("Set left %+v, canonical is %+v", c, c.Canonical())
		}
		if len(c.ID()) != 12 || c.ID() != c.Canonical().ID() {
			t.Errorf("ID %s of %+v", c.ID(), c)
		}
		_, _ = c.Validate(), c.String()
	})
}
