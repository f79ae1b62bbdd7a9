package quic

import "shakedown/wire/internal/codec"

// The first byte of a packet (RFC 9000 17.2).
const (
	longHeader = 0x80
	fixedBit   = 0x40 // may be 0 in long headers where peers agreed (RFC 9287)
	typeBits   = 0x30
)

// long reads a packet with a long header.
func (p *Packet) long(r *codec.Reader) {
	first := r.U8()
	p.Version = r.U32()
	p.DCID, p.SCID = r.Vector8(), r.Vector8()
	if r.Failed() {
		return
	}
	if p.Version == VersionNegotiation {
		p.negotiation(r)
		return
	}
	if saltOf(p.Version) == "" {
		r.Rest()
		return
	}
	if len(p.DCID) > maxConnectionID || len(p.SCID) > maxConnectionID {
		r.Fail(5, "connection identifier is longer than 20 bytes")
		return
	}
	p.Type = typeOf(p.Version, first)
	if p.Type == PacketRetry {
		p.retry(r)
		return
	}
	p.numbered(r)
}

// typesInOrder orders the types as v1 numbers them.
var typesInOrder = [4]PacketType{PacketInitial, PacketZeroRTT, PacketHandshake, PacketRetry}

// typeOf reads the type; v2 numbers one higher (RFC 9369 3.2).
func typeOf(version uint32, first byte) PacketType {
	bits := first & typeBits >> 4
	if version == Version2 {
		bits--
	}
	return typesInOrder[bits&3]
}

// firstByte is the first byte of a packet of a type, without its low 4 bits.
func firstByte(version uint32, t PacketType) byte {
	bits := byte(t - PacketInitial)
	if version == Version2 {
		bits++
	}
	return longHeader | fixedBit | bits&3<<4
}

func (p *Packet) negotiation(r *codec.Reader) {
	p.Type = PacketVersionNegotiation
	at := r.Offset()
	p.Versions = Versions(r.Rest())
	if len(p.Versions)%4 != 0 {
		r.Fail(at, codec.ReasonOdd)
		p.Versions = p.Versions[:len(p.Versions)/4*4]
	}
}

// retry reads what follows the identifiers of a Retry packet. Up to draft 24 it
// is the original identifier and the token, which are left in Token together.
func (p *Packet) retry(r *codec.Reader) {
	size := 0
	if _, _, ok := retryKey(p.Version); ok {
		size = tagSize
	}
	p.Token = r.Bytes(max(r.Left()-size, 0))
	p.Tag = r.Bytes(size)
}

// numbered reads what follows the identifiers of a packet with a packet number.
func (p *Packet) numbered(r *codec.Reader) {
	if p.Type == PacketInitial {
		p.Token = varvector(r)
	}
	at := r.Offset()
	size := varint(r)
	if r.Failed() {
		return
	}
	if size > uint64(r.Left()) {
		r.Fail(at, codec.ReasonShort)
		return
	}
	p.NumberAt = r.Offset()
	r.Bytes(int(size))
}
