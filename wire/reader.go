package wire

import "encoding/binary"

// reader walks over a byte slice. After the first failure it yields zero values,
// and done tells the failure.
type reader struct {
	what   string
	all    []byte
	off    int
	failed *Error
}

func (r *reader) fail(offset int, reason string) {
	if r.failed == nil {
		r.failed = &Error{What: r.what, Offset: offset, Reason: reason}
	}
	r.off = len(r.all)
}

func (r *reader) left() int { return len(r.all) - r.off }

// bytes returns the next n bytes, with no room to grow into what follows them;
// nil after a failure only.
func (r *reader) bytes(n int) []byte {
	if n > r.left() || r.failed != nil {
		r.fail(r.off, reasonShort)
		return nil
	}
	b := r.all[r.off : r.off+n : r.off+n]
	r.off += n
	return b
}

func (r *reader) rest() []byte { return r.bytes(r.left()) }

func (r *reader) u8() uint8 {
	if r.left() < 1 {
		r.fail(r.off, reasonShort)
		return 0
	}
	r.off++
	return r.all[r.off-1]
}

func (r *reader) u16() uint16 {
	if r.left() < 2 {
		r.fail(r.off, reasonShort)
		return 0
	}
	r.off += 2
	return binary.BigEndian.Uint16(r.all[r.off-2:])
}

func (r *reader) u24() int {
	if b := r.bytes(3); b != nil {
		return u24(b)
	}
	return 0
}

func (r *reader) u32() uint32 {
	if b := r.bytes(4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

// Vectors with a length of 1, 2 and 3 bytes in front (RFC 8446 3.4).
func (r *reader) vector8() []byte  { return r.bytes(int(r.u8())) }
func (r *reader) vector16() []byte { return r.bytes(int(r.u16())) }
func (r *reader) vector24() []byte { return r.bytes(r.u24()) }

// codes8 and codes16 are vectors of 2-byte entries.
func (r *reader) codes8() Codes  { return r.codes(r.vector8()) }
func (r *reader) codes16() Codes { return r.codes(r.vector16()) }

func (r *reader) codes(b []byte) Codes {
	if len(b)%2 != 0 {
		r.fail(r.off-len(b), reasonOdd)
		return Codes(b[:len(b)-1])
	}
	return Codes(b)
}

// done returns the first failure, or that bytes are left over, or nil.
func (r *reader) done() error {
	if r.failed == nil && r.left() > 0 {
		r.fail(r.off, reasonTrailing)
	}
	return r.err()
}

func (r *reader) err() error {
	if r.failed != nil {
		return r.failed
	}
	return nil
}

func u24(b []byte) int { return int(b[0])<<16 | int(b[1])<<8 | int(b[2]) }
