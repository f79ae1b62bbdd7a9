package wire

import (
	"encoding/binary"
	"fmt"

	"shakedown/wire/internal/codec"
)

// ContentType says what a record carries (RFC 8446 5.1, IANA "TLS ContentType").
type ContentType uint8

// The content types.
const (
	ContentChangeCipherSpec ContentType = 20
	ContentAlert            ContentType = 21
	ContentHandshake        ContentType = 22
	ContentApplicationData  ContentType = 23
	ContentHeartbeat        ContentType = 24 // RFC 6520
	ContentTLS12CID         ContentType = 25 // RFC 9146, DTLS only
	ContentACK              ContentType = 26 // RFC 9147, DTLS only
)

// String returns the name in the registry, or "content type 99".
func (t ContentType) String() string {
	switch t {
	case ContentChangeCipherSpec:
		return "change_cipher_spec"
	case ContentAlert:
		return "alert"
	case ContentHandshake:
		return "handshake"
	case ContentApplicationData:
		return "application_data"
	case ContentHeartbeat:
		return "heartbeat"
	case ContentTLS12CID:
		return "tls12_cid"
	case ContentACK:
		return "ack"
	}
	return fmt.Sprintf("content type %d", uint8(t))
}

// Limits of a record's fragment, in bytes.
const (
	MaxPlaintext    = 1 << 14             // RFC 8446 5.1
	MaxCiphertext13 = MaxPlaintext + 256  // RFC 8446 5.2
	MaxCiphertext12 = MaxPlaintext + 2048 // RFC 5246 6.2.3, the laxest of the limits
	RecordHeader    = 5                   // bytes in front of the fragment
)

// Record is one record of TLS over a stream. Types that are not known stay as
// they are.
type Record struct {
	Type     ContentType
	Version  uint16 // legacy_record_version
	Fragment []byte // what follows the header, encrypted or not
}

// Size returns the bytes on the wire, header included.
func (r Record) Size() int { return RecordHeader + len(r.Fragment) }

// NextRecord reads the record at the start of a stream and returns what follows
// it. The error is [ErrIncomplete] while bytes are missing. A fragment may have
// up to [MaxCiphertext12] bytes, the most that any version allows; whoever knows
// the version holds it against the limits above.
func NextRecord(stream []byte) (r Record, rest []byte, err error) {
	if len(stream) > 1 && stream[1] != 3 {
		return r, stream, &Error{What: "record", Offset: 1, Reason: "no record of TLS begins like this"}
	}
	if len(stream) < RecordHeader {
		return r, stream, ErrIncomplete
	}
	size := int(binary.BigEndian.Uint16(stream[3:]))
	r.Type, r.Version = ContentType(stream[0]), binary.BigEndian.Uint16(stream[1:])
	if err := checkFragment(r.Type, size); err != nil {
		return r, stream, err
	}
	end := RecordHeader + size
	if len(stream) < end {
		return r, stream, ErrIncomplete
	}
	r.Fragment = stream[RecordHeader:end:end]
	return r, stream[end:], nil
}

// checkFragment: only application data may be empty (RFC 8446 5.1).
func checkFragment(t ContentType, size int) error {
	if size > MaxCiphertext12 {
		return &Error{What: "record", Offset: 3, Reason: codec.ReasonLong}
	}
	if size == 0 && t >= ContentChangeCipherSpec && t <= ContentHandshake {
		return &Error{What: "record", Offset: 3, Reason: "empty " + t.String() + " record"}
	}
	return nil
}

// Append writes the record back.
func (r Record) Append(dst []byte) []byte {
	dst = codec.Append16(append(dst, byte(r.Type)), r.Version)
	return codec.AppendVector16(dst, r.Fragment)
}
