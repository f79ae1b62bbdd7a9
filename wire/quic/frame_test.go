package quic

import (
	"bytes"
	"slices"
	"testing"

	"shakedown/wire"
	"shakedown/wire/internal/codec"
	"shakedown/wire/internal/pieces"
)

func TestVarints(t *testing.T) {
	for value, want := range map[uint64]string{ // RFC 9000 A.1
		151288809941952652: "\xc2\x19\x7c\x5e\xff\x14\xe8\x8c", 494878333: "\x9d\x7f\x3e\x7d", 15293: "\x7b\xbd", 37: "\x25",
		0: "\x00", 63: "\x3f", 64: "\x40\x40", 1<<14 - 1: "\x7f\xff", 1 << 14: "\x80\x00\x40\x00", MaxVarint: "\xff\xff\xff\xff\xff\xff\xff\xff",
	} {
		if got := AppendVarint(nil, value); string(got) != want {
			t.Errorf("%d is %x, want %x", value, got, want)
		}
		r := codec.Reader{What: "varint", All: []byte(want)}
		if got := varint(&r); got != value || r.Done() != nil {
			t.Errorf("%x is %d, %v; want %d", want, got, r.Err(), value)
		}
		r = codec.Reader{What: "varint", All: []byte(want)[:len(want)-1]}
		if got := varint(&r); r.Err() == nil {
			t.Errorf("%x without its last byte is %d", want, got)
		}
	}
	r := codec.Reader{What: "varint", All: []byte("\x40\x25")}
	if got := varint(&r); got != 37 {
		t.Errorf("37 in two bytes is %d", got)
	}
}

func TestFrames(t *testing.T) {
	payload := []byte("\x01\x00\x00\x00\x02\x05\x00\x02\x01\x00\x00\x01\x01\x03\x05\x00\x00\x01\x07\x08\x09\x06\x40\x40\x02hi\x1c\x41\x28\x06\x03why\x00")
	var types []FrameType
	var again []byte
	for len(payload) > 0 {
		f, rest, err := NextFrame(payload)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Append(nil); !bytes.Equal(got, payload[:f.Size]) {
			t.Errorf("read %x, wrote %x", payload[:f.Size], got)
		}
		types, again, payload = append(types, f.Type), f.Append(again), rest
		checkFrame(t, f)
	}
	want := []FrameType{FramePing, FramePadding, FrameACK, FrameACKECN, FrameCrypto, FrameConnectionClose, FramePadding}
	if !slices.Equal(types, want) {
		t.Errorf("frames %v, want %v", types, want)
	}
}

func checkFrame(t *testing.T, f Frame) {
	t.Helper()
	alert, ok := f.Alert()
	switch f.Type {
	case FrameACK, FrameACKECN:
		if f.Number != 5 {
			t.Errorf("acknowledges up to %d", f.Number)
		}
	case FrameCrypto:
		if f.Offset != 64 || string(f.Data) != "hi" {
			t.Errorf("%q at %d", f.Data, f.Offset)
		}
	case FrameConnectionClose:
		if !ok || alert.String() != "handshake_failure" || string(f.Data) != "why" || f.Cause != 6 {
			t.Errorf("alert %v, %q", alert, f.Data)
		}
	default:
		if ok {
			t.Errorf("%s has an alert", f.Type)
		}
	}
}

func TestBadFrames(t *testing.T) {
	for _, c := range []struct{ name, payload, want string }{
		{"empty", "", "QUIC frame at byte 0: runs past the end"},
		{"stream", "\x08\x00", "QUIC frame at byte 0: no frame of an Initial packet"},
		{"ranges", "\x02\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00", "QUIC frame at byte 13: runs past the end"},
		{"crypto", "\x06\x00\xff\xff\xff\xff\xff\xff\xff\xff", "QUIC frame at byte 10: runs past the end"},
		{"counters", "\x03\x00\x00\x00\x00\x01", "QUIC frame at byte 6: runs past the end"},
	} {
		if _, rest, err := NextFrame([]byte(c.payload)); err == nil || err.Error() != c.want || len(rest) != len(c.payload) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

func TestCryptoLimits(t *testing.T) {
	c := CryptoStream{Limit: 100}
	for _, f := range []Frame{
		{Type: FrameCrypto, Offset: MaxVarint, Data: []byte("x")},
		{Type: FrameCrypto, Offset: 99, Data: []byte("xy")},
		{Type: FrameCrypto, Data: make([]byte, 101)},
	} {
		if fresh, err := c.Push(f); fresh || err == nil {
			t.Errorf("took %d bytes at %d", len(f.Data), f.Offset)
		}
	}
	if fresh, err := c.Push(Frame{Type: FrameCrypto, Data: []byte("\x01\x00\x00\x61")}); !fresh || err != nil {
		t.Error(fresh, err)
	}
	if _, err := c.Next(); err == nil || err == wire.ErrIncomplete {
		t.Error("a message beyond the limit: ", err)
	}
	if fresh, err := c.Push(Frame{Type: FramePing}); fresh || err != nil {
		t.Error("PING: ", fresh, err)
	}
	if c.parts.Memory() > 200 {
		t.Errorf("holds %d bytes", c.parts.Memory())
	}
}

// Frames of one byte with a gap before each would make one run each.
func TestCryptoGaps(t *testing.T) {
	var c CryptoStream
	refused := 0
	for i := range 1000 {
		if _, err := c.Push(Frame{Type: FrameCrypto, Offset: uint64(2 * i), Data: []byte("x")}); err != nil {
			refused++
		}
	}
	if refused != 1000-pieces.MaxSpans || c.parts.Spans() != pieces.MaxSpans {
		t.Errorf("refused %d, keeps %d runs", refused, c.parts.Spans())
	}
	if fresh, err := c.Push(Frame{Type: FrameCrypto, Offset: 1, Data: make([]byte, 2000)}); !fresh || err != nil || c.parts.Spans() != 1 {
		t.Errorf("filling the gaps leaves %d runs, %v", c.parts.Spans(), err)
	}
}
