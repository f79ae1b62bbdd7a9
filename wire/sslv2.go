package wire

import (
	"encoding/binary"

	"shakedown/wire/internal/codec"
)

// SSLv2ClientHello is a ClientHello in the clothes of SSL 2.0, by which clients
// once reached servers of any version (RFC 5246 E.2).
type SSLv2ClientHello struct {
	Version   uint16 // highest version that the client speaks
	Suites    []byte // 3 bytes each; those of TLS begin with a zero byte
	SessionID []byte
	Challenge []byte // 16 to 32 bytes, the random of TLS
	Size      int    // of the message in bytes, the record header of 2 bytes left out
}

// sslv2Header is the record header in bytes, sslv2Fixed the part of the body
// before the lists.
const (
	sslv2Header = 2
	sslv2Fixed  = 9
)

// IsSSLv2ClientHello reports whether a stream may begin with such a hello: a
// length of 2 bytes with the high bit set, message type 1, version 2 or 3.x.
func IsSSLv2ClientHello(stream []byte) bool {
	return len(stream) >= 5 && stream[0]&0x80 != 0 && stream[2] == 1 &&
		(stream[3] == 3 || stream[3] == 0 && stream[4] == 2)
}

// ParseSSLv2ClientHello reads the record at the start of a stream and returns
// what follows it. The error is [ErrIncomplete] while bytes are missing.
func ParseSSLv2ClientHello(stream []byte) (m SSLv2ClientHello, rest []byte, err error) {
	if len(stream) < sslv2Header+sslv2Fixed {
		return m, stream, ErrIncomplete
	}
	if !IsSSLv2ClientHello(stream) {
		return m, stream, &Error{What: "SSLv2 ClientHello", Reason: "no such message begins like this"}
	}
	m.Size = int(binary.BigEndian.Uint16(stream) & 0x7FFF)
	end := sslv2Header + m.Size
	if len(stream) < end {
		return m, stream, ErrIncomplete
	}
	return m, stream[end:], m.parse(stream[sslv2Header:end])
}

func (m *SSLv2ClientHello) parse(body []byte) error {
	r := codec.Reader{What: "SSLv2 ClientHello", All: body}
	r.U8()
	m.Version = r.U16()
	suites, id, challenge := int(r.U16()), int(r.U16()), int(r.U16())
	if suites%3 != 0 {
		r.Fail(3, codec.ReasonOdd)
	}
	m.Suites, m.SessionID, m.Challenge = r.Bytes(suites), r.Bytes(id), r.Bytes(challenge)
	return r.Done()
}

// Append writes the record.
func (m *SSLv2ClientHello) Append(dst []byte) []byte {
	size := sslv2Fixed + len(m.Suites) + len(m.SessionID) + len(m.Challenge)
	dst = append(codec.Append16(dst, 0x8000|uint16(size)), 1)
	dst = codec.Append16(codec.Append16(dst, m.Version), uint16(len(m.Suites)))
	dst = codec.Append16(codec.Append16(dst, uint16(len(m.SessionID))), uint16(len(m.Challenge)))
	return append(append(append(dst, m.Suites...), m.SessionID...), m.Challenge...)
}
