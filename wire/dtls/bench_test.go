package dtls

import (
	"cmp"
	"testing"

	"shakedown/wire"
	"shakedown/wire/internal/wiretest"
)

// splitHello is a post-quantum ClientHello in two datagrams, and what reads it.
type splitHello struct {
	datagrams [2][]byte
	joiner    Reassembler
	hello     wire.ClientHello
}

func newSplitHello() *splitHello {
	h := &splitHello{}
	for i, f := range fragments(wire.TypeClientHello, 0, wiretest.LargeHello([]byte{}), 1100)[:2] {
		h.datagrams[i] = Record{Type: wire.ContentHandshake, Version: wire.VersionDTLS12, Fragment: f.Append(nil)}.Append(nil)
	}
	return h
}

func (h *splitHello) read(tb testing.TB) {
	h.joiner.Reset()
	for _, datagram := range h.datagrams {
		record, _, err := NextRecord(datagram, 0)
		if err != nil {
			tb.Fatal(err)
		}
		f, _, err := NextFragment(record.Fragment)
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := h.joiner.Push(f); err != nil {
			tb.Fatal(err)
		}
	}
	m, err := h.joiner.Next()
	if err := cmp.Or(err, h.hello.ParseDTLS(m.Body)); err != nil {
		tb.Fatal(err)
	}
}

func TestHelloAllocatesNothing(t *testing.T) {
	h := newSplitHello()
	if n := testing.AllocsPerRun(100, func() { h.read(t) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkHello puts a ClientHello together from two fragments and reads it.
func BenchmarkHello(b *testing.B) {
	h := newSplitHello()
	b.ReportAllocs()
	for b.Loop() {
		h.read(b)
	}
}
