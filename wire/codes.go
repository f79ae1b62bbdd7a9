package wire

import (
	"encoding/binary"
	"iter"

	"shakedown/spec"
	"shakedown/wire/internal/codec"
)

// Codes is a list of 2-byte code points as it stands on the wire: cipher suites,
// groups, versions, signature schemes.
type Codes []byte

// Len returns the number of code points.
func (c Codes) Len() int { return len(c) / 2 }

// At returns the code point of an index below Len.
func (c Codes) At(i int) uint16 { return binary.BigEndian.Uint16(c[2*i:]) }

// Has reports whether the list holds a code point.
func (c Codes) Has(code uint16) bool {
	for i := range c.Len() {
		if c.At(i) == code {
			return true
		}
	}
	return false
}

// All yields the code points in order, GREASE among them.
func (c Codes) All() iter.Seq[uint16] {
	return func(yield func(uint16) bool) {
		for i := range c.Len() {
			if !yield(c.At(i)) {
				return
			}
		}
	}
}

// Named yields the code points in order, GREASE left out (RFC 8701).
func (c Codes) Named() iter.Seq[uint16] {
	return func(yield func(uint16) bool) {
		for code := range c.All() {
			if !spec.IsGREASE(code) && !yield(code) {
				return
			}
		}
	}
}

// AppendCodes writes code points one after the other, without a length.
func AppendCodes(dst []byte, codes ...uint16) []byte {
	for _, code := range codes {
		dst = codec.Append16(dst, code)
	}
	return dst
}
