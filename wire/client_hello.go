package wire

// randomSize is the length of the random of a hello in bytes (RFC 8446 4.1.2).
const randomSize = 32

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
	r := reader{what: "ClientHello", all: body}
	*m = ClientHello{Version: r.u16(), Random: r.bytes(randomSize), SessionID: r.vector8()}
	if len(m.SessionID) > 32 {
		r.fail(2+randomSize, "session identifier is longer than 32 bytes")
	}
	if dtls {
		m.Cookie = r.vector8()
	}
	m.Suites = r.codes16()
	m.Compressions = r.vector8()
	m.Extensions = r.optionalExtensions()
	return r.done()
}

// Append writes the body. A Cookie that is not nil makes it one of DTLS.
func (m *ClientHello) Append(dst []byte) []byte {
	dst = append(append16(dst, m.Version), m.Random...)
	dst = appendVector8(dst, m.SessionID)
	if m.Cookie != nil {
		dst = appendVector8(dst, m.Cookie)
	}
	dst = appendVector8(appendVector16(dst, m.Suites), m.Compressions)
	return m.Extensions.Append(dst)
}
