package quic

// Initials follows the Initial packets of one connection: it keeps what the keys
// come from, the keys of both directions and both CRYPTO streams. Packets that fail
// to open cost time and change nothing.
//
// When a packet of the client opens with an identifier of its own only, it is the
// first of another connection, or the first after a Retry or a Version
// Negotiation: Start again with that identifier. Later packets of the client carry
// another identifier and open with the keys they have.
type Initials struct {
	Client, Server CryptoStream

	dcid     [maxConnectionID]byte
	dcidSize int
	keys     [2]Keys   // of the client, of the server
	versions [2]uint32 // whose keys they are; 0 for none
}

// Start forgets the streams and takes the destination identifier of the client's
// first Initial packet, cut or not, of up to 20 bytes.
func (q *Initials) Start(dcid []byte) {
	q.Client.Reset()
	q.Server.Reset()
	q.dcidSize = copy(q.dcid[:], dcid)
	q.versions = [2]uint32{}
}

// DCID returns the identifier that the keys come from.
func (q *Initials) DCID() []byte { return q.dcid[:q.dcidSize] }

// Open opens an Initial packet of the client or the server and returns its frames,
// see [Keys.Open]. The two may speak different versions (RFC 9368 2.3).
func (q *Initials) Open(buffer []byte, p Packet, fromClient bool) (frames []byte, err error) {
	if p.Type != PacketInitial || p.NumberAt == 0 {
		return nil, ErrNotAuthentic
	}
	side, derive := 0, (*Keys).DeriveClient
	if !fromClient {
		side, derive = 1, (*Keys).DeriveServer
	}
	if q.versions[side] != p.Version {
		q.versions[side] = 0
		if err := derive(&q.keys[side], p.Version, q.DCID()); err != nil {
			return nil, err
		}
		q.versions[side] = p.Version
	}
	_, frames, err = q.keys[side].Open(buffer, p)
	return frames, err
}

// Stream returns the CRYPTO stream of a direction.
func (q *Initials) Stream(fromClient bool) *CryptoStream {
	if fromClient {
		return &q.Client
	}
	return &q.Server
}
