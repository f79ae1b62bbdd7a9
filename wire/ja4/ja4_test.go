package ja4

import (
	"strings"
	"testing"

	"shakedown/wire"
	"shakedown/wire/internal/wiretest"
)

// The example of FoxIO's description of JA4.
func TestExample(t *testing.T) {
	var m wire.ClientHello
	if err := m.Parse(wiretest.ChromeHello()); err != nil {
		t.Fatal(err)
	}
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	if got, want := Of(&m, TLS), "t13d1516h2_8daaf6152771_e5627efa2ab1"; got != want {
		t.Errorf("JA4 %s, want %s", got, want)
	}
	want := "q13d1516h2_002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_" +
		"0005,000a,000b,000d,0012,0015,0017,001b,0023,002b,002d,0033,4469,ff01_" +
		"0403,0804,0401,0503,0805,0501,0806,0601"
	if got := Raw(&m, QUIC); got != want {
		t.Errorf("JA4_r %s, want %s", got, want)
	}
}

func TestWithoutSignatures(t *testing.T) {
	list := "0005,000a,000b,000d,0012,0015,0017,001b,0023,002b,002d,0033,4469,ff01"
	if got := digest(list); got != "6d807ffa2a79" {
		t.Errorf("hash %s", got)
	}
	var m wire.ClientHello
	if err := m.Parse(wiretest.SmallHello(nil)); err != nil {
		t.Fatal(err)
	}
	m.Suites, m.Extensions = nil, nil
	if got := Of(&m, TLS); got != "t12i000000_000000000000_000000000000" {
		t.Errorf("JA4 %s of a hello with nothing in it", got)
	}
}

// The examples of the description for protocol names.
func TestProtocol(t *testing.T) {
	for name, want := range map[string]string{
		"": "00", "h2": "h2", "http/1.1": "h1", "x": "xx", "\xab": "ab", "\xab\xcd": "ad",
		"\x30\xab": "3b", "\x30\x31\xab\xcd": "3d", "\x30\xab\xcd\x31": "01",
	} {
		if got := protocol([]byte(name)); got != want {
			t.Errorf("protocol %q gives %s, want %s", name, got, want)
		}
	}
}

func TestVersion(t *testing.T) {
	for code, want := range map[uint16]string{
		wire.VersionTLS13: "13", wire.VersionTLS12: "12", wire.VersionTLS11: "11", wire.VersionTLS10: "10", wire.VersionSSL3: "s3",
		wire.VersionSSL2: "s2", wire.VersionDTLS10: "d1", wire.VersionDTLS12: "d2", wire.VersionDTLS13: "d3", 0x1234: "00",
	} {
		if got := version(code); got != want {
			t.Errorf("%s gives %s", wire.VersionName(code), got)
		}
	}
	var m wire.ClientHello
	if err := m.Parse(wiretest.SmallHello([]byte{})); err == nil && strings.HasPrefix(Of(&m, TLS), "t13") {
		t.Error("a hello of DTLS reads as one of TLS")
	}
}

// FuzzOf asks for the fingerprints of whatever reads as a hello, and of the heads of
// what does not.
func FuzzOf(f *testing.F) {
	f.Add(wiretest.ChromeHello())
	f.Fuzz(func(t *testing.T, data []byte) {
		var m wire.ClientHello
		_ = m.Parse(data)
		parts := strings.Split(Of(&m, TLS), "_")
		if len(parts) != 3 || len(parts[0]) != 10 || len(parts[1]) != 12 || len(parts[2]) != 12 || parts[0] != Raw(&m, TLS)[:10] {
			t.Errorf("fingerprint %s, raw %s", Of(&m, TLS), Raw(&m, TLS))
		}
	})
}
