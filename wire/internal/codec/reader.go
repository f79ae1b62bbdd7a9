package codec

import "encoding/binary"

// Reader walks over a byte slice. After the first failure it yields zero values,
// and Done tells the failure. What it returns points into the slice.
type Reader struct {
	What string // what errors call the slice
	All  []byte // what is read

	off    int
	failed *Error
}

// Fail notes a failure, unless there is one, and moves to the end.
func (r *Reader) Fail(offset int, reason string) {
	if r.failed == nil {
		r.failed = &Error{What: r.What, Offset: offset, Reason: reason}
	}
	r.off = len(r.All)
}

// Failed reports whether there was a failure.
func (r *Reader) Failed() bool { return r.failed != nil }

// Offset returns how many bytes were read.
func (r *Reader) Offset() int { return r.off }

// Left returns how many bytes were not.
func (r *Reader) Left() int { return len(r.All) - r.off }

// Since returns what was read from an offset on.
func (r *Reader) Since(at int) []byte { return r.All[at:r.off:r.off] }

// Bytes returns the next n bytes, with no room to grow into what follows them;
// nil after a failure only.
func (r *Reader) Bytes(n int) []byte {
	if n > r.Left() || r.failed != nil {
		r.Fail(r.off, ReasonShort)
		return nil
	}
	b := r.All[r.off : r.off+n : r.off+n]
	r.off += n
	return b
}

// Rest returns all bytes that are left.
func (r *Reader) Rest() []byte { return r.Bytes(r.Left()) }

// Peek returns the next byte without taking it, 0 at the end.
func (r *Reader) Peek() byte {
	if r.Left() == 0 {
		return 0
	}
	return r.All[r.off]
}

// SkipZeros moves behind the zero bytes that come next.
func (r *Reader) SkipZeros() {
	for r.off < len(r.All) && r.All[r.off] == 0 {
		r.off++
	}
}

// U8 reads a number of one byte.
func (r *Reader) U8() uint8 {
	if r.Left() < 1 {
		r.Fail(r.off, ReasonShort)
		return 0
	}
	r.off++
	return r.All[r.off-1]
}

// U16 reads a number of 2 bytes.
func (r *Reader) U16() uint16 {
	if r.Left() < 2 {
		r.Fail(r.off, ReasonShort)
		return 0
	}
	r.off += 2
	return binary.BigEndian.Uint16(r.All[r.off-2:])
}

// U24 reads a number of 3 bytes.
func (r *Reader) U24() int {
	if b := r.Bytes(3); b != nil {
		return U24(b)
	}
	return 0
}

// U32 reads a number of 4 bytes.
func (r *Reader) U32() uint32 {
	if b := r.Bytes(4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

// U64 reads a number of 8 bytes.
func (r *Reader) U64() uint64 {
	if b := r.Bytes(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

// Vector8 reads a vector with a length of one byte in front (RFC 8446 3.4).
func (r *Reader) Vector8() []byte { return r.Bytes(int(r.U8())) }

// Vector16 reads a vector with a length of 2 bytes in front.
func (r *Reader) Vector16() []byte { return r.Bytes(int(r.U16())) }

// Vector24 reads a vector with a length of 3 bytes in front.
func (r *Reader) Vector24() []byte { return r.Bytes(r.U24()) }

// Done returns the first failure, or that bytes are left over, or nil.
func (r *Reader) Done() error {
	if r.failed == nil && r.Left() > 0 {
		r.Fail(r.off, ReasonTrailing)
	}
	return r.Err()
}

// Err returns the first failure, or nil.
func (r *Reader) Err() error {
	if r.failed != nil {
		return r.failed
	}
	return nil
}

// U24 is the number in the first 3 bytes of b.
func U24(b []byte) int { return int(b[0])<<16 | int(b[1])<<8 | int(b[2]) }
