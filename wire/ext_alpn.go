package wire

import (
	"iter"

	"shakedown/wire/internal/codec"
)

// ProtocolNames is the list of application_layer_protocol_negotiation as it
// stands on the wire, without the length in front (RFC 7301 3.1).
type ProtocolNames []byte

// ParseProtocolNames reads the data of the extension. On an error it returns the
// names before it.
func ParseProtocolNames(data []byte) (ProtocolNames, error) {
	if data == nil {
		return nil, nil
	}
	outer := codec.Reader{What: "alpn", All: data}
	list := outer.Vector16()
	r := codec.Reader{What: "alpn", All: list}
	for r.Left() > 0 {
		start := r.Offset()
		if name := r.Vector8(); name == nil {
			return list[:start], r.Err()
		} else if len(name) == 0 {
			return list[:start], &Error{What: "alpn", Offset: 2 + start, Reason: "protocol name " + reasonEmpty}
		}
	}
	return list, outer.Done()
}

// All yields the names in order.
func (p ProtocolNames) All() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for b := []byte(p); len(b) > 0 && int(b[0]) < len(b); b = b[1+int(b[0]):] {
			if !yield(b[1 : 1+int(b[0])]) {
				return
			}
		}
	}
}

// First returns the first name, nil for an empty list. In what a server sends it
// is the only one.
func (p ProtocolNames) First() []byte {
	for name := range p.All() {
		return name
	}
	return nil
}

// AppendProtocolNames writes the data of the extension.
func AppendProtocolNames(dst []byte, names ...string) []byte {
	dst, at := reserve16(dst)
	for _, name := range names {
		dst = append(append(dst, byte(len(name))), name...)
	}
	return close16(dst, at)
}
