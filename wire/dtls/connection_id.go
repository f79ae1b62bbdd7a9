package dtls

import (
	"iter"

	"shakedown/wire"
	"shakedown/wire/internal/codec"
)

// The connection_id extension (RFC 9146 3, RFC 9147 9) says which identifier its
// sender wants to see in the records that it receives. Its length is the cidSize
// of [NextRecord] for the other direction.

// ParseConnectionID reads the data of connection_id. An empty identifier, which
// only says that the peer's will be used, is not nil.
func ParseConnectionID(data []byte) ([]byte, error) {
	r := codec.Reader{What: "connection_id", All: data}
	id := r.Vector8()
	return id, r.Done()
}

// AppendConnectionID writes the data of connection_id.
func AppendConnectionID(dst, id []byte) []byte { return codec.AppendVector8(dst, id) }

// RequestConnectionID asks the peer for more identifiers (RFC 9147 9).
type RequestConnectionID struct {
	Count uint8
}

// Type returns [wire.TypeRequestConnectionID].
func (*RequestConnectionID) Type() wire.HandshakeType { return wire.TypeRequestConnectionID }

// Parse reads the body.
func (m *RequestConnectionID) Parse(body []byte) error {
	r := codec.Reader{What: "RequestConnectionId", All: body}
	m.Count = r.U8()
	return r.Done()
}

// Append writes the body.
func (m *RequestConnectionID) Append(dst []byte) []byte { return append(dst, m.Count) }

// ConnectionIDs is a list of connection identifiers as it stands on the wire.
type ConnectionIDs []byte

// All yields the identifiers in order.
func (c ConnectionIDs) All() iter.Seq[[]byte] { return wire.ProtocolNames(c).All() }

// NewConnectionID gives the peer more identifiers (RFC 9147 9).
type NewConnectionID struct {
	IDs   ConnectionIDs
	Usage uint8 // 0 use one at once, 1 keep them
}

// Type returns [wire.TypeNewConnectionID].
func (*NewConnectionID) Type() wire.HandshakeType { return wire.TypeNewConnectionID }

// Parse reads the body. On an error the fields hold what could be read before it.
func (m *NewConnectionID) Parse(body []byte) error {
	r := codec.Reader{What: "NewConnectionId", All: body}
	*m = NewConnectionID{IDs: r.Vector16()}
	for at := 0; at < len(m.IDs); {
		next := at + 1 + int(m.IDs[at])
		if next > len(m.IDs) {
			r.Fail(2+at, "identifier "+codec.ReasonShort)
			m.IDs = m.IDs[:at:at]
			break
		}
		at = next
	}
	m.Usage = r.U8()
	return r.Done()
}

// Append writes the body.
func (m *NewConnectionID) Append(dst []byte) []byte {
	return append(codec.AppendVector16(dst, m.IDs), m.Usage)
}
