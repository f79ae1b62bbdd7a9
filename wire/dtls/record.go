package dtls

import (
	"shakedown/wire"
	"shakedown/wire/internal/codec"
)

// RecordHeader is the length in bytes of the header of DTLS 1.0 and 1.2, and
// of plaintext in 1.3. A connection identifier comes on top of it.
const RecordHeader = 13

// Record is one record of a datagram: with the header of RFC 6347 4.1, with
// a connection identifier (RFC 9146 4), or with the unified header of encrypted
// records of DTLS 1.3 (RFC 9147 4), see [Record.Unified].
type Record struct {
	Type     wire.ContentType // 0 behind a unified header, which hides it
	Version  uint16           // 0 behind a unified header
	Epoch    uint16           // of a unified header the low 2 bits
	Sequence uint64           // 48 bits; of a unified header the low 8 or 16 bits, encrypted
	CID      []byte           // nil without a connection identifier
	Fragment []byte           // what follows the header, encrypted or not
	Raw      []byte           // the whole record as it was read

	flags byte // first byte of a unified header
}

// Size returns the bytes of a record that was read, header included.
func (r Record) Size() int { return len(r.Raw) }

// NextRecord reads the record at the start of a datagram and returns what
// follows it. The length of a connection identifier is on no record: cidSize is
// what was negotiated for this direction, in bytes, 0 for none. An error ends the
// datagram; other protocols that share the port fail at byte 0 (RFC 9443).
func NextRecord(datagram []byte, cidSize int) (r Record, rest []byte, err error) {
	in := codec.Reader{What: "DTLS record", All: datagram}
	switch first := in.Peek(); {
	case first&unifiedMask == unifiedBits:
		r.unified(&in, cidSize)
	case first >= byte(wire.ContentChangeCipherSpec) && first < unifiedBits:
		r.plain(&in, cidSize)
	default:
		in.Fail(0, "no record of DTLS begins like this")
	}
	if err := in.Err(); err != nil {
		return r, datagram, err
	}
	r.Raw = in.Since(0)
	return r, datagram[in.Offset():], nil
}

// plain reads a record with its type and version in the clear.
func (r *Record) plain(in *codec.Reader, cidSize int) {
	r.Type, r.Version = wire.ContentType(in.U8()), in.U16()
	if !in.Failed() && r.Version>>8 != wire.VersionDTLS10>>8 && r.Version != wire.VersionDTLS09 {
		in.Fail(1, "no version of DTLS")
	}
	r.Epoch = in.U16()
	r.Sequence = uint64(in.U16())<<32 | uint64(in.U32())
	if r.Type == wire.ContentTLS12CID {
		r.identifier(in, cidSize)
	}
	at := in.Offset()
	r.Fragment = in.Vector16()
	if !in.Failed() {
		r.check(in, at)
	}
}

// check: only application data may be empty (RFC 8446 5.1).
func (r *Record) check(in *codec.Reader, at int) {
	size := len(r.Fragment)
	if size > wire.MaxCiphertext12 {
		in.Fail(at, codec.ReasonLong)
	}
	if size == 0 && r.Type <= wire.ContentHandshake {
		in.Fail(at, "empty "+r.Type.String()+" record")
	}
}

// identifier reads a connection identifier, which must be as long as was negotiated.
func (r *Record) identifier(in *codec.Reader, size int) {
	if size <= 0 {
		in.Fail(in.Offset(), "connection identifier of unknown length")
		return
	}
	r.CID = in.Bytes(size)
}

// Append writes the record back.
func (r Record) Append(dst []byte) []byte {
	if r.Unified() {
		return r.appendUnified(dst)
	}
	dst = codec.Append16(codec.Append16(append(dst, byte(r.Type)), r.Version), r.Epoch)
	dst = codec.Append32(codec.Append16(dst, uint16(r.Sequence>>32)), uint32(r.Sequence))
	return codec.AppendVector16(append(dst, r.CID...), r.Fragment)
}
