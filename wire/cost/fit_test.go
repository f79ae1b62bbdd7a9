package cost

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"shakedown/result"
	"shakedown/wire"
	"shakedown/wire/transcript"
)

// built is a ClientHello by its parts.
type built struct {
	session   int
	suites    []uint16
	versions  []uint16
	name      string
	groups    []uint16
	shares    []wire.KeyShare
	protocols []string
	padding   int // -1: no such extension, as in the fields below
	ech       int // of the payload
	ticket    int // of TLS 1.2
	psk       int // of the identity
	age       uint32
	early     bool
}

// everything has all that a change can leave out.
func everything() built {
	return built{
		session: 32, suites: []uint16{0x1301, 0x1302, 0xC02B, 0xC02F, 0xCCA9, 0x00FF},
		versions: []uint16{0x2A2A, wire.VersionTLS13, wire.VersionTLS12, wire.VersionTLS11},
		name:     "a-long-name.of-a-server.example.org",
		groups:   []uint16{0x11EC, 0x001D, 0x0017},
		shares: []wire.KeyShare{
			{Group: 0x3A3A, Data: []byte{0}},
			{Group: 0x001D, Data: make([]byte, 32)},
			{Group: 0x11EC, Data: make([]byte, 1216)},
			{Group: 0x0017, Data: make([]byte, 65)},
		},
		protocols: []string{"h2", "http/1.1"}, padding: 60, ech: 200, ticket: 0, psk: 192, age: 7, early: true,
	}
}

func (b built) message() []byte {
	m := wire.ClientHello{
		Version: wire.VersionTLS12, Random: make([]byte, 32), SessionID: make([]byte, b.session),
		Suites: wire.AppendCodes(nil, b.suites...), Compressions: []byte{0},
	}
	var list []byte
	add := func(t wire.ExtensionType, data []byte) { list = wire.Extension{Type: t, Data: data}.Append(list) }
	add(wire.ExtServerName, wire.AppendServerName(nil, b.name))
	add(wire.ExtSupportedVersions, wire.AppendSupportedVersions(nil, b.versions...))
	add(wire.ExtSupportedGroups, wire.AppendCodeList(nil, b.groups...))
	add(wire.ExtALPN, wire.AppendProtocolNames(nil, b.protocols...))
	add(wire.ExtKeyShare, wire.AppendKeyShares(nil, b.shares...))
	if b.ech >= 0 {
		add(wire.ExtECH, wire.ECH{KDF: 1, AEAD: 1, Key: make([]byte, 32), Payload: make([]byte, b.ech)}.Append(nil))
	}
	if b.ticket >= 0 {
		add(wire.ExtSessionTicket, make([]byte, b.ticket))
	}
	if b.early {
		add(wire.ExtEarlyData, nil)
	}
	if b.padding >= 0 {
		add(wire.ExtPadding, make([]byte, b.padding))
	}
	if b.psk >= 0 {
		add(wire.ExtPreSharedKey, b.keys().Append(nil))
	}
	m.Extensions = list
	return wire.AppendMessage(nil, &m)
}

// keys are one identity and its binder.
func (b built) keys() wire.PreSharedKeys {
	var id []byte
	id = append(append(id, byte(b.psk>>8), byte(b.psk)), make([]byte, b.psk)...)
	id = append(id, byte(b.age>>24), byte(b.age>>16), byte(b.age>>8), byte(b.age))
	return wire.PreSharedKeys{IdentityList: id, BinderList: append([]byte{32}, make([]byte, 32)...)}
}

// stream cuts a message into records of at most size bytes.
func stream(message []byte, size int) (b []byte) {
	for fragment := range slices.Chunk(message, size) {
		b = wire.Record{Type: wire.ContentHandshake, Version: wire.VersionTLS10, Fragment: fragment}.Append(b)
	}
	return b
}

func sent(data []byte) *transcript.Transcript {
	return transcript.Read(transcript.Connection{Chunks: []transcript.Chunk{{Data: data}}})
}

// without is what the changes of a name do to a ClientHello that is built by its
// parts.
func (b built) without(name string) built {
	var size int
	if _, err := fmt.Sscanf(name, "server name of %d B", &size); err == nil {
		b.name = b.name[:size]
		return b
	}
	switch name {
	case "no padding":
		b.padding = -1
	case "no x25519 share":
		b.shares = slices.DeleteFunc(slices.Clone(b.shares), func(s wire.KeyShare) bool { return s.Group == 0x001D })
	case "no secp256r1 share":
		b.shares = slices.DeleteFunc(slices.Clone(b.shares), func(s wire.KeyShare) bool { return s.Group == 0x0017 })
	case "no ticket":
		b.psk, b.early, b.ticket = -1, false, min(b.ticket, 0)
	case "no encrypted_client_hello":
		b.ech = -1
	case "one application protocol":
		b.protocols = b.protocols[:1]
	case "no compatibility mode":
		b.session = 0
	case "TLS 1.3 only":
		b.suites, b.versions = []uint16{0x1301, 0x1302}, []uint16{0x2A2A, wire.VersionTLS13}
	default:
		panic(name)
	}
	return b
}

func (b built) bytes(recordSize int) int { return len(stream(b.message(), recordSize)) }

// Each change saves what it says: the ClientHello written without that part has just
// as many bytes. The order is that of the prices.
func TestWaysAreExact(t *testing.T) {
	b := everything()
	out := of(t, sent(stream(b.message(), wire.MaxPlaintext)), MSSEthernet)
	var names []string
	for _, w := range out.Fit.Ways {
		names = append(names, w.Name)
		if want := b.without(w.Name).bytes(wire.MaxPlaintext); w.Bytes != want {
			t.Errorf("%s: %d bytes, written without it %d", w.Name, w.Bytes, want)
		}
	}
	want := []string{
		"no padding", "no x25519 share", "no secp256r1 share", "server name of 12 B", "no ticket",
		"no encrypted_client_hello", "one application protocol", "no compatibility mode", "TLS 1.3 only",
	}
	if !slices.Equal(names, want) {
		t.Errorf("ways %q", names)
	}
}

// At any segment size the changes that are enough make the ClientHello fit, and none
// of them can be spared.
func TestEnoughIsEnough(t *testing.T) {
	b := everything()
	whole := sent(stream(b.message(), wire.MaxPlaintext))
	found := map[string]int{}
	for mss := 900; mss < b.bytes(wire.MaxPlaintext)+2; mss++ {
		out := of(t, whole, mss)
		found[strings.Join(out.Fit.Enough, ", ")]++
		for spared := range len(out.Fit.Enough) + 1 {
			less := b
			for i, name := range out.Fit.Enough {
				if i != spared {
					less = less.without(name)
				}
			}
			if fits := less.bytes(wire.MaxPlaintext) <= mss; fits != (spared == len(out.Fit.Enough)) && out.Fit.Enough != nil {
				t.Fatalf("mss %d: %q without number %d fits: %v", mss, out.Fit.Enough, spared, fits)
			}
		}
		if all := allOf(b, out.Fit.Ways); out.Fit.Enough == nil && out.Fit.Spare < 0 && all <= mss {
			t.Fatalf("mss %d: all ways together leave %d bytes", mss, all)
		}
	}
	for _, want := range []string{"", "no padding", "no padding, no x25519 share", "no padding, no secp256r1 share", "no ticket"} {
		if found[want] == 0 {
			t.Errorf("%q is never enough: %v", want, found)
		}
	}
}

// allOf is what is left after all ways.
func allOf(b built, ways []result.Way) int {
	for _, w := range ways {
		b = b.without(w.Name)
	}
	return b.bytes(wire.MaxPlaintext)
}

func TestRecords(t *testing.T) {
	b := everything()
	b.padding = 20000
	out := of(t, sent(stream(b.message(), wire.MaxPlaintext)), MSSEthernet)
	if got := way(t, &out, "no padding"); got.Saves != 20004+wire.RecordHeader {
		t.Errorf("two records: %+v", got)
	}
	// Who cuts smaller keeps the number of records.
	b.padding = 60
	out = of(t, sent(stream(b.message(), 100)), MSSEthernet)
	if got := way(t, &out, "no padding"); got.Saves != 64 || out.Messages[0].Records < 19 ||
		out.Fit.Bytes != b.bytes(100) || out.Fit.Packets != 2 {
		t.Errorf("small records: %+v, fit %+v", got, out.Fit)
	}
}

// What is not there cannot be left out, and what is no ticket is none.
func TestNoWays(t *testing.T) {
	b := built{
		suites: []uint16{0x1301}, versions: []uint16{wire.VersionTLS13}, name: "localhost",
		shares:    []wire.KeyShare{{Group: 0x001D, Data: make([]byte, 32)}},
		protocols: []string{"coap"}, padding: -1, ech: -1, ticket: -1, psk: 20,
	}
	if out := of(t, sent(stream(b.message(), 500)), 88); len(out.Fit.Ways) > 0 || out.Fit.Enough != nil {
		t.Errorf("external key: %+v", out.Fit)
	}
	b.age = 1
	if out := of(t, sent(stream(b.message(), 500)), 88); len(out.Fit.Ways) != 1 || out.Fit.Ways[0].Name != "no ticket" {
		t.Errorf("ticket: %+v", out.Fit)
	}
	b.psk, b.ticket, b.session, b.versions = -1, 100, 32, []uint16{wire.VersionTLS12}
	out := of(t, sent(stream(b.message(), 500)), 88)
	if got := way(t, &out, "no ticket"); got.Saves != 100 || len(out.Fit.Ways) != 1 || !strings.Contains(got.Price, "round trip more") {
		t.Errorf("ticket of TLS 1.2: %+v", out.Fit)
	}
}

// A small saving is listed where it is enough.
func TestSmallWay(t *testing.T) {
	b := everything()
	b.padding = 2
	whole := sent(stream(b.message(), wire.MaxPlaintext))
	size := b.bytes(wire.MaxPlaintext)
	for over, want := range map[int]string{0: "no x25519 share", 6: "no padding", 7: "no x25519 share"} {
		if out := of(t, whole, size-over); out.Fit.Ways[0].Name != want {
			t.Errorf("%d bytes too many: first %+v", over, out.Fit.Ways[0])
		}
	}
}

// Of shares that are all classical the first stays.
func TestClassicalShares(t *testing.T) {
	b := everything()
	b.shares = []wire.KeyShare{{Group: 0x0017, Data: make([]byte, 65)}, {Group: 0x001D, Data: make([]byte, 32)}}
	out := of(t, sent(stream(b.message(), wire.MaxPlaintext)), 200)
	if got := way(t, &out, "no x25519 share"); got.Saves != 36 || !strings.HasSuffix(got.Price, "secp256r1") {
		t.Errorf("%+v", got)
	}
	for _, w := range out.Fit.Ways {
		if w.Name == "no secp256r1 share" {
			t.Error("the last share is given up")
		}
	}
}

// Shares without end are not followed.
func TestManyShares(t *testing.T) {
	b := everything()
	b.shares = nil
	for group := range uint16(3000) {
		b.shares = append(b.shares, wire.KeyShare{Group: group, Data: make([]byte, 16)})
	}
	out := of(t, sent(stream(b.message(), wire.MaxPlaintext)), MSSEthernet)
	if n := len(out.Fit.Ways); n > 20 || len(out.Hello.Extensions) != 10 {
		t.Errorf("%d ways, %d extensions", n, len(out.Hello.Extensions))
	}
}

// An extension that cannot be read is listed, and nothing is composed from it.
func TestBrokenExtension(t *testing.T) {
	m := wire.ClientHello{
		Version: wire.VersionTLS12, Random: make([]byte, 32), Suites: wire.AppendCodes(nil, 0x1301), Compressions: []byte{0},
		Extensions: wire.Extension{Type: wire.ExtKeyShare, Data: bytes.Repeat([]byte{0xFF}, 300)}.Append(nil),
	}
	out := of(t, sent(stream(wire.AppendMessage(nil, &m), wire.MaxPlaintext)), 88)
	if out.Hello == nil || out.Hello.Extensions[0].Bytes != 304 || out.Fit.Ways != nil || out.Fit.Packets != 5 {
		t.Errorf("offer %+v, fit %+v", out.Hello, out.Fit)
	}
}
