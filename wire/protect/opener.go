package protect

import (
	"encoding/binary"
	"errors"

	"shakedown/wire"
)

// Opener opens the records of one direction, in their order, from the moment when
// its keys came into use.
type Opener struct {
	open     func(o *Opener, r wire.Record) (wire.ContentType, []byte, error)
	sequence uint64
	params   params
	secret   []byte // TLS 1.3: the traffic secret
	cipher   any    // of the version and suite: *aead13, *aead12 or *cbc
}

// ErrOpen says that a record did not open: wrong keys, or not the next record.
var ErrOpen = errors.New("record does not authenticate")

// Open decrypts the next record and returns what it carries. The plain text is
// new memory. A record that does not open leaves the order as it was.
func (o *Opener) Open(r wire.Record) (wire.ContentType, []byte, error) {
	kind, plain, err := o.open(o, r)
	if err == nil {
		o.sequence++
	}
	return kind, plain, err
}

// header is the record header with another length.
func header(r wire.Record, size int) []byte {
	h := binary.BigEndian.AppendUint16([]byte{byte(r.Type)}, r.Version)
	return binary.BigEndian.AppendUint16(h, uint16(size))
}

// xorSequence mixes the sequence number into the end of a nonce (RFC 8446 5.3,
// RFC 7905 2).
func xorSequence(iv []byte, sequence uint64) []byte {
	nonce := append([]byte(nil), iv...)
	at := len(nonce) - 8
	binary.BigEndian.PutUint64(nonce[at:], binary.BigEndian.Uint64(nonce[at:])^sequence)
	return nonce
}
