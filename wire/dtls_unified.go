package wire

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
func (r DTLSRecord) Unified() bool { return r.flags&unifiedMask == unifiedBits }

// UnifiedRecord makes a record with a unified header: the low 2 bits of the
// epoch, 16 bits of the sequence number as they go on the wire, a connection
// identifier unless it is empty, and a length.
func UnifiedRecord(epoch uint16, sequence uint16, cid, fragment []byte) DTLSRecord {
	r := DTLSRecord{Epoch: epoch & unifiedEpoch, Sequence: uint64(sequence), Fragment: fragment}
	r.flags = unifiedBits | unifiedLong | unifiedLength | byte(r.Epoch)
	if len(cid) > 0 {
		r.flags, r.CID = r.flags|unifiedCID, cid
	}
	return r
}

// unified reads a record with a unified header. Without a length it takes the
// rest of the datagram.
func (r *DTLSRecord) unified(in *reader, cidSize int) {
	r.flags = in.u8()
	r.Epoch = uint16(r.flags & unifiedEpoch)
	if r.flags&unifiedCID != 0 {
		r.CID = in.cid(cidSize)
	}
	if r.flags&unifiedLong != 0 {
		r.Sequence = uint64(in.u16())
	} else {
		r.Sequence = uint64(in.u8())
	}
	at := in.off
	if r.flags&unifiedLength != 0 {
		r.Fragment = in.vector16()
	} else {
		r.Fragment = in.rest()
	}
	if in.failed == nil && len(r.Fragment) > MaxCiphertext13 {
		in.fail(at, "fragment is longer than any version allows")
	}
}

func (r DTLSRecord) appendUnified(dst []byte) []byte {
	dst = append(append(dst, r.flags), r.CID...)
	if r.flags&unifiedLong != 0 {
		dst = append16(dst, uint16(r.Sequence))
	} else {
		dst = append(dst, byte(r.Sequence))
	}
	if r.flags&unifiedLength != 0 {
		return appendVector16(dst, r.Fragment)
	}
	return append(dst, r.Fragment...)
}
