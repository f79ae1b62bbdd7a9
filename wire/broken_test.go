package wire

import (
	"bytes"
	"strings"
	"testing"

	"shakedown/wire/internal/wiretest"
)

// Hellos that are cut anywhere give an error that points into them, and never
// panic; the same with each byte changed.
func TestCutAndChangedHellos(t *testing.T) {
	hello := wiretest.ChromeHello()
	var m ClientHello
	for n := range hello {
		if err := m.Parse(hello[:n]); err == nil && n != bodyWithoutExtensions(hello) {
			t.Errorf("read a hello cut at %d", n)
		}
		changed := bytes.Clone(hello)
		changed[n] ^= 0xFF
		_ = (&checkedHello{}).Parse(changed)
	}
}

// bodyWithoutExtensions is the one place where a hello may end early.
func bodyWithoutExtensions(hello []byte) int {
	var m ClientHello
	if m.Parse(hello) != nil {
		return -1
	}
	return len(hello) - 2 - len(m.Extensions)
}

func TestErrorsPointAtTheByte(t *testing.T) {
	fixed := string(wiretest.SmallHello(nil)[:34])
	for _, c := range []struct{ name, body, want string }{
		{"empty", "", "ClientHello at byte 0: runs past the end"},
		{"session", fixed + "\x21" + strings.Repeat("s", 33) + "\x00\x00\x00", "ClientHello at byte 34: session identifier is longer than 32 bytes"},
		{"odd suites", fixed + "\x00\x00\x03abc\x01\x00", "ClientHello at byte 37: length is no multiple of the entry size"},
		{"extension", fixed + "\x00\x00\x02\x13\x01\x01\x00\x00\x05\x00\x2b\x00\x09\x02", "ClientHello at byte 43: extension runs past the end"},
		{"trailing", fixed + "\x00\x00\x02\x13\x01\x01\x00\x00\x00x", "ClientHello at byte 43: bytes are left over"},
	} {
		var m ClientHello
		if err := m.Parse([]byte(c.body)); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// A list that is broken in the middle yields what comes before.
func TestBrokenListsYieldTheirHead(t *testing.T) {
	shares, err := ParseKeyShares([]byte("\x00\x0c\x00\x1d\x00\x02ab\x00\x17\x00\x09ab"))
	if err == nil || !shares.Has(0x1D) || shares.Has(0x17) {
		t.Errorf("shares %x, %v", []byte(shares), err)
	}
	names, err := ParseProtocolNames([]byte("\x00\x05\x02h2\x09h"))
	if err == nil || string(names.First()) != "h2" {
		t.Errorf("names %q, %v", []byte(names), err)
	}
	list, err := ParseExtensions([]byte("\x00\x09\x00\x2a\x00\x00\x00\x2b\x00\x09\x02"))
	if err == nil || list.Len() != 1 || !list.Has(ExtEarlyData) {
		t.Errorf("extensions %x, %v", []byte(list), err)
	}
}

// The shares of impossible length of a public capture: the groups are reported,
// the lengths left as they are.
func TestImpossibleShareLengths(t *testing.T) {
	data := AppendKeyShares(nil, KeyShare{0x11ED, []byte("8 bytes!")}, KeyShare{0x0202, []byte{0}})
	shares, err := ParseKeyShares(data)
	if err != nil || !shares.Has(0x11ED) || !shares.Has(0x0202) {
		t.Errorf("shares %x, %v", []byte(shares), err)
	}
}

func TestDraftLayout(t *testing.T) {
	var m ServerHello
	body := smallServerHello(0x7F12)
	if err := m.Parse(body); err != nil {
		t.Fatal(err)
	}
	if m.Suite != 0x1301 || m.SessionID != nil || m.Chosen() != 0x7F12 || !IsVersion13(m.Chosen()) {
		t.Errorf("%+v", m)
	}
	if got := m.Append(nil); !bytes.Equal(got, body) {
		t.Errorf("wrote %x", got)
	}
}

func TestMaxVersion(t *testing.T) {
	for _, c := range []struct {
		legacy uint16
		list   []uint16
		want   uint16
	}{
		{VersionTLS12, nil, VersionTLS12},
		{VersionTLS12, []uint16{0x7F1C, VersionTLS13, VersionTLS12, 0xDADA}, VersionTLS13},
		{VersionTLS12, []uint16{VersionTLS12, 0x7F1C}, 0x7F1C},
		{VersionTLS12, []uint16{0x7F17, 0x7F1C}, 0x7F1C},
		{VersionDTLS12, []uint16{VersionDTLS12, VersionDTLS13}, VersionDTLS13},
		{VersionDTLS12, []uint16{VersionDTLS12, VersionDTLS10}, VersionDTLS12},
	} {
		m := ClientHello{Version: c.legacy}
		if c.list != nil {
			m.Extensions = Extension{ExtSupportedVersions, AppendSupportedVersions(nil, c.list...)}.Append(nil)
		}
		if got := m.MaxVersion(); got != c.want {
			t.Errorf("of %04x the highest is %04x, want %04x", c.list, got, c.want)
		}
	}
}

func TestPreSharedKeys(t *testing.T) {
	keys, err := ParsePreSharedKeys([]byte("\x00\x11\x00\x02ab\x00\x00\x00\x00\x00\x03cde\x01\x02\x03\x04\x00\x06\x02xx\x02yy"))
	if err != nil || keys.Len() != 2 {
		t.Fatalf("%d identities, %v", keys.Len(), err)
	}
	for id := range keys.Identities() {
		if len(id.Name) == 3 && id.Age != 0x01020304 {
			t.Errorf("age %x", id.Age)
		}
	}
	if _, err := ParsePreSharedKeys([]byte("\x00\x08\x00\x02ab\x00\x00\x00\x00\x00\x06\x02xx\x02yy")); err == nil {
		t.Error("two binders for one identity")
	}
}

func smallServerHello(version uint16) []byte {
	m := ServerHello{Version: version, Random: retryRandom, Suite: 0x1301}
	m.Extensions = Extensions(Extension{ExtKeyShare, []byte{0, 0x1D}}.Append(nil))
	return m.Append(nil)
}
