package wire

import (
	"strings"
	"testing"
)

// The example of FoxIO's description of JA4.
func TestJA4Example(t *testing.T) {
	var m ClientHello
	if err := m.Parse(chromeLike()); err != nil {
		t.Fatal(err)
	}
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	if got, want := m.JA4(JA4TLS), "t13d1516h2_8daaf6152771_e5627efa2ab1"; got != want {
		t.Errorf("JA4 %s, want %s", got, want)
	}
	want := "q13d1516h2_002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_" +
		"0005,000a,000b,000d,0012,0015,0017,001b,0023,002b,002d,0033,4469,ff01_" +
		"0403,0804,0401,0503,0805,0501,0806,0601"
	if got := m.JA4Raw(JA4QUIC); got != want {
		t.Errorf("JA4_r %s, want %s", got, want)
	}
}

func TestJA4WithoutSignatures(t *testing.T) {
	list := "0005,000a,000b,000d,0012,0015,0017,001b,0023,002b,002d,0033,4469,ff01"
	if got := ja4Hash(list); got != "6d807ffa2a79" {
		t.Errorf("hash %s", got)
	}
	var m ClientHello
	if err := m.Parse(smallClientHello(nil)); err != nil {
		t.Fatal(err)
	}
	m.Suites, m.Extensions = nil, nil
	if got := m.JA4(JA4TLS); got != "t12i000000_000000000000_000000000000" {
		t.Errorf("JA4 %s of a hello with nothing in it", got)
	}
}

// The examples of the description for protocol names.
func TestJA4Protocol(t *testing.T) {
	for name, want := range map[string]string{
		"": "00", "h2": "h2", "http/1.1": "h1", "x": "xx", "\xab": "ab", "\xab\xcd": "ad",
		"\x30\xab": "3b", "\x30\x31\xab\xcd": "3d", "\x30\xab\xcd\x31": "01",
	} {
		if got := ja4Protocol([]byte(name)); got != want {
			t.Errorf("protocol %q gives %s, want %s", name, got, want)
		}
	}
}

func TestJA4Version(t *testing.T) {
	for code, want := range map[uint16]string{
		VersionTLS13: "13", VersionTLS12: "12", VersionTLS11: "11", VersionTLS10: "10", VersionSSL3: "s3",
		VersionSSL2: "s2", VersionDTLS10: "d1", VersionDTLS12: "d2", VersionDTLS13: "d3", 0x1234: "00",
	} {
		if got := ja4Version(code); got != want {
			t.Errorf("%s gives %s", VersionName(code), got)
		}
	}
	var m ClientHello
	if err := m.Parse(smallClientHello([]byte{})); err == nil && strings.HasPrefix(m.JA4(JA4TLS), "t13") {
		t.Error("a hello of DTLS reads as one of TLS")
	}
}
