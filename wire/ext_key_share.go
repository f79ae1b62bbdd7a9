package wire

import "iter"

// KeyShare is one share of a key exchange (RFC 8446 4.2.8). What Data must be
// like depends on the group; its length is not checked.
type KeyShare struct {
	Group uint16
	Data  []byte
}

// Append writes the share with its group and length.
func (s KeyShare) Append(dst []byte) []byte { return appendVector16(append16(dst, s.Group), s.Data) }

// KeyShares is the list of a ClientHello as it stands on the wire, without the
// length in front.
type KeyShares []byte

// ParseKeyShares reads the data of key_share in a ClientHello. On an error it
// returns the shares before it.
func ParseKeyShares(data []byte) (KeyShares, error) {
	if data == nil {
		return nil, nil
	}
	outer := reader{what: "key_share", all: data}
	list := outer.vector16()
	r := reader{what: "key_share", all: list}
	for r.left() > 0 {
		start := r.off
		if _, share := r.u16(), r.vector16(); share == nil {
			return list[:start], r.err()
		}
	}
	return list, outer.done()
}

// All yields the shares in order.
func (k KeyShares) All() iter.Seq[KeyShare] {
	return func(yield func(KeyShare) bool) {
		r := reader{what: "key_share", all: k}
		for r.left() > 0 {
			share := KeyShare{r.u16(), r.vector16()}
			if r.failed != nil || !yield(share) {
				return
			}
		}
	}
}

// Has reports whether there is a share of a group.
func (k KeyShares) Has(group uint16) bool {
	for share := range k.All() {
		if share.Group == group {
			return true
		}
	}
	return false
}

// AppendKeyShares writes the data of key_share in a ClientHello.
func AppendKeyShares(dst []byte, shares ...KeyShare) []byte {
	dst, at := reserve16(dst)
	for _, share := range shares {
		dst = share.Append(dst)
	}
	return close16(dst, at)
}

// ParseKeyShare reads the data of key_share in a ServerHello: one share.
func ParseKeyShare(data []byte) (KeyShare, error) {
	r := reader{what: "key_share", all: data}
	share := KeyShare{r.u16(), r.vector16()}
	return share, r.done()
}

// ParseRetryGroup reads the data of key_share in a HelloRetryRequest: the group
// that the server asks for, and nothing else.
func ParseRetryGroup(data []byte) (uint16, error) {
	r := reader{what: "key_share", all: data}
	group := r.u16()
	return group, r.done()
}
