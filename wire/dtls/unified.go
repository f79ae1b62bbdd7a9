package dtls

import (
	"shakedown/wire"
	"shakedown/wire/internal/codec"
)

// The first byte of a unified header is 001CSLEE (RFC 9147 4).
const (
	unifiedMask   = 0xE0
	unifiedBits   = 0x20
	unifiedCID    = 0x10 // a connection identifier follows
	unifiedLong   = 0x08 // the sequence number has 16 bits, not 8
	unifiedLength = 0x04 // a length stands in front of the fragment
	unifiedEpoch  = 0x03
)

// Unified reports whether the record has the unified header of DTLS 1.3. Its
// sequence number is encrypted, and its content type is inside the fragment.
func (r Record) Unified() bool { return r.flags&unifiedMask == unifiedBits }

// UnifiedRecord makes a record with a unified header: the low 2 bits of the
// epoch, 16 bits of the sequence number as they go on the wire, a connection
// identifier unless it is empty, and a length.
func UnifiedRecord(epoch uint16, sequence uint16, cid, fragment []byte) Record {
	r := Record{Epoch: epoch & unifiedEpoch, Sequence: uint64(sequence), Fragment: fragment}
	r.flags = unifiedBits | unifiedLong | unifiedLength | byte(r.Epoch)
	if len(cid) > 0 {
		r.flags, r.CID = r.flags|unifiedCID, cid
	}
	return r
}

// unified reads a record with a unified header. Without a length it takes the
// rest of the datagram.
func (r *Record) unified(in *codec.Reader, cidSize int) {
	r.flags = in.U8()
	r.Epoch = uint16(r.flags & unifiedEpoch)
	if r.flags&unifiedCID != 0 {
		r.identifier(in, cidSize)
	}
	if r.flags&unifiedLong != 0 {
		r.Sequence = uint64(in.U16())
	} else {
		r.Sequence = uint64(in.U8())
	}
	at := in.Offset()
	if r.flags&unifiedLength != 0 {
		r.Fragment = in.Vector16()
	} else {
		r.Fragment = in.Rest()
	}
	if !in.Failed() && len(r.Fragment) > wire.MaxCiphertext13 {
		in.Fail(at, codec.ReasonLong)
	}
}

func (r Record) appendUnified(dst []byte) []byte {
	dst = append(append(dst, r.flags), r.CID...)
	if r.flags&unifiedLong != 0 {
		dst = codec.Append16(dst, uint16(r.Sequence))
	} else {
		dst = append(dst, byte(r.Sequence))
	}
	if r.flags&unifiedLength != 0 {
		return codec.AppendVector16(dst, r.Fragment)
	}
	return append(dst, r.Fragment...)
}
