package quic

import (
	"slices"
	"strings"
	"testing"

	"shakedown/wire"
	"shakedown/wire/internal/wiretest"
)

// A message that fills the stream, in frames of one byte, in order and backwards, is
// put together in a handful of pieces of memory: nothing is copied again and again.
func TestFramesOfOneByte(t *testing.T) {
	whole := make([]byte, DefaultCryptoLimit)
	copy(whole, []byte{byte(wire.TypeCertificate), 0, 0xFF, 0xFC})
	ordered := crypto(whole, 1)
	backwards := slices.Clone(ordered)
	slices.Reverse(backwards)
	for name, frames := range map[string][]Frame{"in order": ordered, "backwards": backwards} {
		var c CryptoStream
		allocations := testing.AllocsPerRun(1, func() {
			c = CryptoStream{}
			for _, f := range frames {
				if fresh, err := c.Push(f); !fresh || err != nil {
					t.Fatal(name, fresh, err)
				}
				_ = c.Held()
			}
		})
		m, err := c.Next()
		if err != nil || len(m.Raw) != len(whole) {
			t.Errorf("%s: %d bytes, %v", name, len(m.Raw), err)
		}
		if allocations > 100 || c.parts.Memory() > 2*len(whole) {
			t.Errorf("%s: %v allocations, %d bytes", name, allocations, c.parts.Memory())
		}
	}
}

// Lengths of 2^24 and messages without end are refused with a reason, and hold no
// more than the limit.
func TestEndlessStreams(t *testing.T) {
	var c CryptoStream
	if _, err := c.Push(Frame{Type: FrameCrypto, Data: []byte("\x0b\xff\xff\xff")}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Next(); err == nil || err.Error() != "Certificate at byte 1: message is larger than the limit" {
		t.Error(err)
	}
	var empty CryptoStream
	taken, last := 0, error(nil)
	for i := range 1 << 15 { // messages of 4 bytes, without end
		if _, last = empty.Push(Frame{Type: FrameCrypto, Offset: uint64(4 * i), Data: []byte("\x0e\x00\x00\x00")}); last != nil {
			break
		}
		if _, err := empty.Next(); err == nil {
			taken++
		}
	}
	if taken != DefaultCryptoLimit/4 || last == nil || !strings.HasSuffix(last.Error(), "stream is longer than the limit") {
		t.Errorf("%d messages, then %v", taken, last)
	}
	if empty.parts.Memory() > 2*DefaultCryptoLimit {
		t.Errorf("holds %d bytes", empty.parts.Memory())
	}
}

// Frames and packets that bring nothing cost nothing, however often they come.
func TestFloodsCostNothing(t *testing.T) {
	h := newPackedHello(t)
	h.read(t)
	p := onePacket(t, h.datagrams[0])
	for name, flood := range map[string]func(){
		"the same packet":         func() { _, _ = h.initials.Open(h.buffer, p, true) },
		"packets of other keys":   func() { _, _ = h.initials.Open(h.buffer, p, false) },
		"the same frame":          func() { _, _ = h.initials.Client.Push(Frame{Type: FrameCrypto, Data: []byte{1}}) },
		"empty frames":            func() { _, _ = h.initials.Client.Push(Frame{Type: FrameCrypto, Offset: 9}) },
		"a retry that begins all": func() { h.initials.Start(p.DCID) },
	} {
		flood()
		if n := testing.AllocsPerRun(100, flood); n > 0 {
			t.Errorf("%s: %v allocations each", name, n)
		}
	}
}

// A stream that stops has what came before, and is not complete.
func TestStreamThatStops(t *testing.T) {
	whole := message(wiretest.ChromeHello())
	for n := range whole {
		var c CryptoStream
		_, _ = c.Push(Frame{Type: FrameCrypto, Data: whole[:n]})
		if _, err := c.Next(); err != wire.ErrIncomplete || len(c.Held()) != n {
			t.Fatalf("after %d bytes: %v, holds %d", n, err, len(c.Held()))
		}
	}
}
