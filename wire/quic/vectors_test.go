package quic

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"shakedown/wire"
)

// The examples of RFC 9001 A and RFC 9369 A: the same connection in v1 and v2.
var (
	vectorDCID   = []byte("\x83\x94\xc8\xf0\x3e\x51\x57\x08")
	vectorSCID   = []byte("\xf0\x67\xa5\x50\x2a\x42\x62\xb5")
	vectorEvents = []struct {
		rfc     string
		version uint32
	}{{"rfc9001", Version1}, {"rfc9369", Version2}}
)

func vector(tb testing.TB, name string) []byte {
	tb.Helper()
	text, err := os.ReadFile("testdata/" + name + ".hex")
	if err != nil {
		tb.Fatal(err)
	}
	data, err := hex.DecodeString(strings.Join(strings.Fields(string(text)), ""))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func onePacket(tb testing.TB, datagram []byte) Packet {
	tb.Helper()
	p, rest, err := NextPacket(datagram)
	if err != nil || len(rest) > 0 {
		tb.Fatalf("%v, %d bytes left over", err, len(rest))
	}
	return p
}

func TestClientInitialOfRFC(t *testing.T) {
	for _, v := range vectorEvents {
		p := onePacket(t, vector(t, v.rfc+"-client"))
		if p.Type != PacketInitial || p.Version != v.version || !bytes.Equal(p.DCID, vectorDCID) || len(p.SCID)+len(p.Token) > 0 {
			t.Errorf("%s: %s of version %08x", v.rfc, p.Type, p.Version)
		}
		var q Initials
		q.Start(p.DCID)
		frames, err := q.Open(nil, p, true)
		if err != nil {
			t.Fatal(v.rfc, err)
		}
		f, rest, err := NextFrame(frames)
		if err != nil || f.Type != FrameCrypto || len(f.Data) != 241 {
			t.Fatalf("%s: %s of %d bytes, %v", v.rfc, f.Type, len(f.Data), err)
		}
		if pad, rest, err := NextFrame(rest); err != nil || pad.Type != FramePadding || pad.Size != 917 || len(rest) > 0 {
			t.Errorf("%s: %s of %d bytes, %v", v.rfc, pad.Type, pad.Size, err)
		}
		if fresh, err := q.Client.Push(f); !fresh || err != nil {
			t.Error(v.rfc, fresh, err)
		}
		checkVectorHello(t, &q.Client)
	}
}

func checkVectorHello(t *testing.T, stream *CryptoStream) {
	t.Helper()
	m, err := stream.Next()
	if err != nil {
		t.Fatal(err)
	}
	var hello wire.ClientHello
	if err := cmp.Or(hello.Parse(m.Body), hello.Check()); err != nil {
		t.Fatal(err)
	}
	if string(hello.ServerName()) != "example.com" || !hello.QUIC() || !hello.KeyShares().Has(0x1D) {
		t.Errorf("hello to %q", hello.ServerName())
	}
	if _, err := stream.Next(); err != wire.ErrIncomplete {
		t.Error("after the hello: ", err)
	}
}

func TestServerInitialOfRFC(t *testing.T) {
	for _, v := range vectorEvents {
		p := onePacket(t, vector(t, v.rfc+"-server"))
		if p.Type != PacketInitial || !bytes.Equal(p.SCID, vectorSCID) || len(p.DCID) > 0 {
			t.Errorf("%s: %s from %x", v.rfc, p.Type, p.SCID)
		}
		var q Initials
		q.Start(vectorDCID)
		frames, err := q.Open(nil, p, false)
		if err != nil {
			t.Fatal(v.rfc, err)
		}
		ack, rest, err := NextFrame(frames)
		if err != nil || ack.Type != FrameACK || ack.Number != 0 || ack.Size != 5 {
			t.Errorf("%s: %s of %d, %v", v.rfc, ack.Type, ack.Number, err)
		}
		crypto, _, err := NextFrame(rest)
		if err != nil {
			t.Fatal(v.rfc, err)
		}
		_, _ = q.Server.Push(crypto)
		m, err := q.Server.Next()
		var hello wire.ServerHello
		if err := cmp.Or(err, hello.Parse(m.Body)); err != nil {
			t.Fatal(v.rfc, err)
		}
		if share, ok := hello.KeyShare(); !ok || share.Group != 0x1D || hello.Chosen() != wire.VersionTLS13 || len(m.Raw) != 90 {
			t.Errorf("%s: share of %04x, message of %d bytes", v.rfc, share.Group, len(m.Raw))
		}
	}
}

// Sealed anew, the client's packet is the one of the RFC, byte for byte.
func TestSealClientInitialOfRFC(t *testing.T) {
	for _, v := range vectorEvents {
		want := vector(t, v.rfc+"-client")
		var keys Keys
		if err := keys.DeriveClient(v.version, vectorDCID); err != nil {
			t.Fatal(err)
		}
		number, frames, err := keys.Open(make([]byte, len(want)), onePacket(t, want))
		if err != nil || number != 2 {
			t.Fatalf("%s: packet number %d, %v", v.rfc, number, err)
		}
		got := keys.Seal([]byte("before"), Packet{Version: v.version, DCID: vectorDCID}, 2, bytes.Clone(frames))
		if string(got) != "before"+string(want) {
			t.Errorf("%s: sealed %x", v.rfc, got)
		}
	}
}

func TestRetryOfRFC(t *testing.T) {
	for _, v := range vectorEvents {
		datagram := vector(t, v.rfc+"-retry")
		p := onePacket(t, datagram)
		if p.Type != PacketRetry || p.Version != v.version || string(p.Token) != "token" || !bytes.Equal(p.SCID, vectorSCID) {
			t.Errorf("%s: %s with token %q", v.rfc, p.Type, p.Token)
		}
		if !p.CheckRetry(vectorDCID) {
			t.Errorf("%s: tag does not fit", v.rfc)
		}
		if p.CheckRetry(vectorSCID) || p.CheckRetry(make([]byte, 300)) {
			t.Errorf("%s: tag fits another identifier", v.rfc)
		}
		for i := range datagram {
			changed := bytes.Clone(datagram)
			changed[i] ^= 1
			if p, _, err := NextPacket(changed); err == nil && p.CheckRetry(vectorDCID) {
				t.Errorf("%s: byte %d changed, and the tag fits", v.rfc, i)
			}
		}
	}
}

// A changed packet does not open, and says nothing of its content.
func TestChangedInitialDoesNotOpen(t *testing.T) {
	want := vector(t, "rfc9001-server")
	var keys Keys
	if err := keys.DeriveServer(Version1, vectorDCID); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		changed := bytes.Clone(want)
		changed[i] ^= 4
		p, _, err := NextPacket(changed)
		if err != nil || p.Type != PacketInitial {
			continue
		}
		if _, frames, err := keys.Open(nil, p); err != ErrNotAuthentic || frames != nil {
			t.Errorf("byte %d changed: %v", i, err)
		}
	}
	if _, _, err := keys.Open(nil, onePacket(t, want)); err != nil {
		t.Error("afterwards: ", err)
	}
}

func TestUnderivedKeysOpenNothing(t *testing.T) {
	var keys Keys
	if _, _, err := keys.Open(nil, onePacket(t, vector(t, "rfc9001-server"))); err != ErrNotAuthentic {
		t.Error(err)
	}
	if err := keys.DeriveClient(0x0A0A0A0A, vectorDCID); err == nil {
		t.Error("keys for a reserved version")
	}
}

// The example of RFC 9000 A.3, and the edges of the number space.
func TestFullNumber(t *testing.T) {
	for _, c := range []struct {
		expected, short uint64
		size            int
		want            uint64
	}{
		{0xa82f30eb, 0x9b32, 2, 0xa82f9b32},
		{0, 0xff, 1, 0xff},
		{0x100, 0xff, 1, 0xff},
		{0xff, 0x01, 1, 0x101},
		{MaxVarint, 0, 4, MaxVarint &^ 0xFFFFFFFF},
		{0, 0xFFFFFFFF, 4, 0xFFFFFFFF},
	} {
		if got := fullNumber(c.expected, c.short, c.size); got != c.want {
			t.Errorf("%x of %d bytes after %x is %x, want %x", c.short, c.size, c.expected, got, c.want)
		}
	}
}

func TestVersionNames(t *testing.T) {
	for version, want := range map[uint32]string{
		Version1: "QUIC v1", Version2: "QUIC v2", VersionDraft + 29: "QUIC draft 29", VersionMvfst2: "mvfst 0xfaceb002",
		VersionGoogleT051: "Google T051", 0x1A2A3A4A: "0x1a2a3a4a",
	} {
		if got := VersionName(version); got != want {
			t.Errorf("%08x is %q, want %q", version, got, want)
		}
	}
	if !Reserved(0x1A2A3A4A) || Reserved(Version1) {
		t.Error("reserved versions")
	}
}
