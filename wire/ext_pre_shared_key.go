package wire

import "iter"

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
	r := reader{what: "pre_shared_key", all: data}
	keys := PreSharedKeys{r.vector16(), r.vector16()}
	names := reader{what: "pre_shared_key", all: keys.IdentityList}
	binders := reader{what: "pre_shared_key", all: keys.BinderList}
	for names.left() > 0 {
		names.vector16()
		names.u32()
		binders.vector8()
	}
	return keys, firstError(r.done(), names.err(), binders.done())
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Identities yields what the client offers, in its order.
func (k PreSharedKeys) Identities() iter.Seq[Identity] {
	return func(yield func(Identity) bool) {
		r := reader{what: "pre_shared_key", all: k.IdentityList}
		for r.left() > 0 {
			id := Identity{r.vector16(), r.u32()}
			if r.failed != nil || !yield(id) {
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
	return appendVector16(appendVector16(dst, k.IdentityList), k.BinderList)
}
