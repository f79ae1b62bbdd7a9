package wire

import (
	"cmp"
	"iter"

	"shakedown/wire/internal/codec"
)

// PreSharedKeys is what pre_shared_key of a ClientHello offers (RFC 8446 4.2.11):
// identities, which are tickets or names of external keys, and one binder each.
// Both lists are as they stand on the wire, without the length in front.
type PreSharedKeys struct {
	IdentityList []byte
	BinderList   []byte
}

// Identity is one pre-shared key that a client offers.
type Identity struct {
	Name []byte // a ticket, or the name of an external key
	Age  uint32 // obfuscated_ticket_age in ms; 0 for external keys
}

// ParsePreSharedKeys reads the data of the extension in a ClientHello. On an
// error it returns what could be read before it.
func ParsePreSharedKeys(data []byte) (PreSharedKeys, error) {
	if data == nil {
		return PreSharedKeys{}, nil
	}
	r := codec.Reader{What: "pre_shared_key", All: data}
	keys := PreSharedKeys{r.Vector16(), r.Vector16()}
	names := codec.Reader{What: "pre_shared_key", All: keys.IdentityList}
	binders := codec.Reader{What: "pre_shared_key", All: keys.BinderList}
	for names.Left() > 0 {
		names.Vector16()
		names.U32()
		binders.Vector8()
	}
	return keys, cmp.Or(r.Done(), names.Err(), binders.Done())
}

// Identities yields what the client offers, in its order.
func (k PreSharedKeys) Identities() iter.Seq[Identity] {
	return func(yield func(Identity) bool) {
		r := codec.Reader{What: "pre_shared_key", All: k.IdentityList}
		for r.Left() > 0 {
			id := Identity{r.Vector16(), r.U32()}
			if r.Failed() || !yield(id) {
				return
			}
		}
	}
}

// Len returns the number of identities.
func (k PreSharedKeys) Len() int {
	n := 0
	for range k.Identities() {
		n++
	}
	return n
}

// Append writes the data of the extension.
func (k PreSharedKeys) Append(dst []byte) []byte {
	return codec.AppendVector16(codec.AppendVector16(dst, k.IdentityList), k.BinderList)
}
