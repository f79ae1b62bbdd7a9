package wire

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
	r := reader{what: "ServerKeyExchange", all: body}
	*m = ServerKeyExchange{Exchange: m.Exchange, Version: m.Version}
	if m.Exchange.PSK {
		m.Hint = r.vector16()
	}
	m.params(&r)
	if m.Exchange.Signed {
		m.signature(&r)
	}
	return r.done()
}

func (m *ServerKeyExchange) params(r *reader) {
	switch m.Exchange.Params {
	case "ECDHE":
		if kind := r.u8(); kind != namedCurve {
			r.fail(r.off-1, "curve is not given by name")
		}
		m.Group, m.Public = r.u16(), r.vector8()
	case "DHE":
		m.P, m.G, m.Public = r.vector16(), r.vector16(), r.vector16()
	}
}

func (m *ServerKeyExchange) signature(r *reader) {
	if hasScheme(m.Version) {
		m.Scheme = r.u16()
	}
	m.Signature = r.vector16()
}

// Append writes the body.
func (m *ServerKeyExchange) Append(dst []byte) []byte {
	if m.Exchange.PSK {
		dst = appendVector16(dst, m.Hint)
	}
	switch m.Exchange.Params {
	case "ECDHE":
		dst = appendVector8(append16(append(dst, namedCurve), m.Group), m.Public)
	case "DHE":
		dst = appendVector16(appendVector16(appendVector16(dst, m.P), m.G), m.Public)
	}
	if !m.Exchange.Signed {
		return dst
	}
	if hasScheme(m.Version) {
		dst = append16(dst, m.Scheme)
	}
	return appendVector16(dst, m.Signature)
}
