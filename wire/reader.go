package wire

import (
	"encoding/binary"

	"shakedown/wire/internal/codec"
)

// codes8 and codes16 read vectors of 2-byte entries.
func codes8(r *codec.Reader) Codes  { return codesOf(r, r.Vector8()) }
func codes16(r *codec.Reader) Codes { return codesOf(r, r.Vector16()) }

func codesOf(r *codec.Reader, b []byte) Codes {
	if len(b)%2 != 0 {
		r.Fail(r.Offset()-len(b), codec.ReasonOdd)
		return Codes(b[:len(b)-1])
	}
	return Codes(b)
}

// extensions reads a list with its length of 2 bytes. A list that is cut or
// broken inside ends with its last whole extension.
func extensions(r *codec.Reader) Extensions {
	start := r.Offset() + 2
	list := Extensions(r.Vector16())
	if list == nil {
		return nil
	}
	rest := list
	for more := true; more; {
		var next Extensions
		if _, next, more = rest.Next(); more {
			rest = next
		}
	}
	if len(rest) > 0 {
		whole := len(list) - len(rest)
		r.Fail(start+whole, "extension "+codec.ReasonShort)
		return list[:whole:whole]
	}
	return list
}

// optionalExtensions reads a list that may be missing at the end of a message.
func optionalExtensions(r *codec.Reader) Extensions {
	if r.Left() == 0 {
		return nil
	}
	return extensions(r)
}

// reserve16 leaves room for a length that close16 writes when what it counts is there.
func reserve16(dst []byte) (grown []byte, at int) { return append(dst, 0, 0), len(dst) }

func close16(dst []byte, at int) []byte {
	binary.BigEndian.PutUint16(dst[at:], uint16(len(dst)-at-2))
	return dst
}
