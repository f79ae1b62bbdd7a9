package wire

// DTLSRecordHeader is the length in bytes of the header of DTLS 1.0 and 1.2, and
// of plaintext in 1.3. A connection identifier comes on top of it.
const DTLSRecordHeader = 13

// versionDTLSOld is the version of OpenSSL before DTLS 1.0 was a standard.
const versionDTLSOld uint16 = 0x0100

// DTLSRecord is one record of a datagram: with the header of RFC 6347 4.1, with
// a connection identifier (RFC 9146 4), or with the unified header of encrypted
// records of DTLS 1.3 (RFC 9147 4), see [DTLSRecord.Unified].
type DTLSRecord struct {
	Type     ContentType // 0 behind a unified header, which hides it
	Version  uint16      // 0 behind a unified header
	Epoch    uint16      // of a unified header the low 2 bits
	Sequence uint64      // 48 bits; of a unified header the low 8 or 16 bits, encrypted
	CID      []byte      // nil without a connection identifier
	Fragment []byte      // what follows the header, encrypted or not
	Raw      []byte      // the whole record as it was read

	flags byte // first byte of a unified header
}

// Size returns the bytes of a record that was read, header included.
func (r DTLSRecord) Size() int { return len(r.Raw) }

// NextDTLSRecord reads the record at the start of a datagram and returns what
// follows it. The length of a connection identifier is on no record: cidSize is
// what was negotiated for this direction, in bytes, 0 for none. An error ends the
// datagram; other protocols that share the port fail at byte 0 (RFC 9443).
func NextDTLSRecord(datagram []byte, cidSize int) (r DTLSRecord, rest []byte, err error) {
	in := reader{what: "DTLS record", all: datagram}
	switch first := in.peek(); {
	case first&unifiedMask == unifiedBits:
		r.unified(&in, cidSize)
	case first >= byte(ContentChangeCipherSpec) && first < unifiedBits:
		r.plain(&in, cidSize)
	default:
		in.fail(0, "no record of DTLS begins like this")
	}
	if err := in.err(); err != nil {
		return r, datagram, err
	}
	r.Raw = datagram[:in.off:in.off]
	return r, datagram[in.off:], nil
}

// plain reads a record with its type and version in the clear.
func (r *DTLSRecord) plain(in *reader, cidSize int) {
	r.Type, r.Version = ContentType(in.u8()), in.u16()
	if in.failed == nil && r.Version>>8 != VersionDTLS10>>8 && r.Version != versionDTLSOld {
		in.fail(1, "no version of DTLS")
	}
	r.Epoch = in.u16()
	r.Sequence = uint64(in.u16())<<32 | uint64(in.u32())
	if r.Type == ContentTLS12CID {
		r.CID = in.cid(cidSize)
	}
	at := in.off
	r.Fragment = in.vector16()
	if in.failed == nil {
		r.check(in, at)
	}
}

// check: only application data may be empty (RFC 8446 5.1).
func (r *DTLSRecord) check(in *reader, at int) {
	size := len(r.Fragment)
	if size > maxFragmentEver {
		in.fail(at, "fragment is longer than any version allows")
	}
	if size == 0 && r.Type <= ContentHandshake {
		in.fail(at, "empty "+r.Type.String()+" record")
	}
}

// peek returns the next byte without taking it.
func (r *reader) peek() byte {
	if r.left() == 0 {
		return 0
	}
	return r.all[r.off]
}

// Append writes the record back.
func (r DTLSRecord) Append(dst []byte) []byte {
	if r.Unified() {
		return r.appendUnified(dst)
	}
	dst = append16(append16(append(dst, byte(r.Type)), r.Version), r.Epoch)
	dst = append32(append16(dst, uint16(r.Sequence>>32)), uint32(r.Sequence))
	return appendVector16(append(dst, r.CID...), r.Fragment)
}
