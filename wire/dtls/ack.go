package dtls

import (
	"encoding/binary"
	"iter"

	"shakedown/wire/internal/codec"
)

// RecordNumber names one record of DTLS 1.3.
type RecordNumber struct {
	Epoch    uint64
	Sequence uint64
}

// RecordNumbers is a list of record numbers as it stands on the wire, without
// the length in front.
type RecordNumbers []byte

// recordNumberSize is the length of one record number in bytes.
const recordNumberSize = 16

// Len returns the number of record numbers.
func (n RecordNumbers) Len() int { return len(n) / recordNumberSize }

// At returns the record number of an index below Len.
func (n RecordNumbers) At(i int) RecordNumber {
	b := n[recordNumberSize*i:]
	return RecordNumber{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
}

// All yields the record numbers in order.
func (n RecordNumbers) All() iter.Seq[RecordNumber] {
	return func(yield func(RecordNumber) bool) {
		for i := range n.Len() {
			if !yield(n.At(i)) {
				return
			}
		}
	}
}

// ACK is the content of a record of type ack: the handshake records that came
// (RFC 9147 7). It goes under the sender's current keys, so it is mostly encrypted.
type ACK struct {
	Records RecordNumbers
}

// Parse reads the content of the record.
func (a *ACK) Parse(content []byte) error {
	r := codec.Reader{What: "ack", All: content}
	a.Records = r.Vector16()
	if len(a.Records)%recordNumberSize != 0 {
		r.Fail(0, codec.ReasonOdd)
		a.Records = a.Records[:len(a.Records)/recordNumberSize*recordNumberSize]
	}
	return r.Done()
}

// Append writes the content of the record.
func (a *ACK) Append(dst []byte) []byte { return codec.AppendVector16(dst, a.Records) }

// AppendRecordNumber writes one entry of an ACK.
func AppendRecordNumber(dst []byte, n RecordNumber) []byte {
	dst = binary.BigEndian.AppendUint64(dst, n.Epoch)
	return binary.BigEndian.AppendUint64(dst, n.Sequence)
}
