package quic

import (
	"encoding/binary"
	"fmt"

	"shakedown/wire/internal/codec"
)

// PacketType says what a packet is, whatever number its version gives it.
type PacketType uint8

// The packet types.
const (
	PacketUnknown PacketType = iota // of a version that is not known
	PacketInitial
	PacketZeroRTT
	PacketHandshake
	PacketRetry
	PacketVersionNegotiation
	PacketShort // 1-RTT, with a short header
)

var packetNames = [...]string{"unknown", "Initial", "0-RTT", "Handshake", "Retry", "Version Negotiation", "1-RTT"}

// String returns the name in RFC 9000.
func (t PacketType) String() string {
	if int(t) < len(packetNames) {
		return packetNames[t]
	}
	return fmt.Sprintf("packet type %d", uint8(t))
}

// maxConnectionID is the longest connection identifier in bytes in the versions that
// are known (RFC 9000 17.2).
const maxConnectionID = 20

// Packet is one packet of a datagram. Of a packet with a short header, or of a
// version that is not known, only what RFC 8999 fixes is read, and it takes the rest
// of the datagram.
type Packet struct {
	Type     PacketType
	Version  uint32
	DCID     []byte // of a short header empty: its length is not on the wire
	SCID     []byte
	Token    []byte // of Initial and Retry packets
	Tag      []byte // integrity tag of a Retry packet, nil before draft 25
	Versions Versions
	Raw      []byte // the whole packet
	NumberAt int    // where in Raw the protected packet number is; 0 where there is none
}

// Versions is the list of a Version Negotiation packet as it stands on the wire.
type Versions []byte

// Len returns the number of versions.
func (v Versions) Len() int { return len(v) / 4 }

// At returns the version of an index below Len.
func (v Versions) At(i int) uint32 { return binary.BigEndian.Uint32(v[4*i:]) }

// NextPacket reads the packet at the start of a datagram and returns what
// follows it: packets may share a datagram (RFC 9000 12.2). On an error, which
// ends the datagram, the fields hold what could be read before it: of an Initial
// packet that is cut, the identifiers that give the keys.
func NextPacket(datagram []byte) (p Packet, rest []byte, err error) {
	r := codec.Reader{What: "QUIC packet", All: datagram}
	switch first := r.Peek(); {
	case first&longHeader != 0:
		p.long(&r)
	case first&fixedBit != 0:
		p.Type = PacketShort
		r.Rest()
	default:
		r.Fail(0, "no packet of QUIC begins like this")
	}
	if err := r.Err(); err != nil {
		return p, datagram, err
	}
	p.Raw = r.Since(0)
	return p, datagram[r.Offset():], nil
}
