package wire

import (
	"encoding/binary"
	"fmt"
)

// QUICPacketType says what a packet is, whatever number its version gives it.
type QUICPacketType uint8

// The packet types.
const (
	QUICUnknown QUICPacketType = iota // of a version that is not known
	QUICInitial
	QUICZeroRTT
	QUICHandshake
	QUICRetry
	QUICVersionNegotiation
	QUICShort // 1-RTT, with a short header
)

var quicPacketNames = [...]string{"unknown", "Initial", "0-RTT", "Handshake", "Retry", "Version Negotiation", "1-RTT"}

// String returns the name in RFC 9000.
func (t QUICPacketType) String() string {
	if int(t) < len(quicPacketNames) {
		return quicPacketNames[t]
	}
	return fmt.Sprintf("packet type %d", uint8(t))
}

// maxQUICConnectionID is the longest connection identifier in bytes in the
// versions that are known (RFC 9000 17.2).
const maxQUICConnectionID = 20

// QUICPacket is one packet of a datagram. Of a packet with a short header, or of
// a version that is not known, only what RFC 8999 fixes is read, and it takes the
// rest of the datagram.
type QUICPacket struct {
	Type     QUICPacketType
	Version  uint32
	DCID     []byte // of a short header empty: its length is not on the wire
	SCID     []byte
	Token    []byte // of Initial and Retry packets
	Tag      []byte // integrity tag of a Retry packet, nil before draft 25
	Versions QUICVersions
	Raw      []byte // the whole packet
	NumberAt int    // where in Raw the protected packet number is; 0 where there is none
}

// QUICVersions is the list of a Version Negotiation packet as it stands on the
// wire.
type QUICVersions []byte

// Len returns the number of versions.
func (v QUICVersions) Len() int { return len(v) / 4 }

// At returns the version of an index below Len.
func (v QUICVersions) At(i int) uint32 { return binary.BigEndian.Uint32(v[4*i:]) }

// NextQUICPacket reads the packet at the start of a datagram and returns what
// follows it: packets may share a datagram (RFC 9000 12.2). On an error, which
// ends the datagram, the fields hold what could be read before it: of an Initial
// packet that is cut, the identifiers that give the keys.
func NextQUICPacket(datagram []byte) (p QUICPacket, rest []byte, err error) {
	r := reader{what: "QUIC packet", all: datagram}
	switch first := r.peek(); {
	case first&quicLong != 0:
		p.long(&r)
	case first&quicFixed != 0:
		p.Type = QUICShort
		r.off = len(datagram)
	default:
		r.fail(0, "no packet of QUIC begins like this")
	}
	if err := r.err(); err != nil {
		return p, datagram, err
	}
	p.Raw = datagram[:r.off:r.off]
	return p, datagram[r.off:], nil
}
