package wire

// The first byte of a packet (RFC 9000 17.2).
const (
	quicLong     = 0x80
	quicFixed    = 0x40 // may be 0 in long headers where peers agreed (RFC 9287)
	quicTypeBits = 0x30
)

// long reads a packet with a long header.
func (p *QUICPacket) long(r *reader) {
	first := r.u8()
	p.Version = r.u32()
	p.DCID, p.SCID = r.vector8(), r.vector8()
	if r.failed != nil {
		return
	}
	if p.Version == QUICNegotiation {
		p.negotiation(r)
		return
	}
	if quicSalt(p.Version) == "" {
		r.off = len(r.all)
		return
	}
	if len(p.DCID) > maxQUICConnectionID || len(p.SCID) > maxQUICConnectionID {
		r.fail(5, "connection identifier is longer than 20 bytes")
		return
	}
	p.Type = quicType(p.Version, first)
	if p.Type == QUICRetry {
		p.retry(r)
		return
	}
	p.numbered(r)
}

// quicTypeOf orders the types as v1 numbers them.
var quicTypeOf = [4]QUICPacketType{QUICInitial, QUICZeroRTT, QUICHandshake, QUICRetry}

// quicType reads the type; v2 numbers one higher (RFC 9369 3.2).
func quicType(version uint32, first byte) QUICPacketType {
	bits := first & quicTypeBits >> 4
	if version == QUIC2 {
		bits--
	}
	return quicTypeOf[bits&3]
}

// quicFirst is the first byte of a packet of a type, without its low 4 bits.
func quicFirst(version uint32, t QUICPacketType) byte {
	bits := byte(t - QUICInitial)
	if version == QUIC2 {
		bits++
	}
	return quicLong | quicFixed | bits&3<<4
}

func (p *QUICPacket) negotiation(r *reader) {
	p.Type = QUICVersionNegotiation
	at := r.off
	p.Versions = QUICVersions(r.rest())
	if len(p.Versions)%4 != 0 {
		r.fail(at, reasonOdd)
		p.Versions = p.Versions[:len(p.Versions)/4*4]
	}
}

// retry reads what follows the identifiers of a Retry packet. Up to draft 24 it
// is the original identifier and the token, which are left in Token together.
func (p *QUICPacket) retry(r *reader) {
	size := 0
	if _, _, ok := quicRetryKey(p.Version); ok {
		size = quicTagSize
	}
	p.Token = r.bytes(max(r.left()-size, 0))
	p.Tag = r.bytes(size)
}

// numbered reads what follows the identifiers of a packet with a packet number.
func (p *QUICPacket) numbered(r *reader) {
	if p.Type == QUICInitial {
		p.Token = r.varvector()
	}
	at := r.off
	size := r.varint()
	if r.failed != nil {
		return
	}
	if size > uint64(r.left()) {
		r.fail(at, reasonShort)
		return
	}
	p.NumberAt = r.off
	r.bytes(int(size))
}
