package wire

import "shakedown/wire/internal/codec"

// NewSessionTicket gives the client a ticket to resume with: RFC 8446 4.6.1, after
// the handshake, or RFC 5077 3.3, inside it.
type NewSessionTicket struct {
	TLS13      bool   // in whose form
	Lifetime   uint32 // s
	AgeAdd     uint32 // ms, TLS 1.3 only
	Nonce      []byte // TLS 1.3 only
	Ticket     []byte
	Extensions Extensions // TLS 1.3 only
}

// Type returns TypeNewSessionTicket.
func (*NewSessionTicket) Type() HandshakeType { return TypeNewSessionTicket }

// Parse reads the body in the form that TLS13 says, which stays as it is.
func (m *NewSessionTicket) Parse(body []byte) error {
	r := codec.Reader{What: "NewSessionTicket", All: body}
	*m = NewSessionTicket{TLS13: m.TLS13, Lifetime: r.U32()}
	if !m.TLS13 {
		m.Ticket = r.Vector16()
		return r.Done()
	}
	m.AgeAdd, m.Nonce, m.Ticket = r.U32(), r.Vector8(), r.Vector16()
	m.Extensions = extensions(&r)
	return r.Done()
}

// Append writes the body.
func (m *NewSessionTicket) Append(dst []byte) []byte {
	dst = codec.Append32(dst, m.Lifetime)
	if !m.TLS13 {
		return codec.AppendVector16(dst, m.Ticket)
	}
	dst = codec.AppendVector8(codec.Append32(dst, m.AgeAdd), m.Nonce)
	return codec.AppendVector16(codec.AppendVector16(dst, m.Ticket), m.Extensions)
}

// MaxEarlyData returns the most bytes of 0-RTT data that the ticket allows; 0 for
// none.
func (m *NewSessionTicket) MaxEarlyData() uint32 {
	data, _ := m.Extensions.Find(ExtEarlyData)
	size, err := ParseEarlyData(data)
	if err != nil {
		return 0
	}
	return size
}
