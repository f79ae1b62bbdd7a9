package wire

import "encoding/binary"

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
		return m, stream, &Error{"SSLv2 ClientHello", 0, "no such message begins like this"}
	}
	m.Size = int(binary.BigEndian.Uint16(stream) & 0x7FFF)
	end := sslv2Header + m.Size
	if len(stream) < end {
		return m, stream, ErrIncomplete
	}
	return m, stream[end:], m.parse(stream[sslv2Header:end])
}

func (m *SSLv2ClientHello) parse(body []byte) error {
	r := reader{what: "SSLv2 ClientHello", all: body}
	r.u8()
	m.Version = r.u16()
	suites, id, challenge := int(r.u16()), int(r.u16()), int(r.u16())
	if suites%3 != 0 {
		r.fail(3, reasonOdd)
	}
	m.Suites, m.SessionID, m.Challenge = r.bytes(suites), r.bytes(id), r.bytes(challenge)
	return r.done()
}

// Append writes the record.
func (m *SSLv2ClientHello) Append(dst []byte) []byte {
	size := sslv2Fixed + len(m.Suites) + len(m.SessionID) + len(m.Challenge)
	dst = append(append16(dst, 0x8000|uint16(size)), 1)
	dst = append16(append16(dst, m.Version), uint16(len(m.Suites)))
	dst = append16(append16(dst, uint16(len(m.SessionID))), uint16(len(m.Challenge)))
	return append(append(append(dst, m.Suites...), m.SessionID...), m.Challenge...)
}
