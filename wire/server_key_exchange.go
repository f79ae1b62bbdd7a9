package wire

import "shakedown/wire/internal/codec"

// ServerKeyExchange is the server's share up to TLS 1.2. It is read for the key
// exchanges of which [ECDHE] and its like are the names; another one is refused.
type ServerKeyExchange struct {
	Exchange KeyExchange // in whose form
	Version  uint16      // in whose form

	Hint      []byte // ECDHE_PSK, DHE_PSK, PSK: identity hint
	Group     uint16 // ECDHE: the named curve (RFC 8422 5.4)
	Public    []byte // ECDHE: a point; DHE: Ys
	P, G      []byte // DHE: prime and generator (RFC 5246 7.4.3)
	Scheme    uint16 // 0 before TLS 1.2, and without a signature
	Signature []byte // nil with PSK and anonymous key exchange
}

// KeyExchange is a way to agree on keys up to TLS 1.2.
type KeyExchange struct {
	Params string // "ECDHE", "DHE" or "" where the server sends no share
	PSK    bool   // a hint comes first
	Signed bool   // a signature comes last
}

// The key exchanges whose ServerKeyExchange can be read.
var (
	ECDHE     = KeyExchange{Params: "ECDHE", Signed: true}
	ECDHEAnon = KeyExchange{Params: "ECDHE"}
	ECDHEPSK  = KeyExchange{Params: "ECDHE", PSK: true}
	DHE       = KeyExchange{Params: "DHE", Signed: true}
	DHEAnon   = KeyExchange{Params: "DHE"}
	DHEPSK    = KeyExchange{Params: "DHE", PSK: true}
	PlainPSK  = KeyExchange{PSK: true}
)

// namedCurve is the only curve_type in use (RFC 8422 5.4).
const namedCurve = 3

// Type returns TypeServerKeyExchange.
func (*ServerKeyExchange) Type() HandshakeType { return TypeServerKeyExchange }

// Parse reads the body in the form of Exchange and Version, which stay.
func (m *ServerKeyExchange) Parse(body []byte) error {
	r := codec.Reader{What: "ServerKeyExchange", All: body}
	*m = ServerKeyExchange{Exchange: m.Exchange, Version: m.Version}
	if m.Exchange.PSK {
		m.Hint = r.Vector16()
	}
	m.params(&r)
	if m.Exchange.Signed {
		m.signature(&r)
	}
	return r.Done()
}

func (m *ServerKeyExchange) params(r *codec.Reader) {
	switch m.Exchange.Params {
	case "ECDHE":
		if kind := r.U8(); kind != namedCurve {
			r.Fail(r.Offset()-1, "curve is not given by name")
		}
		m.Group, m.Public = r.U16(), r.Vector8()
	case "DHE":
		m.P, m.G, m.Public = r.Vector16(), r.Vector16(), r.Vector16()
	}
}

func (m *ServerKeyExchange) signature(r *codec.Reader) {
	if hasScheme(m.Version) {
		m.Scheme = r.U16()
	}
	m.Signature = r.Vector16()
}

// Append writes the body.
func (m *ServerKeyExchange) Append(dst []byte) []byte {
	if m.Exchange.PSK {
		dst = codec.AppendVector16(dst, m.Hint)
	}
	switch m.Exchange.Params {
	case "ECDHE":
		dst = codec.AppendVector8(codec.Append16(append(dst, namedCurve), m.Group), m.Public)
	case "DHE":
		dst = codec.AppendVector16(codec.AppendVector16(codec.AppendVector16(dst, m.P), m.G), m.Public)
	}
	if !m.Exchange.Signed {
		return dst
	}
	if hasScheme(m.Version) {
		dst = codec.Append16(dst, m.Scheme)
	}
	return codec.AppendVector16(dst, m.Signature)
}
