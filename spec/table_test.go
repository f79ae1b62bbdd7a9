package spec

import (
	"fmt"
	"testing"
)

// entry is what every table promises about one row.
type entry struct {
	name    string
	code    uint16
	aliases []string
}

func groupEntries() (all []entry) {
	for _, g := range Groups() {
		all = append(all, entry{g.Name, g.Code, g.Aliases})
	}
	return all
}

func suiteEntries() (all []entry) {
	for _, s := range Suites() {
		all = append(all, entry{s.Name, s.Code, append([]string{s.OpenSSL}, suiteAliases[s.Code]...)})
	}
	return all
}

func schemeEntries() (all []entry) {
	for _, s := range SignatureSchemes() {
		all = append(all, entry{s.Name, s.Code, s.Aliases})
	}
	return all
}

// parsers give the canonical name and code of a spelling and of a code point.
var parsers = []struct {
	what    string
	entries func() []entry
	fold    func(string) string
	parse   func(string) (string, uint16, error)
	byCode  func(uint16) (string, uint16, bool)
}{
	{
		"group", groupEntries, fold,
		func(s string) (string, uint16, error) { g, err := ParseGroup(s); return g.String(), g.Code, err },
		func(c uint16) (string, uint16, bool) { g, ok := GroupByCode(c); return g.String(), g.Code, ok },
	},
	{
		"suite", suiteEntries, foldSuite,
		func(s string) (string, uint16, error) { x, err := ParseSuite(s); return x.String(), x.Code, err },
		func(c uint16) (string, uint16, bool) { x, ok := SuiteByCode(c); return x.String(), x.Code, ok },
	},
	{
		"scheme", schemeEntries, fold,
		func(s string) (string, uint16, error) {
			x, err := ParseSignatureScheme(s)
			return x.String(), x.Code, err
		},
		func(c uint16) (string, uint16, bool) {
			x, ok := SignatureSchemeByCode(c)
			return x.String(), x.Code, ok
		},
	},
}

func TestTablesRoundTrip(t *testing.T) {
	for _, p := range parsers {
		t.Run(p.what, func(t *testing.T) {
			for _, e := range p.entries() {
				spellings := append([]string{e.name, fmt.Sprintf("0x%04x", e.code)}, e.aliases...)
				for _, spelling := range spellings {
					if spelling == "" {
						continue
					}
					if name, code, err := p.parse(spelling); err != nil || name != e.name || code != e.code {
						t.Errorf("parse %q = %s %#04x, %v; want %s %#04x", spelling, name, code, err, e.name, e.code)
					}
				}
				if name, _, ok := p.byCode(e.code); !ok || name != e.name {
					t.Errorf("code %#04x = %s, %v; want %s", e.code, name, ok, e.name)
				}
			}
		})
	}
}

func TestTablesHaveNoDuplicates(t *testing.T) {
	for _, p := range parsers {
		t.Run(p.what, func(t *testing.T) {
			codes, spellings := map[uint16]string{}, map[string]string{}
			for _, e := range p.entries() {
				if other, taken := codes[e.code]; taken {
					t.Errorf("%s and %s share code %#04x", e.name, other, e.code)
				}
				codes[e.code] = e.name
				for _, s := range append([]string{e.name}, e.aliases...) {
					if other := spellings[p.fold(s)]; s != "" && other != "" && other != e.name {
						t.Errorf("%q means both %s and %s", s, e.name, other)
					}
					spellings[p.fold(s)] = e.name
				}
			}
		})
	}
}

func TestUnknownCodes(t *testing.T) {
	for _, p := range parsers {
		name, code, ok := p.byCode(0x4588)
		if ok || name != "0x4588" || code != 0x4588 {
			t.Errorf("%s 0x4588 = %s %#04x, %v", p.what, name, code, ok)
		}
		if name, code, err := p.parse("0x4588"); err != nil || name != "0x4588" || code != 0x4588 {
			t.Errorf("parse %s 0x4588 = %s %#04x, %v", p.what, name, code, err)
		}
	}
}

func TestTablesAreCopies(t *testing.T) {
	Groups()[0].Name = "changed"
	Suites()[0].Name = "changed"
	SignatureSchemes()[0].Name = "changed"
	for _, p := range parsers {
		if p.entries()[0].name == "changed" {
			t.Errorf("a caller changed the table of %ss", p.what)
		}
	}
}

func TestKeyShares(t *testing.T) {
	for _, want := range []struct {
		name           string
		code           uint16
		client, server int
	}{
		{"x25519", 29, 32, 32},
		{"x448", 30, 56, 56},
		{"secp256r1", 23, 65, 65},
		{"secp384r1", 24, 97, 97},
		{"secp521r1", 25, 133, 133},
		{"ffdhe2048", 256, 256, 256},
		{"ffdhe8192", 260, 1024, 1024},
		{"MLKEM512", 512, 800, 768},
		{"MLKEM768", 513, 1184, 1088},
		{"MLKEM1024", 514, 1568, 1568},
		{"SecP256r1MLKEM768", 4587, 1249, 1153},
		{"X25519MLKEM768", 4588, 1216, 1120},
		{"SecP384r1MLKEM1024", 4589, 1665, 1665},
		{"curveSM2MLKEM768", 4590, 1249, 1153},
		{"X25519Kyber768Draft00", 25497, 1216, 1120},
		{"SecP256r1Kyber768Draft00", 25498, 1249, 1153},
		{"X25519Kyber512Draft00", 65072, 832, 800},
		{"CECPQ2", 16696, 1170, 1170},
	} {
		g, err := ParseGroup(want.name)
		if err != nil || g.Code != want.code || g.ClientShare != want.client || g.ServerShare != want.server {
			t.Errorf("%s = code %d, shares %d/%d, %v; want %+v", want.name, g.Code, g.ClientShare, g.ServerShare, err, want)
		}
	}
}

func TestPostQuantumFollowsClass(t *testing.T) {
	quantum := map[GroupClass]bool{ClassHybrid: true, ClassMLKEM: true, ClassKyberDraft: true, ClassExperiment: true}
	for _, g := range Groups() {
		if g.PostQuantum != quantum[g.Class] {
			t.Errorf("%s of class %s: post-quantum %v", g, g.Class, g.PostQuantum)
		}
		if g.PostQuantum && g.Min != Version13 {
			t.Errorf("%s is post-quantum and allowed in %s", g, g.Min)
		}
	}
}

func TestGREASE(t *testing.T) {
	var values []uint16
	for code := 0; code < 1<<16; code++ {
		if IsGREASE(uint16(code)) {
			values = append(values, uint16(code))
		}
	}
	if len(values) != 16 || values[0] != 0x0A0A || values[15] != 0xFAFA {
		t.Fatalf("GREASE values: %04X", values)
	}
	for _, v := range values {
		if g, ok := GroupByCode(v); !ok || g.Class != ClassGREASE || g.PostQuantum {
			t.Errorf("group %04X: %+v", v, g)
		}
	}
}

func TestSuiteProperties(t *testing.T) {
	for _, want := range []Suite{
		{"TLS_AES_128_GCM_SHA256", 0x1301, "TLS_AES_128_GCM_SHA256", true, "1.3", "1.3", "any", "any", "AES_128_GCM", "SHA256", 16},
		{"TLS_AES_256_GCM_SHA384", 0x1302, "TLS_AES_256_GCM_SHA384", true, "1.3", "1.3", "any", "any", "AES_256_GCM", "SHA384", 16},
		{"TLS_CHACHA20_POLY1305_SHA256", 0x1303, "TLS_CHACHA20_POLY1305_SHA256", true, "1.3", "1.3", "any", "any", "CHACHA20_POLY1305", "SHA256", 16},
		{"TLS_AES_128_CCM_SHA256", 0x1304, "TLS_AES_128_CCM_SHA256", true, "1.3", "1.3", "any", "any", "AES_128_CCM", "SHA256", 16},
		{"TLS_AES_128_CCM_8_SHA256", 0x1305, "TLS_AES_128_CCM_8_SHA256", true, "1.3", "1.3", "any", "any", "AES_128_CCM_8", "SHA256", 8},
		{"TLS_AEGIS_128L_SHA256", 0x1307, "", true, "1.3", "1.3", "any", "any", "AEGIS_128L", "SHA256", 16},
		{"TLS_SHA256_SHA256", 0xC0B4, "TLS_SHA256_SHA256", true, "1.3", "1.3", "any", "any", "SHA256", "SHA256", 32},
		{"TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8", 0xC0AE, "ECDHE-ECDSA-AES128-CCM8", false, "1.2", "1.2", "ECDHE", "ECDSA", "AES_128_CCM_8", "SHA256", 8},
		{"TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384", 0xC028, "ECDHE-RSA-AES256-SHA384", false, "1.2", "1.2", "ECDHE", "RSA", "AES_256_CBC", "SHA384", 48},
		{"TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", 0xC013, "ECDHE-RSA-AES128-SHA", false, "1.0", "1.2", "ECDHE", "RSA", "AES_128_CBC", "SHA", 20},
		{"TLS_RSA_WITH_AES_128_CBC_SHA256", 0x003C, "AES128-SHA256", false, "1.2", "1.2", "RSA", "RSA", "AES_128_CBC", "SHA256", 32},
		{"TLS_PSK_WITH_AES_128_CCM_8", 0xC0A8, "PSK-AES128-CCM8", false, "1.2", "1.2", "PSK", "PSK", "AES_128_CCM_8", "SHA256", 8},
		{"TLS_PSK_DHE_WITH_AES_128_CCM_8", 0xC0AA, "DHE-PSK-AES128-CCM8", false, "1.2", "1.2", "DHE", "PSK", "AES_128_CCM_8", "SHA256", 8},
		{"TLS_ECDHE_PSK_WITH_AES_128_CCM_SHA256", 0xD005, "", false, "1.2", "1.2", "ECDHE", "PSK", "AES_128_CCM", "SHA256", 16},
		{"TLS_RSA_PSK_WITH_AES_256_GCM_SHA384", 0x00AD, "RSA-PSK-AES256-GCM-SHA384", false, "1.2", "1.2", "RSA", "RSA_PSK", "AES_256_GCM", "SHA384", 16},
		{"TLS_DH_anon_WITH_AES_128_CBC_SHA", 0x0034, "ADH-AES128-SHA", false, "1.0", "1.2", "DH", "anon", "AES_128_CBC", "SHA", 20},
		{"TLS_SRP_SHA_RSA_WITH_AES_128_CBC_SHA", 0xC01E, "SRP-RSA-AES-128-CBC-SHA", false, "1.0", "1.2", "SRP", "RSA", "AES_128_CBC", "SHA", 20},
		{"TLS_RSA_WITH_NULL_MD5", 0x0001, "NULL-MD5", false, "1.0", "1.2", "RSA", "RSA", "NULL", "MD5", 16},
	} {
		if got, err := ParseSuite(want.Name); err != nil || got != want {
			t.Errorf("%s:\n got %#v, %v\nwant %#v", want.Name, got, err, want)
		}
	}
}

func TestEverySuiteIsDescribed(t *testing.T) {
	hashes := map[string]bool{"MD5": true, "SHA": true, "SHA256": true, "SHA384": true, "SHA512": true, "SM3": true}
	for _, s := range Suites() {
		if s.KeyExchange == "" || s.Auth == "" || s.Cipher == "" || !hashes[s.Hash] || s.TagLen == 0 {
			t.Errorf("%+v", s)
		}
	}
	if first := Suites()[:5]; first[0].Code != 0x1301 || first[4].Code != 0x1305 {
		t.Errorf("the five suites of TLS 1.3 do not come first: %v", first)
	}
}
