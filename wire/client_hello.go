package wire

import "shakedown/wire/internal/codec"

// RandomSize is the length of the random of a hello in bytes (RFC 8446 4.1.2).
const RandomSize = 32

// ClientHello is the first message of a handshake (RFC 5246 7.4.1.2, RFC 8446
// 4.1.2). What its extensions say is read when asked for.
type ClientHello struct {
	Version      uint16 // legacy_version; the offer is in Versions
	Random       []byte
	SessionID    []byte
	Cookie       []byte // DTLS up to 1.2 (RFC 6347 4.2.1); nil in TLS
	Suites       Codes
	Compressions []byte
	Extensions   Extensions
}

// Type returns TypeClientHello.
func (*ClientHello) Type() HandshakeType { return TypeClientHello }

// Parse reads the body of a ClientHello of TLS or QUIC. On an error the fields
// hold what could be read before it.
func (m *ClientHello) Parse(body []byte) error { return m.parse(body, false) }

// ParseDTLS reads the body of a ClientHello of DTLS, which has a cookie between
// session identifier and suites.
func (m *ClientHello) ParseDTLS(body []byte) error { return m.parse(body, true) }

func (m *ClientHello) parse(body []byte, dtls bool) error {
	r := codec.Reader{What: "ClientHello", All: body}
	*m = ClientHello{Version: r.U16(), Random: r.Bytes(RandomSize), SessionID: r.Vector8()}
	if len(m.SessionID) > 32 {
		r.Fail(2+RandomSize, "session identifier is longer than 32 bytes")
	}
	if dtls {
		m.Cookie = r.Vector8()
	}
	m.Suites = codes16(&r)
	m.Compressions = r.Vector8()
	m.Extensions = optionalExtensions(&r)
	return r.Done()
}

// Append writes the body. A Cookie that is not nil makes it one of DTLS.
func (m *ClientHello) Append(dst []byte) []byte {
	dst = append(codec.Append16(dst, m.Version), m.Random...)
	dst = codec.AppendVector8(dst, m.SessionID)
	if m.Cookie != nil {
		dst = codec.AppendVector8(dst, m.Cookie)
	}
	dst = codec.AppendVector8(codec.AppendVector16(dst, m.Suites), m.Compressions)
	return m.Extensions.Append(dst)
}
