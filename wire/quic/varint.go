package quic

import (
	"encoding/binary"

	"shakedown/wire/internal/codec"
)

// MaxVarint is the largest number that a variable-length integer of QUIC holds
// (RFC 9000 16).
const MaxVarint = 1<<62 - 1

// varint reads a variable-length integer: the top 2 bits are the logarithm of
// its length.
func varint(r *codec.Reader) uint64 {
	switch r.Peek() >> 6 {
	case 0:
		return uint64(r.U8())
	case 1:
		return uint64(r.U16() & 0x3FFF)
	case 2:
		return uint64(r.U32() & 0x3FFF_FFFF)
	}
	return r.U64() & MaxVarint
}

// varvector reads bytes with a variable-length integer in front.
func varvector(r *codec.Reader) []byte {
	if n := varint(r); n <= uint64(r.Left()) {
		return r.Bytes(int(n))
	}
	r.Fail(r.Offset(), codec.ReasonShort)
	return nil
}

// AppendVarint writes a number of up to [MaxVarint] in as few bytes as hold it.
func AppendVarint(dst []byte, v uint64) []byte {
	switch {
	case v < 1<<6:
		return append(dst, byte(v))
	case v < 1<<14:
		return codec.Append16(dst, uint16(v)|1<<14)
	case v < 1<<30:
		return codec.Append32(dst, uint32(v)|2<<30)
	}
	return binary.BigEndian.AppendUint64(dst, v&MaxVarint|3<<62)
}

func appendVarvector(dst, b []byte) []byte {
	return append(AppendVarint(dst, uint64(len(b))), b...)
}
