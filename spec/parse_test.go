package spec

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestSpellings(t *testing.T) {
	group := func(s string) (string, error) { g, err := ParseGroup(s); return g.String(), err }
	suite := func(s string) (string, error) { x, err := ParseSuite(s); return x.String(), err }
	scheme := func(s string) (string, error) { x, err := ParseSignatureScheme(s); return x.String(), err }
	version := func(s string) (string, error) { v, err := ParseVersion(s); return v.String(), err }
	protocol := func(s string) (string, error) { p, err := ParseProtocol(s); return p.String(), err }
	auth := func(s string) (string, error) { a, err := ParseAuth(s); return a.String(), err }
	mode := func(s string) (string, error) { m, err := ParseMode(s); return m.String(), err }
	kind := func(s string) (string, error) { k, err := ParseKind(s); return string(k), err }
	for _, c := range []struct {
		parse     func(string) (string, error)
		want      string
		spellings string // parted by "|"
	}{
		{version, "1.0", "1.0|10|tls1.0|TLSv1|TLS1|0x0301|dtls1.0|DTLSv1|0xfeff|VERS-TLS1.0"},
		{version, "1.1", "1.1|11|TLSv1.1|tls11"},
		{version, "1.2", "1.2|12|tls1.2|TLSv1.2|TLS 1.2|dtls1.2|DTLSv1.2|DTLS 1.2|0x0303|0xFEFD|VERS-DTLS1.2|TLSv1_2"},
		{version, "1.3", "1.3|13|tls1.3|TLSv1.3|TLS 1.3|tls13|0x0304|0xfefc"},
		{protocol, "tls", "tls|TLS"},
		{protocol, "quic", "QUIC|quic"},
		{mode, "full", "full|Full"},
		{mode, "resumed", "resumed|resumption|resume"},
		{mode, "early-data", "early-data|early_data|0-rtt|0rtt|0-RTT"},
		{auth, "ecdsa-p256", "ecdsa-p256|ECDSA-P256|ecdsap256"},
		{auth, "rsa-2048", "rsa-2048|rsa2048|RSA_2048"},
		{auth, "mldsa44", "mldsa44|ML-DSA-44"},
		{auth, "psk", "psk|PSK"},
		{kind, "handshake", "handshake|Handshake"},
		{group, "x25519", "x25519|X25519|GROUP-X25519|WOLFSSL-X25519?"},
		{group, "secp256r1", "secp256r1|P-256|p256|prime256v1|CurveP256|GROUP-SECP256R1|0x17|0x0017|23?"},
		{group, "X25519MLKEM768", "x25519mlkem768|X25519MLKEM768|GROUP-X25519-MLKEM768|X25519_MLKEM768|0x11EC|0x11ec"},
		{group, "MLKEM768", "mlkem768|ML-KEM-768|ml_kem_768"},
		{group, "X25519Kyber768Draft00", "x25519kyber768draft00|X25519Kyber768|x25519_kyber768|0x6399"},
		{group, "GREASE-0x0A0A", "GREASE-0x0A0A|0x0a0a"},
		{suite, "TLS_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256|tls_aes_128_gcm_sha256|TLS13-AES128-GCM-SHA256|TLS1-3-AES-128-GCM-SHA256|0x1301"},
		{suite, "TLS_AES_128_CCM_8_SHA256", "TLS_AES_128_CCM_8_SHA256|TLS13-AES128-CCM-8-SHA256|TLS13-AES128-CCM8-SHA256"},
		{suite, "TLS_CHACHA20_POLY1305_SHA256", "TLS_CHACHA20_POLY1305_SHA256|TLS13-CHACHA20-POLY1305-SHA256|CHACHA20-POLY1305"},
		{suite, "TLS_RSA_WITH_AES_128_GCM_SHA256", "AES128-GCM-SHA256|TLS_RSA_AES_128_GCM_SHA256|TLS-RSA-WITH-AES-128-GCM-SHA256"},
		{suite, "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-RSA-CHACHA20-POLY1305|TLS_ECDHE_RSA_CHACHA20_POLY1305|TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305"},
		{suite, "TLS_PSK_DHE_WITH_AES_128_CCM_8", "DHE-PSK-AES128-CCM8|TLS_DHE_PSK_AES_128_CCM_8|TLS_DHE_PSK_WITH_AES_128_CCM_8"},
		{suite, "TLS_ECDHE_PSK_WITH_AES_128_GCM_SHA256", "ECDHE-PSK-AES128-GCM-SHA256"},
		{scheme, "ecdsa_secp256r1_sha256", "ECDSA+SHA256|ecdsa_secp256r1_sha256|SIGN-ECDSA-SECP256R1-SHA256|0x0403"},
		{scheme, "rsa_pss_rsae_sha256", "RSA-PSS+SHA256|rsa_pss_rsae_sha256|PSSWithSHA256"},
		{scheme, "mldsa44", "mldsa44|ML-DSA-44|0x0904"},
	} {
		for _, spelling := range strings.Split(c.spellings, "|") {
			spelling, refused := strings.CutSuffix(spelling, "?")
			got, err := c.parse(spelling)
			if refused && err == nil {
				t.Errorf("%q was taken for %s", spelling, got)
			}
			if !refused && (err != nil || got != c.want) {
				t.Errorf("%q = %q, %v; want %s", spelling, got, err, c.want)
			}
		}
	}
}

func TestVersionCodes(t *testing.T) {
	for _, c := range []struct {
		version  Version
		protocol Protocol
		code     uint16
		label    string
	}{
		{"1.0", "tls", 0x0301, "TLS 1.0"},
		{"1.2", "tls", 0x0303, "TLS 1.2"},
		{"1.3", "tls", 0x0304, "TLS 1.3"},
		{"1.0", "dtls", 0xFEFF, "DTLS 1.0"},
		{"1.1", "dtls", 0, "DTLS 1.1"},
		{"1.2", "dtls", 0xFEFD, "DTLS 1.2"},
		{"1.3", "dtls", 0xFEFC, "DTLS 1.3"},
		{"1.3", "quic", 0x0304, "QUIC"},
		{"1.2", "quic", 0, "QUIC"},
		{"1.4", "tls", 0, "TLS 1.4"},
		{"1.3", "", 0x0304, "TLS 1.3"},
	} {
		if got := c.version.Code(c.protocol); got != c.code {
			t.Errorf("%s over %s: %#04x, want %#04x", c.version, c.protocol, got, c.code)
		}
		if got := c.version.Label(c.protocol); got != c.label {
			t.Errorf("%s over %s: %q, want %q", c.version, c.protocol, got, c.label)
		}
		v, p, ok := VersionByCode(c.code)
		if c.code != 0 && c.protocol != "quic" && c.protocol != "" && (!ok || v != c.version || p != c.protocol) {
			t.Errorf("code %#04x = %s %s, %v", c.code, v, p, ok)
		}
	}
	if _, _, ok := VersionByCode(0); ok {
		t.Error("code 0 is a version")
	}
}

func TestUnknownNames(t *testing.T) {
	for _, c := range []struct {
		parse func(string) error
		name  string
		want  string
	}{
		{errOf(ParseGroup), "x2551", "unknown group \"x2551\": did you mean x25519 (see `shakedown stacks`)?"},
		{errOf(ParseGroup), "!", "unknown group \"!\" (see `shakedown stacks`)"},
		{errOf(ParseProtocol), "sctp", "unknown protocol \"sctp\": did you mean tls, dtls or quic (see `shakedown stacks`)?"},
		{errOf(ParseMode), "fall", "unknown mode \"fall\": did you mean full (see `shakedown stacks`)?"},
		{errOf(ParseStackRef), "opensl", "unknown stack \"opensl\": did you mean openssl (see `shakedown stacks`)?"},
		{errOf(ParseVersion), "1.4", "unknown version \"1.4\": did you mean 1.0, 1.1 or 1.2 (see `shakedown stacks`)?"},
	} {
		err := c.parse(c.name)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.name, err, c.want)
		}
		if unknown := (*UnknownName)(nil); !errors.As(err, &unknown) || unknown.Name != c.name {
			t.Errorf("%q: %#v is no *UnknownName with that name", c.name, err)
		}
	}
}

func errOf[T any](parse func(string) (T, error)) func(string) error {
	return func(s string) error { _, err := parse(s); return err }
}

func TestNear(t *testing.T) {
	names := suitesOnce().names
	for _, c := range []struct {
		name string
		from []string
		want string // must be among the near names
		most int
	}{
		{"X25519MLKEM786", groupsOnce().names, "X25519MLKEM768", 3},
		{"mlkem", groupsOnce().names, "MLKEM768", 3},
		{"secp256", groupsOnce().names, "secp256r1", 3},
		{"TLS_AES_128_GCM_SHA265", names, "TLS_AES_128_GCM_SHA256", 3},
		{"ecdsa", texts(Auths()), "ecdsa-p256", 3},
		{"gnutsl", StackNames(), "gnutls", 1},
	} {
		near := Near(c.name, c.from)
		if len(near) > c.most || !slices.Contains(near, c.want) {
			t.Errorf("near %q: %q, want %s among at most %d", c.name, near, c.want, c.most)
		}
	}
	for _, far := range []string{"", "zzzzzzzzzz", strings.Repeat("x", 1<<20)} {
		if near := Near(far, names); near != nil {
			t.Errorf("near %.20q: %q", far, near)
		}
	}
}

func TestUnknownNameStaysShort(t *testing.T) {
	_, err := ParseGroup(strings.Repeat("x", 1<<20))
	if n := len(err.Error()); n > 400 {
		t.Errorf("a name of 1 MiB makes an error of %d bytes", n)
	}
}

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"abc", "abc", 0},
		{"abc", "abd", 1},
		{"abc", "ab", 1},
		{"ab", "ba", 1},
		{"kitten", "sitting", 3},
		{"ca", "abc", 3},
	} {
		if got, back := editDistance(c.a, c.b), editDistance(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("distance %q %q = %d and %d, want %d", c.a, c.b, got, back, c.want)
		}
	}
}

func TestStackRefs(t *testing.T) {
	for _, c := range []struct {
		text string
		want StackRef
	}{
		{"openssl", StackRef{Name: "openssl"}},
		{"OpenSSL", StackRef{Name: "openssl"}},
		{"openssl@3.5", StackRef{Name: "openssl", Version: "3.5"}},
		{"openssl@1.1.1w", StackRef{Name: "openssl", Version: "1.1.1w"}},
		{"openssl:/opt/openssl-3.5", StackRef{Name: "openssl", Root: "/opt/openssl-3.5"}},
		{"openssl:./root:1", StackRef{Name: "openssl", Root: "./root:1"}},
		{"gnutls:~/roots/trixie", StackRef{Name: "gnutls", Root: "~/roots/trixie"}},
		{"wolfssl@5.7.2:/roots/13", StackRef{Name: "wolfssl", Version: "5.7.2", Root: "/roots/13"}},
		{"example.org:443", StackRef{Address: "example.org:443"}},
		{"openssl:443", StackRef{Address: "openssl:443"}},
		{"192.0.2.1:8443", StackRef{Address: "192.0.2.1:8443"}},
		{"[::1]:4433", StackRef{Address: "[::1]:4433"}},
		{"[fe80::1%eth0]:4433", StackRef{Address: "[fe80::1%eth0]:4433"}},
	} {
		got, err := ParseStackRef(c.text)
		if err != nil || got != c.want {
			t.Errorf("%q = %+v, %v; want %+v", c.text, got, err, c.want)
			continue
		}
		if again, err := ParseStackRef(got.String()); err != nil || again != got {
			t.Errorf("%q prints %q, which parses as %+v, %v", c.text, got, again, err)
		}
	}
	for _, name := range StackNames() {
		if ref, err := ParseStackRef(name); err != nil || ref.String() != name {
			t.Errorf("%q = %+v, %v", name, ref, err)
		}
	}
}

func TestBadStackRefs(t *testing.T) {
	for text, hint := range map[string]string{
		"":                  "unknown stack",
		"openssl@":          "bad version",
		"openssl@3.5 beta":  "bad version",
		"openssl:":          "root directory",
		"openssl:https":     "root directory",
		"opensl:/opt":       "did you mean openssl",
		"example.org":       "add the port",
		"example.org:0":     "1 to 65535",
		"example.org:99999": "1 to 65535",
		":443":              "no host",
		"::1:443":           "brackets",
		"[::1]":             "host:port",
		"[::1":              "host:port",
		"a b:443":           "no host name has",
		"go\x00":            "unknown stack",
		"openssl:/opt\n":    "root directory",
	} {
		if ref, err := ParseStackRef(text); err == nil || !strings.Contains(err.Error(), hint) {
			t.Errorf("%q = %+v, %v; want an error about %q", text, ref, err, hint)
		}
	}
}

func FuzzParsers(f *testing.F) {
	for _, seed := range []string{"1.3", "TLSv1", "P-256", "0x11EC", "ECDHE-RSA-AES128-GCM-SHA256", "RSA-PSS+SHA256", "0-rtt", "ecdsa-p256", "dtls", "\xff\xfe", "0x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if v, err := ParseVersion(s); err == nil && !slices.Contains(Versions(), v) {
			t.Errorf("version %q = %q", s, v)
		}
		if p, err := ParseProtocol(s); err == nil && !slices.Contains(Protocols(), p) {
			t.Errorf("protocol %q = %q", s, p)
		}
		if a, err := ParseAuth(s); err == nil && !slices.Contains(Auths(), a) {
			t.Errorf("auth %q = %q", s, a)
		}
		if m, err := ParseMode(s); err == nil && !slices.Contains(Modes(), m) {
			t.Errorf("mode %q = %q", s, m)
		}
		for _, p := range parsers {
			name, code, err := p.parse(s)
			if err != nil {
				continue
			}
			if again, same, err := p.parse(name); err != nil || again != name || same != code {
				t.Errorf("%s %q = %q, which parses as %q %#04x, %v", p.what, s, name, again, same, err)
			}
		}
	})
}

func FuzzParseStackRef(f *testing.F) {
	for _, seed := range []string{"go", "openssl@3.5:/opt", "example.org:443", "[::1]:4433", "openssl:~", ":", "@", "[", "openssl:1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ref, err := ParseStackRef(s)
		if err != nil {
			return
		}
		if again, err := ParseStackRef(ref.String()); err != nil || again != ref {
			t.Errorf("%q = %+v prints %q, which parses as %+v, %v", s, ref, ref, again, err)
		}
	})
}

func TestStackRefCovers(t *testing.T) {
	for _, c := range []struct {
		ref, loaded string
		want        bool
	}{
		{"openssl", "openssl@3.5.9", true},
		{"openssl@3", "openssl@3.5.9", true},
		{"openssl@3.5", "openssl@3.5.9", true},
		{"openssl@3.5.9", "openssl@3.5.9", true},
		{"openssl@1.1.1", "openssl@1.1.1w", true},
		{"openssl@3.5", "openssl@3.51.0", false},
		{"openssl@3.5", "openssl@3.0.22", false},
		{"openssl@3.5", "go@3.5", false},
		{"localhost:443", "localhost:443", true},
		{"localhost:443", "localhost:444", false},
		{"openssl", "localhost:443", false},
	} {
		ref, err := ParseStackRef(c.ref)
		if err != nil {
			t.Fatal(err)
		}
		if got := ref.Covers(c.loaded); got != c.want {
			t.Errorf("%s covers %s: %v", c.ref, c.loaded, got)
		}
	}
}
