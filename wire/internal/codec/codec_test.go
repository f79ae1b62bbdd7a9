package codec

import (
	"bytes"
	"testing"
)

// What the writers write, the reader reads, to the last byte.
func TestRoundTrip(t *testing.T) {
	b := Append32(Append24(Append16([]byte{1}, 0x0203), 0x040506), 0x0708090A)
	b = AppendVector24(AppendVector16(AppendVector8(b, []byte("a")), []byte("bc")), []byte("def"))
	r := Reader{What: "all", All: append(b, "rest"...)}
	if r.Peek() != 1 || r.U8() != 1 || r.U16() != 0x0203 || r.U24() != 0x040506 || r.U32() != 0x0708090A {
		t.Error("numbers differ")
	}
	if string(r.Vector8()) != "a" || string(r.Vector16()) != "bc" || string(r.Vector24()) != "def" {
		t.Error("vectors differ")
	}
	if !bytes.Equal(r.Since(0), b) || r.Offset() != len(b) || r.Left() != 4 {
		t.Errorf("%d bytes read, %d left", r.Offset(), r.Left())
	}
	if string(r.Rest()) != "rest" || r.Done() != nil {
		t.Error(r.Err())
	}
}

// The first failure stays, points at its byte, and ends the reading.
func TestFailures(t *testing.T) {
	for want, read := range map[string]func(r *Reader){
		"x at byte 3: runs past the end":   func(r *Reader) { r.U8(); r.U16(); r.U8() },
		"x at byte 2: runs past the end":   func(r *Reader) { r.U16(); r.U16() },
		"x at byte 0: runs past the end":   func(r *Reader) { r.U32(); r.U64() },
		"x at byte 1: runs past the end":   func(r *Reader) { r.U8(); r.U24() },
		"x at byte 1: bytes are left over": func(r *Reader) { r.U8() },
		"x at byte 7: as the caller found": func(r *Reader) { r.Fail(7, "as the caller found"); r.Fail(8, "later") },
	} {
		r := Reader{What: "x", All: []byte{2, 3, 4}}
		read(&r)
		if err := r.Done(); err == nil || err.Error() != want || r.Left() > 0 && r.Failed() {
			t.Errorf("%v, want %s", err, want)
		}
		if r.U8() != 0 || r.U16() != 0 || r.U24() != 0 || r.U32() != 0 || r.U64() != 0 || r.Bytes(0) != nil || r.Peek() != 0 {
			t.Errorf("after %s it reads on", want)
		}
	}
}

// What was read has no room to grow into what follows it.
func TestNothingGrowsIntoTheRest(t *testing.T) {
	all := []byte("\x01abc")
	r := Reader{What: "x", All: all}
	_ = append(r.Vector8(), 'X')
	_ = append(r.Since(0), 'X')
	if string(all) != "\x01abc" {
		t.Errorf("%q", all)
	}
}
