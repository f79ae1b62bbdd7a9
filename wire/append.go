package wire

import "encoding/binary"

// The writers take what the fields hold: a vector longer than its length field
// can say is a mistake of the caller and is cut by the field.

func append16(dst []byte, v uint16) []byte { return binary.BigEndian.AppendUint16(dst, v) }

func append32(dst []byte, v uint32) []byte { return binary.BigEndian.AppendUint32(dst, v) }

func append24(dst []byte, v int) []byte {
	return append(dst, byte(v>>16), byte(v>>8), byte(v))
}

func appendVector8(dst, b []byte) []byte { return append(append(dst, byte(len(b))), b...) }

func appendVector16(dst, b []byte) []byte {
	return append(append16(dst, uint16(len(b))), b...)
}

func appendVector24(dst, b []byte) []byte { return append(append24(dst, len(b)), b...) }

// reserve16 leaves room for a length that close16 writes when what it counts is there.
func reserve16(dst []byte) (grown []byte, at int) { return append(dst, 0, 0), len(dst) }

func close16(dst []byte, at int) []byte {
	binary.BigEndian.PutUint16(dst[at:], uint16(len(dst)-at-2))
	return dst
}
