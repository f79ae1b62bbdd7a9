package dtls

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"shakedown/wire"
	"shakedown/wire/internal/wiretest"
)

// fragments cuts a body into fragments of a size.
func fragments(t wire.HandshakeType, seq uint16, body []byte, size int) (out []Fragment) {
	for at := 0; at < len(body); at += size {
		end := min(at+size, len(body))
		out = append(out, Fragment{t, len(body), seq, at, body[at:end]})
	}
	return out
}

// The three kinds of records in one datagram.
func TestRecords(t *testing.T) {
	hello := Record{Type: wire.ContentHandshake, Version: wire.VersionDTLS12, Sequence: 0x0102_0304_0506, Fragment: []byte("hello")}
	withCID := Record{Type: wire.ContentTLS12CID, Version: wire.VersionDTLS12, Epoch: 1, Sequence: 7, CID: []byte("id"), Fragment: []byte("secret")}
	datagram := withCID.Append(hello.Append(nil))
	datagram = UnifiedRecord(6, 0xBEEF, []byte("id"), []byte("1.3")).Append(datagram)
	datagram = append(datagram, "\x21\x07to the end"...)
	for _, want := range []Record{
		hello, withCID,
		{Epoch: 2, Sequence: 0xBEEF, CID: []byte("id"), Fragment: []byte("1.3")},
		{Epoch: 1, Sequence: 7, Fragment: []byte("to the end")},
	} {
		r, rest, err := NextRecord(datagram, 2)
		if err != nil {
			t.Fatal(err)
		}
		if r.Type != want.Type || r.Version != want.Version || r.Epoch != want.Epoch || r.Sequence != want.Sequence ||
			!bytes.Equal(r.CID, want.CID) || !bytes.Equal(r.Fragment, want.Fragment) || r.Unified() != (want.Version == 0) {
			t.Errorf("read %+v, want %+v", r, want)
		}
		if !bytes.Equal(r.Append(nil), datagram[:r.Size()]) {
			t.Errorf("read %x, wrote %x", datagram[:r.Size()], r.Append(nil))
		}
		datagram = rest
	}
	if len(datagram) > 0 {
		t.Errorf("%d bytes left over", len(datagram))
	}
}

// The 16 forms of the unified header, read and written.
func TestUnifiedHeaders(t *testing.T) {
	for flags := byte(0x20); flags < 0x40; flags++ {
		datagram := []byte{flags}
		if flags&unifiedCID != 0 {
			datagram = append(datagram, "cid"...)
		}
		datagram = append(datagram, 9)
		if flags&unifiedLong != 0 {
			datagram = append(datagram, 8)
		}
		if flags&unifiedLength != 0 {
			datagram = append(datagram, 0, 4)
		}
		datagram = append(datagram, "body"...)
		r, rest, err := NextRecord(datagram, 3)
		if err != nil || len(rest) > 0 || string(r.Fragment) != "body" || r.Epoch != uint16(flags&3) {
			t.Errorf("%02x: %q of epoch %d, %v", flags, r.Fragment, r.Epoch, err)
		}
		if got := r.Append(nil); !bytes.Equal(got, datagram) {
			t.Errorf("read %x, wrote %x", datagram, got)
		}
	}
}

func TestBadRecords(t *testing.T) {
	for _, c := range []struct{ name, datagram, want string }{
		{"empty", "", "DTLS record at byte 0: no record of DTLS begins like this"},
		{"STUN", "\x00\x01\x00\x00", "DTLS record at byte 0: no record of DTLS begins like this"},
		{"TLS", "\x16\x03\x01\x00\x01\x01", "DTLS record at byte 1: no version of DTLS"},
		{"header", "\x16\xfe\xfd\x00\x00\x00\x00", "DTLS record at byte 7: runs past the end"},
		{"fragment", "\x16\xfe\xfd\x00\x00\x00\x00\x00\x00\x00\x00\x00\x05four", "DTLS record at byte 13: runs past the end"},
		{"nothing", "\x16\xfe\xfd\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", "DTLS record at byte 11: empty handshake record"},
		{"long", "\x17\xfe\xfd\x00\x00\x00\x00\x00\x00\x00\x00\x48\x01" + strings.Repeat("x", 0x4801), "DTLS record at byte 11: fragment is longer than any version allows"},
		{"identifier", "\x19\xfe\xfd\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", "DTLS record at byte 11: connection identifier of unknown length"},
		{"unified identifier", "\x3F\x00\x00", "DTLS record at byte 1: connection identifier of unknown length"},
		{"unified", "\x2F\x00\x00\x00\x09body", "DTLS record at byte 5: runs past the end"},
	} {
		r, _, err := NextRecord([]byte(c.datagram), 0)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %+v, %v, want %s", c.name, r, err, c.want)
		}
	}
}

// A ClientHello with a cookie in fragments, in any order, repeated, with those of
// another message in between, is the same hello.
func TestReassemblyInAnyOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	body := wiretest.SmallHello([]byte("cookie"))
	for size := 1; size < len(body); size += 7 {
		parts := append(fragments(wire.TypeClientHello, 1, body, size), fragments(wire.TypeCertificate, 2, body, size+3)...)
		random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		var r Reassembler
		got := map[uint16]Message{}
		for _, f := range append(parts, parts...) {
			if _, err := r.Push(f); err != nil {
				t.Fatal(err)
			}
			if m, err := r.Next(); err == nil {
				if _, twice := got[m.Seq]; twice {
					t.Errorf("message %d comes twice", m.Seq)
				}
				m.Body = bytes.Clone(m.Body)
				got[m.Seq] = m
			}
		}
		var hello wire.ClientHello
		if err := hello.ParseDTLS(got[1].Body); err != nil || string(hello.Cookie) != "cookie" || hello.MaxVersion() != wire.VersionTLS13 {
			t.Errorf("fragments of %d: %v", size, err)
		}
		if got[1].Size() != 12+len(body) || !bytes.Equal(got[2].Body, body) {
			t.Errorf("fragments of %d: %d bytes of %d", size, got[1].Size(), 12+len(body))
		}
	}
}

func TestReassemblerRefuses(t *testing.T) {
	data := []byte("data")
	for _, c := range []struct {
		name string
		f    Fragment
		want string
	}{
		{"length", Fragment{wire.TypeCertificate, 1<<24 - 1, 0, 1<<24 - 9, data}, "Certificate at byte 16777207: message is larger than the limit"},
		{"type", Fragment{wire.TypeFinished, 9, 1, 0, data}, "Finished at byte 0: fragments of one message disagree"},
		{"other length", Fragment{wire.TypeCertificate, 10, 1, 0, data}, "Certificate at byte 0: fragments of one message disagree"},
		{"far", Fragment{wire.TypeCertificate, 4, 64, 0, data}, "Certificate at byte 0: message_seq is too far ahead"},
		{"end", Fragment{wire.TypeCertificate, 9, 0, 6, data}, "Certificate at byte 6: fragment runs past the end of its message"},
		{"third", Fragment{wire.TypeCertificate, 9, 3, 0, data}, "Certificate at byte 0: too many messages are under way"},
	} {
		r := Reassembler{Limit: 1000, Messages: 2}
		for seq := range uint16(2) {
			_, _ = r.Push(Fragment{wire.TypeCertificate, 9, seq + 1, 0, data})
		}
		if fresh, err := r.Push(c.f); fresh || err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		if fresh, err := r.Push(Fragment{wire.TypeCertificate, 9, 1, 4, []byte("12345")}); !fresh || err != nil {
			t.Errorf("%s: the message under way is lost: %v", c.name, err)
		}
		if m, err := r.Next(); err != nil || string(m.Body) != "data12345" {
			t.Errorf("%s: %q, %v", c.name, m.Body, err)
		}
	}
}

// Fragments that are empty, repeated or late open nothing and bring nothing.
func TestFragmentsThatBringNothing(t *testing.T) {
	var r Reassembler
	done := Fragment{Type: wire.TypeServerHelloDone, Seq: 3}
	if fresh, err := r.Push(done); !fresh || err != nil {
		t.Error("an empty message: ", fresh, err)
	}
	if m, err := r.Next(); err != nil || m.Type != wire.TypeServerHelloDone || m.Size() != 12 {
		t.Error(m, err)
	}
	for _, f := range []Fragment{done, {Type: wire.TypeCertificate, Length: 9, Seq: 1}, {wire.TypeServerHelloDone, 9, 3, 2, []byte("x")}} {
		fresh, err := r.Push(f)
		if _, none := r.Next(); fresh || err != nil || none != wire.ErrIncomplete {
			t.Errorf("message %d: %v, %v", f.Seq, fresh, err)
		}
	}
	if len(r.slots) > 0 {
		t.Errorf("%d messages under way", len(r.slots))
	}
}

// A long connection: the window of numbers moves on, over the end of the 16 bits.
func TestNumbersMoveOn(t *testing.T) {
	var r Reassembler
	for i := range 1<<16 + 100 {
		f := Fragment{wire.TypeKeyUpdate, 1, uint16(i), 0, []byte{0}}
		if fresh, err := r.Push(f); !fresh || err != nil {
			t.Fatal(i, fresh, err)
		}
		if fresh, err := r.Push(f); fresh || err != nil {
			t.Fatal("again: ", i, fresh, err)
		}
	}
}

// A stateless server may count anew after its HelloVerifyRequest.
func TestHelloVerifyRequestTakesNoNumber(t *testing.T) {
	var r Reassembler
	verify := HelloVerifyRequest{wire.VersionDTLS10, []byte("cookie")}
	for _, raw := range [][]byte{AppendMessage(nil, 0, &verify), AppendMessage(nil, 0, &wire.ServerHelloDone{})} {
		f, rest, err := NextFragment(raw)
		if err != nil || len(rest) > 0 || !f.Whole() {
			t.Fatal(f, rest, err)
		}
		fresh, err := r.Push(f)
		if m, none := r.Next(); !fresh || err != nil || none != nil || m.Type != f.Type {
			t.Errorf("%s: %v, %v, %v", f.Type, fresh, err, none)
		}
	}
}

func TestNewHandshakeOnTheSamePorts(t *testing.T) {
	var r Reassembler
	hello := wiretest.SmallHello([]byte("cookie"))
	first := Fragment{wire.TypeClientHello, len(hello), 0, 0, hello}
	if r.Begins(first) {
		t.Error("the first hello begins anew")
	}
	_, _ = r.Push(first)
	if r.Begins(first) {
		t.Error("the same hello begins anew")
	}
	other := first
	other.Data = bytes.Clone(hello)
	other.Data[2]++
	if !r.Begins(other) {
		t.Error("another random, and nothing begins")
	}
	r.Reset()
	if fresh, err := r.Push(other); !fresh || err != nil {
		t.Error("after Reset: ", fresh, err)
	}
}

func TestConnectionIDMessages(t *testing.T) {
	var m NewConnectionID
	body := []byte("\x00\x07\x02ab\x00\x02cd\x01")
	if err := m.Parse(body); err != nil || m.Usage != 1 {
		t.Fatal(m, err)
	}
	var ids []string
	for id := range m.IDs.All() {
		ids = append(ids, string(id))
	}
	if strings.Join(ids, "|") != "ab||cd" {
		t.Errorf("identifiers %q", ids)
	}
	if err := m.Parse([]byte("\x00\x02\x02a\x00")); err == nil || err.Error() != "NewConnectionId at byte 2: identifier runs past the end" {
		t.Error(err)
	}
	if id, err := ParseConnectionID(AppendConnectionID(nil, nil)); err != nil || id == nil || len(id) > 0 {
		t.Errorf("an empty identifier is %v, %v", id, err)
	}
}

func TestACK(t *testing.T) {
	want := []RecordNumber{{2, 0}, {2, 1 << 40}}
	var list []byte
	for _, n := range want {
		list = AppendRecordNumber(list, n)
	}
	var m ACK
	if err := m.Parse((&ACK{list}).Append(nil)); err != nil || m.Records.Len() != 2 {
		t.Fatal(m.Records.Len(), err)
	}
	i := 0
	for n := range m.Records.All() {
		if n != want[i] {
			t.Errorf("record %v, want %v", n, want[i])
		}
		i++
	}
	if err := m.Parse([]byte("\x00\x11" + strings.Repeat("x", 17))); err == nil || m.Records.Len() != 1 {
		t.Error(m.Records.Len(), err)
	}
}
