package quic

import (
	"cmp"
	"testing"

	"shakedown/wire"
	"shakedown/wire/internal/wiretest"
)

// packedHello is a post-quantum ClientHello in two datagrams, and what reads it.
type packedHello struct {
	datagrams [2][]byte
	buffer    []byte
	initials  Initials
	hello     wire.ClientHello
}

func newPackedHello(tb testing.TB) *packedHello {
	client, _ := keysOf(tb, Version1, testPacket.DCID)
	message, h := message(wiretest.LargeHello(nil)), &packedHello{buffer: make([]byte, 1500)}
	for i, frame := range crypto(message, 1100)[:2] {
		payload := frame.Append([]byte{1})
		payload = append(payload, make([]byte, 1150-len(payload))...)
		h.datagrams[i] = client.Seal(nil, testPacket, uint64(i), payload)
	}
	h.initials.Start(testPacket.DCID)
	return h
}

func (h *packedHello) read(tb testing.TB) {
	h.initials.Client.Reset()
	for _, datagram := range h.datagrams {
		p, _, err := NextPacket(datagram)
		if err != nil {
			tb.Fatal(err)
		}
		payload, err := h.initials.Open(h.buffer, p, true)
		if err != nil {
			tb.Fatal(err)
		}
		for len(payload) > 0 {
			var f Frame
			if f, payload, err = NextFrame(payload); err != nil {
				tb.Fatal(err)
			}
			if _, err := h.initials.Client.Push(f); err != nil {
				tb.Fatal(err)
			}
		}
	}
	m, err := h.initials.Client.Next()
	if err := cmp.Or(err, h.hello.Parse(m.Body)); err != nil {
		tb.Fatal(err)
	}
}

func TestHelloAllocatesNothing(t *testing.T) {
	h := newPackedHello(t)
	if n := testing.AllocsPerRun(100, func() { h.read(t) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkHello opens two Initial packets with known keys and reads the
// ClientHello in them.
func BenchmarkHello(b *testing.B) {
	h := newPackedHello(b)
	b.ReportAllocs()
	for b.Loop() {
		h.read(b)
	}
}

// BenchmarkKeys derives the keys of one direction.
func BenchmarkKeys(b *testing.B) {
	var keys Keys
	b.ReportAllocs()
	for b.Loop() {
		if err := keys.DeriveClient(Version1, testPacket.DCID); err != nil {
			b.Fatal(err)
		}
	}
}
