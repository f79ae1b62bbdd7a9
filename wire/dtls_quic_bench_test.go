package wire

import "testing"

// quicHello is a post-quantum ClientHello in two datagrams, and what reads it.
type quicHello struct {
	datagrams [2][]byte
	buffer    []byte
	initials  QUICInitials
	hello     ClientHello
}

func newQUICHello(tb testing.TB) *quicHello {
	client, _ := quicKeys(tb, QUIC1, testPacket.DCID)
	message, h := bigClientHello(false), &quicHello{buffer: make([]byte, 1500)}
	for i, frame := range crypto(message, 1100)[:2] {
		payload := frame.Append([]byte{1})
		payload = append(payload, make([]byte, 1150-len(payload))...)
		h.datagrams[i] = client.Seal(nil, testPacket, uint64(i), payload)
	}
	h.initials.Start(testPacket.DCID)
	return h
}

// bigClientHello has a share of X25519MLKEM768.
func bigClientHello(dtls bool) []byte {
	var m ClientHello
	_ = m.Parse(chromeLike())
	m.Extensions = Extension{ExtKeyShare, AppendKeyShares(nil, KeyShare{0x11EC, make([]byte, 1216)})}.Append(m.Extensions)
	if dtls {
		m.Cookie = []byte{}
		return m.Append(nil)
	}
	return AppendMessage(nil, &m)
}

func (h *quicHello) read(tb testing.TB) {
	h.initials.Client.Reset()
	for _, datagram := range h.datagrams {
		p, _, err := NextQUICPacket(datagram)
		if err != nil {
			tb.Fatal(err)
		}
		payload, err := h.initials.Open(h.buffer, p, true)
		if err != nil {
			tb.Fatal(err)
		}
		for len(payload) > 0 {
			var f QUICFrame
			if f, payload, err = NextQUICFrame(payload); err != nil {
				tb.Fatal(err)
			}
			if _, err := h.initials.Client.Push(f); err != nil {
				tb.Fatal(err)
			}
		}
	}
	m, err := h.initials.Client.Next()
	if err := firstError(err, h.hello.Parse(m.Body)); err != nil {
		tb.Fatal(err)
	}
}

// dtlsHello is the same in DTLS.
type dtlsHello struct {
	datagrams [2][]byte
	joiner    DTLSReassembler
	hello     ClientHello
}

func newDTLSHello() *dtlsHello {
	h := &dtlsHello{}
	for i, f := range fragments(TypeClientHello, 0, bigClientHello(true), 1100)[:2] {
		h.datagrams[i] = DTLSRecord{Type: ContentHandshake, Version: VersionDTLS12, Fragment: f.Append(nil)}.Append(nil)
	}
	return h
}

func (h *dtlsHello) read(tb testing.TB) {
	h.joiner.Reset()
	for _, datagram := range h.datagrams {
		record, _, err := NextDTLSRecord(datagram, 0)
		if err != nil {
			tb.Fatal(err)
		}
		f, _, err := NextDTLSFragment(record.Fragment)
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := h.joiner.Push(f); err != nil {
			tb.Fatal(err)
		}
	}
	m, err := h.joiner.Next()
	if err := firstError(err, h.hello.ParseDTLS(m.Body)); err != nil {
		tb.Fatal(err)
	}
}

func TestDatagramHellosAllocateNothing(t *testing.T) {
	quic, dtls := newQUICHello(t), newDTLSHello()
	if n := testing.AllocsPerRun(100, func() { quic.read(t) }); n != 0 {
		t.Errorf("QUIC: %v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { dtls.read(t) }); n != 0 {
		t.Errorf("DTLS: %v allocations", n)
	}
}

// BenchmarkQUICHello opens two Initial packets with known keys and reads the
// ClientHello in them.
func BenchmarkQUICHello(b *testing.B) {
	h := newQUICHello(b)
	b.ReportAllocs()
	for b.Loop() {
		h.read(b)
	}
}

// BenchmarkQUICKeys derives the keys of one direction.
func BenchmarkQUICKeys(b *testing.B) {
	var keys QUICKeys
	b.ReportAllocs()
	for b.Loop() {
		if err := keys.DeriveClient(QUIC1, testPacket.DCID); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDTLSHello puts a ClientHello together from two fragments and reads it.
func BenchmarkDTLSHello(b *testing.B) {
	h := newDTLSHello()
	b.ReportAllocs()
	for b.Loop() {
		h.read(b)
	}
}
