package codec

import "encoding/binary"

// The writers take what the fields hold: a vector longer than its length field
// can say is a mistake of the caller and is cut by the field.

// Append16 writes a number in 2 bytes.
func Append16(dst []byte, v uint16) []byte { return binary.BigEndian.AppendUint16(dst, v) }

// Append24 writes a number in 3 bytes.
func Append24(dst []byte, v int) []byte {
	return append(dst, byte(v>>16), byte(v>>8), byte(v))
}

// Append32 writes a number in 4 bytes.
func Append32(dst []byte, v uint32) []byte { return binary.BigEndian.AppendUint32(dst, v) }

// AppendVector8 writes a vector with a length of one byte in front.
func AppendVector8(dst, b []byte) []byte { return append(append(dst, byte(len(b))), b...) }

// AppendVector16 writes a vector with a length of 2 bytes in front.
func AppendVector16(dst, b []byte) []byte {
	return append(Append16(dst, uint16(len(b))), b...)
}

// AppendVector24 writes a vector with a length of 3 bytes in front.
func AppendVector24(dst, b []byte) []byte { return append(Append24(dst, len(b)), b...) }
