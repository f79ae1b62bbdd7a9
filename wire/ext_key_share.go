package wire

import (
	"iter"

	"shakedown/wire/internal/codec"
)

// KeyShare is one share of a key exchange (RFC 8446 4.2.8). What Data must be
// like depends on the group; its length is not checked.
type KeyShare struct {
	Group uint16
	Data  []byte
}

// Append writes the share with its group and length.
func (s KeyShare) Append(dst []byte) []byte {
	return codec.AppendVector16(codec.Append16(dst, s.Group), s.Data)
}

// KeyShares is the list of a ClientHello as it stands on the wire, without the
// length in front.
type KeyShares []byte

// ParseKeyShares reads the data of key_share in a ClientHello. On an error it
// returns the shares before it.
func ParseKeyShares(data []byte) (KeyShares, error) {
	if data == nil {
		return nil, nil
	}
	outer := codec.Reader{What: "key_share", All: data}
	list := outer.Vector16()
	r := codec.Reader{What: "key_share", All: list}
	for r.Left() > 0 {
		start := r.Offset()
		if _, share := r.U16(), r.Vector16(); share == nil {
			return list[:start], r.Err()
		}
	}
	return list, outer.Done()
}

// All yields the shares in order.
func (k KeyShares) All() iter.Seq[KeyShare] {
	return func(yield func(KeyShare) bool) {
		r := codec.Reader{What: "key_share", All: k}
		for r.Left() > 0 {
			share := KeyShare{r.U16(), r.Vector16()}
			if r.Failed() || !yield(share) {
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
	r := codec.Reader{What: "key_share", All: data}
	share := KeyShare{r.U16(), r.Vector16()}
	return share, r.Done()
}

// ParseRetryGroup reads the data of key_share in a HelloRetryRequest: the group
// that the server asks for, and nothing else.
func ParseRetryGroup(data []byte) (uint16, error) {
	r := codec.Reader{What: "key_share", All: data}
	group := r.U16()
	return group, r.Done()
}
