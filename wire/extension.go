package wire

import (
	"encoding/binary"
	"iter"

	"shakedown/wire/internal/codec"
)

// Extension is one extension of a hello or another message. Data points into
// the message.
type Extension struct {
	Type ExtensionType
	Data []byte
}

// extensionHeader is the length in bytes of type and length in front of the data.
const extensionHeader = 4

// Cost returns the bytes that the extension adds to its message, header included.
func (e Extension) Cost() int { return extensionHeader + len(e.Data) }

// Append writes the extension with its header.
func (e Extension) Append(dst []byte) []byte {
	return codec.AppendVector16(codec.Append16(dst, uint16(e.Type)), e.Data)
}

// Extensions is a list of extensions as it stands on the wire, without the
// length in front. A message that ends before the list, as hellos before TLS 1.3
// may, has nil; an empty list is not nil.
type Extensions []byte

// ParseExtensions reads the list with its length of 2 bytes, and checks that
// each extension ends within it. On an error it returns those before.
func ParseExtensions(b []byte) (Extensions, error) {
	r := codec.Reader{What: "extensions", All: b}
	list := extensions(&r)
	return list, r.Done()
}

// Append writes the list with its length, or nothing where there is no list.
func (e Extensions) Append(dst []byte) []byte {
	if e == nil {
		return dst
	}
	return codec.AppendVector16(dst, e)
}

// Next returns the first extension and the list behind it; false at the end.
func (e Extensions) Next() (Extension, Extensions, bool) {
	if len(e) < extensionHeader {
		return Extension{}, nil, false
	}
	end := extensionHeader + int(binary.BigEndian.Uint16(e[2:]))
	if end > len(e) {
		return Extension{}, nil, false
	}
	t := ExtensionType(binary.BigEndian.Uint16(e))
	return Extension{t, e[extensionHeader:end:end]}, e[end:], true
}

// All yields the extensions in order.
func (e Extensions) All() iter.Seq[Extension] {
	return func(yield func(Extension) bool) {
		for ext, rest, ok := e.Next(); ok; ext, rest, ok = rest.Next() {
			if !yield(ext) {
				return
			}
		}
	}
}

// Find returns the data of the first extension of a type.
func (e Extensions) Find(t ExtensionType) (data []byte, ok bool) {
	for at := 0; at+extensionHeader <= len(e); {
		end := at + extensionHeader + int(binary.BigEndian.Uint16(e[at+2:]))
		if end > len(e) {
			break
		}
		if ExtensionType(binary.BigEndian.Uint16(e[at:])) == t {
			return e[at+extensionHeader : end : end], true
		}
		at = end
	}
	return nil, false
}

// Has reports whether there is an extension of a type.
func (e Extensions) Has(t ExtensionType) bool {
	_, ok := e.Find(t)
	return ok
}

// Len returns the number of extensions.
func (e Extensions) Len() int {
	n := 0
	for _, rest, ok := e.Next(); ok; _, rest, ok = rest.Next() {
		n++
	}
	return n
}
