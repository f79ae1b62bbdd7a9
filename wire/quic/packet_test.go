package quic

import (
	"bytes"
	"cmp"
	"slices"
	"testing"

	"shakedown/wire"
	"shakedown/wire/internal/wiretest"
)

var testPacket = Packet{Version: Version1, DCID: []byte("8 bytes!"), SCID: []byte("client"), Token: []byte("token")}

func keysOf(tb testing.TB, version uint32, dcid []byte) (client, server *Keys) {
	tb.Helper()
	client, server = new(Keys), new(Keys)
	if err := cmp.Or(client.DeriveClient(version, dcid), server.DeriveServer(version, dcid)); err != nil {
		tb.Fatal(err)
	}
	return client, server
}

// crypto cuts a message into CRYPTO frames of a size.
func crypto(message []byte, size int) (frames []Frame) {
	for at := 0; at < len(message); at += size {
		end := min(at+size, len(message))
		frames = append(frames, Frame{Type: FrameCrypto, Offset: uint64(at), Data: message[at:end]})
	}
	return frames
}

// message puts the header of a ClientHello in front of its body.
func message(hello []byte) []byte {
	return append([]byte{byte(wire.TypeClientHello), 0, byte(len(hello) >> 8), byte(len(hello))}, hello...)
}

func clientHelloMessage() []byte { return message(wiretest.ChromeHello()) }

// Every version that is known seals what it opens, and its packet types have the
// numbers of that version.
func TestEachVersionOpensWhatItSeals(t *testing.T) {
	versions := []uint32{Version1, Version2, VersionMvfst1, VersionMvfst2, VersionMvfstE, VersionGoogleT050, VersionGoogleT051}
	for draft := uint32(22); draft <= 34; draft++ {
		versions = append(versions, VersionDraft+draft)
	}
	for _, version := range versions {
		client, _ := keysOf(t, version, testPacket.DCID)
		want := testPacket
		want.Version = version
		p := onePacket(t, client.Seal(nil, want, 7, []byte("\x01\x00\x00")))
		var q Initials
		q.Start(p.DCID)
		frames, err := q.Open(nil, p, true)
		if err != nil || string(frames) != "\x01\x00\x00" || p.Type != PacketInitial || string(p.Token) != "token" {
			t.Errorf("%s: %s with %x, %v", VersionName(version), p.Type, frames, err)
		}
	}
	for _, draft := range []uint32{0, 21, 35, 0x100} {
		if saltOf(VersionDraft+draft) != "" {
			t.Errorf("a salt for draft %d", draft)
		}
	}
}

func TestCoalescedPackets(t *testing.T) {
	client, _ := keysOf(t, Version1, testPacket.DCID)
	datagram := client.Seal(nil, testPacket, 0, []byte("\x01"))
	datagram = append(datagram, "\xE0\x00\x00\x00\x01\x02id\x00\x03abc"...) // Handshake
	datagram = append(datagram, "\xD0\x00\x00\x00\x01\x02id\x00\x02xy"...)  // 0-RTT
	datagram = append(datagram, "\x40 short header to the end"...)
	var types []PacketType
	for len(datagram) > 0 {
		p, rest, err := NextPacket(datagram)
		if err != nil {
			t.Fatal(err)
		}
		if p.NumberAt > 0 && p.NumberAt >= len(p.Raw) {
			t.Errorf("%s: number at %d of %d", p.Type, p.NumberAt, len(p.Raw))
		}
		types, datagram = append(types, p.Type), rest
	}
	if want := []PacketType{PacketInitial, PacketHandshake, PacketZeroRTT, PacketShort}; !slices.Equal(types, want) {
		t.Errorf("packets %v, want %v", types, want)
	}
}

func TestVersionNegotiation(t *testing.T) {
	p := onePacket(t, []byte("\x8a\x00\x00\x00\x00\x02id\x01s\x6b\x33\x43\xcf\x00\x00\x00\x01"))
	if p.Type != PacketVersionNegotiation || p.Versions.Len() != 2 || p.Versions.At(0) != Version2 || p.Versions.At(1) != Version1 {
		t.Errorf("%s of %x", p.Type, p.Versions)
	}
	if string(p.DCID) != "id" || string(p.SCID) != "s" {
		t.Errorf("from %q to %q", p.SCID, p.DCID)
	}
}

// Of a version that is not known only what RFC 8999 fixes is read.
func TestUnknownVersion(t *testing.T) {
	p := onePacket(t, []byte("\xC0\x1a\x2a\x3a\x4a\x02id\x01s whatever follows"))
	if p.Type != PacketUnknown || p.Version != 0x1A2A3A4A || string(p.DCID) != "id" || p.NumberAt != 0 {
		t.Errorf("%s of version %08x to %q", p.Type, p.Version, p.DCID)
	}
	var q Initials
	if _, err := q.Open(nil, p, true); err != ErrNotAuthentic {
		t.Error(err)
	}
}

// A packet that is cut still tells the identifiers; each cut is an error.
func TestCutPackets(t *testing.T) {
	client, _ := keysOf(t, Version1, testPacket.DCID)
	whole := client.Seal(nil, testPacket, 0, make([]byte, 100))
	for n := range whole {
		p, rest, err := NextPacket(whole[:n])
		if err == nil || len(rest) != n {
			t.Fatalf("cut at %d: %v, %d bytes left over", n, err, len(rest))
		}
		if n > 40 && (p.Type != PacketInitial || string(p.DCID) != "8 bytes!") {
			t.Errorf("cut at %d: %s to %q", n, p.Type, p.DCID)
		}
	}
}

func TestBadPackets(t *testing.T) {
	for _, c := range []struct{ name, datagram, want string }{
		{"empty", "", "QUIC packet at byte 0: no packet of QUIC begins like this"},
		{"form", "\x16\xfe\xff", "QUIC packet at byte 0: no packet of QUIC begins like this"},
		{"identifier", "\xC0\x00\x00\x00\x01\x15" + string(make([]byte, 30)), "QUIC packet at byte 5: connection identifier is longer than 20 bytes"},
		{"token", "\xC0\x00\x00\x00\x01\x00\x00\xC0\x00\x00\x00\xff\xff\xff\xff", "QUIC packet at byte 15: runs past the end"},
		{"length", "\xC0\x00\x00\x00\x01\x00\x00\x00\x7f\xff", "QUIC packet at byte 8: runs past the end"},
		{"versions", "\x80\x00\x00\x00\x00\x00\x00\x00\x00\x01", "QUIC packet at byte 7: length is no multiple of the entry size"},
		{"retry", "\xF0\x00\x00\x00\x01\x00\x00tag", "QUIC packet at byte 7: runs past the end"},
	} {
		if _, _, err := NextPacket([]byte(c.datagram)); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// The server chose an identifier of its own, and the client uses it from then on:
// the keys stay. Its frames are shuffled over three datagrams, one of them twice.
func TestChangedIdentifierAndShuffledFrames(t *testing.T) {
	message := clientHelloMessage()
	frames := crypto(message, 50)
	slices.Reverse(frames)
	client, _ := keysOf(t, Version1, testPacket.DCID)
	var q Initials
	q.Start(testPacket.DCID)
	other := testPacket
	other.DCID = []byte("server's own")
	for i, part := range [][]Frame{frames[4:], frames[:3], frames[:3], frames[2:5]} {
		payload := []byte{1, 0, 0}
		for _, f := range part {
			payload = append(f.Append(payload), 0)
		}
		p := onePacket(t, client.Seal(nil, other, uint64(i), payload))
		if got := push(t, &q, p, true); got != (i != 2) {
			t.Errorf("datagram %d brought something: %v", i, got)
		}
	}
	m, err := q.Client.Next()
	if err != nil || !bytes.Equal(m.Raw, message) {
		t.Errorf("%d bytes of %d, %v", len(m.Raw), len(message), err)
	}
}

func push(t *testing.T, q *Initials, p Packet, fromClient bool) (brought bool) {
	t.Helper()
	payload, err := q.Open(nil, p, fromClient)
	for err == nil && len(payload) > 0 {
		var f Frame
		var fresh bool
		if f, payload, err = NextFrame(payload); err == nil {
			fresh, err = q.Stream(fromClient).Push(f)
			brought = brought || fresh
		}
	}
	if err != nil {
		t.Error(err)
	}
	return brought
}

// A server may answer in another version than the client's, with keys of the
// client's identifier (RFC 9368); a packet of other keys changes nothing.
func TestServerOfAnotherVersion(t *testing.T) {
	var q Initials
	q.Start(testPacket.DCID)
	client, _ := keysOf(t, Version1, testPacket.DCID)
	_, server := keysOf(t, Version2, testPacket.DCID)
	hello := onePacket(t, client.Seal(nil, testPacket, 0, crypto(clientHelloMessage(), 5000)[0].Append(nil)))
	push(t, &q, hello, true)
	if _, err := q.Open(nil, hello, false); err != ErrNotAuthentic {
		t.Error("the client's packet opens as the server's: ", err)
	}
	answer := wire.AppendMessage(nil, &wire.ServerHello{Version: wire.VersionTLS12, Random: make([]byte, 32), Suite: 0x1301})
	push(t, &q, onePacket(t, server.Seal(nil, Packet{Version: Version2}, 0, crypto(answer, 5000)[0].Append(nil))), false)
	if m, err := q.Server.Next(); err != nil || m.Type != wire.TypeServerHello {
		t.Error(m.Type, err)
	}
	if m, err := q.Client.Next(); err != nil || m.Type != wire.TypeClientHello {
		t.Error(m.Type, err)
	}
}

// After a Retry the keys come from its source identifier: the client's packets open
// with them alone, and the streams begin anew.
func TestKeysChangeAfterRetry(t *testing.T) {
	retry := onePacket(t, vector(t, "rfc9001-retry"))
	var q Initials
	q.Start(vectorDCID)
	before := onePacket(t, vector(t, "rfc9001-client"))
	push(t, &q, before, true)
	if !retry.CheckRetry(q.DCID()) {
		t.Error("the Retry is not an answer to the client's packet")
	}
	client, _ := keysOf(t, Version1, retry.SCID)
	again := Packet{Version: Version1, DCID: retry.SCID, Token: retry.Token}
	after := onePacket(t, client.Seal(nil, again, 3, crypto(clientHelloMessage(), 5000)[0].Append(nil)))
	if _, err := q.Open(nil, after, true); err != ErrNotAuthentic {
		t.Error("opens with the old keys: ", err)
	}
	q.Start(after.DCID)
	if !push(t, &q, after, true) {
		t.Error("the hello brings nothing")
	}
	if _, err := q.Open(nil, before, true); err != ErrNotAuthentic {
		t.Error("the old packet opens with the new keys: ", err)
	}
	if m, err := q.Client.Next(); err != nil || !bytes.Equal(m.Raw, clientHelloMessage()) {
		t.Error(m.Type, err)
	}
}
