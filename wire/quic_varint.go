package wire

import "encoding/binary"

// MaxVarint is the largest number that a variable-length integer of QUIC holds
// (RFC 9000 16).
const MaxVarint = 1<<62 - 1

// varint reads a variable-length integer: the top 2 bits are the logarithm of
// its length.
func (r *reader) varint() uint64 {
	switch r.peek() >> 6 {
	case 0:
		return uint64(r.u8())
	case 1:
		return uint64(r.u16() & 0x3FFF)
	case 2:
		return uint64(r.u32() & 0x3FFF_FFFF)
	}
	if b := r.bytes(8); b != nil {
		return binary.BigEndian.Uint64(b) & MaxVarint
	}
	return 0
}

// varvector reads bytes with a variable-length integer in front.
func (r *reader) varvector() []byte {
	if n := r.varint(); n <= uint64(r.left()) {
		return r.bytes(int(n))
	}
	r.fail(r.off, reasonShort)
	return nil
}

// AppendVarint writes a number of up to [MaxVarint] in as few bytes as hold it.
func AppendVarint(dst []byte, v uint64) []byte {
	switch {
	case v < 1<<6:
		return append(dst, byte(v))
	case v < 1<<14:
		return append16(dst, uint16(v)|1<<14)
	case v < 1<<30:
		return append32(dst, uint32(v)|2<<30)
	}
	return binary.BigEndian.AppendUint64(dst, v&MaxVarint|3<<62)
}

func appendVarvector(dst, b []byte) []byte {
	return append(AppendVarint(dst, uint64(len(b))), b...)
}
