package wire

import "iter"

// The connection_id extension (RFC 9146 3, RFC 9147 9) says which identifier its
// sender wants to see in the records that it receives. Its length is the cidSize
// of [NextDTLSRecord] for the other direction.

// ParseConnectionID reads the data of connection_id. An empty identifier, which
// only says that the peer's will be used, is not nil.
func ParseConnectionID(data []byte) ([]byte, error) {
	r := reader{what: "connection_id", all: data}
	id := r.vector8()
	return id, r.done()
}

// AppendConnectionID writes the data of connection_id.
func AppendConnectionID(dst, id []byte) []byte { return appendVector8(dst, id) }

// cid reads a connection identifier, which must be as long as was negotiated.
func (r *reader) cid(size int) []byte {
	if size <= 0 {
		r.fail(r.off, "connection identifier of unknown length")
		return nil
	}
	return r.bytes(size)
}

// RequestConnectionID asks the peer for more identifiers (RFC 9147 9).
type RequestConnectionID struct {
	Count uint8
}

// Type returns TypeRequestConnectionID.
func (*RequestConnectionID) Type() HandshakeType { return TypeRequestConnectionID }

// Parse reads the body.
func (m *RequestConnectionID) Parse(body []byte) error {
	r := reader{what: "RequestConnectionId", all: body}
	m.Count = r.u8()
	return r.done()
}

// Append writes the body.
func (m *RequestConnectionID) Append(dst []byte) []byte { return append(dst, m.Count) }

// ConnectionIDs is a list of connection identifiers as it stands on the wire.
type ConnectionIDs []byte

// All yields the identifiers in order.
func (c ConnectionIDs) All() iter.Seq[[]byte] { return ProtocolNames(c).All() }

// NewConnectionID gives the peer more identifiers (RFC 9147 9).
type NewConnectionID struct {
	IDs   ConnectionIDs
	Usage uint8 // 0 use one at once, 1 keep them
}

// Type returns TypeNewConnectionID.
func (*NewConnectionID) Type() HandshakeType { return TypeNewConnectionID }

// Parse reads the body. On an error the fields hold what could be read before it.
func (m *NewConnectionID) Parse(body []byte) error {
	r := reader{what: "NewConnectionId", all: body}
	list := reader{what: "NewConnectionId", all: r.vector16()}
	for list.left() > 0 {
		list.vector8()
	}
	if list.failed != nil {
		*m = NewConnectionID{}
		return &Error{"NewConnectionId", 2 + list.failed.Offset, "identifier " + reasonShort}
	}
	m.IDs, m.Usage = list.all, r.u8()
	return r.done()
}

// Append writes the body.
func (m *NewConnectionID) Append(dst []byte) []byte {
	return append(appendVector16(dst, m.IDs), m.Usage)
}
