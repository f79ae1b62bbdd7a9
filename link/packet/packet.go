package packet

import (
	"encoding/binary"
	"net/netip"
)

// Protocol is the number of a transport protocol (IANA, protocol numbers).
type Protocol uint8

// The protocols that are read.
const (
	TCP Protocol = 6
	UDP Protocol = 17
)

// Lengths in bytes of headers (RFC 791 3.1, RFC 8200 3, RFC 9293 3.1, RFC 768).
const (
	header4   = 20
	header6   = 40
	headerTCP = 20
	headerUDP = 8
)

// Flags of a TCP header (RFC 9293 3.1).
const (
	FIN = 1 << iota
	SYN
	RST
	PSH
	ACK
)

// Packet is the headers of one packet, and its payload. Those of TCP are zero for
// UDP.
type Packet struct {
	Protocol Protocol
	From, To netip.AddrPort
	Seq, Ack uint32
	Flags    uint8
	Payload  []byte // a part of the packet that was parsed
}

// Parse reads a packet of IPv4 or IPv6 that carries TCP or UDP. What is something
// else, a fragment, or shorter than it says is not read.
func Parse(b []byte) (p Packet, ok bool) {
	if len(b) == 0 {
		return p, false
	}
	switch b[0] >> 4 {
	case 4:
		return parse4(b)
	case 6:
		return parse6(b)
	}
	return p, false
}

func parse4(b []byte) (p Packet, ok bool) {
	if len(b) < header4 {
		return p, false
	}
	header, total := int(b[0]&15)*4, int(binary.BigEndian.Uint16(b[2:]))
	fragment := binary.BigEndian.Uint16(b[6:]) & 0x3fff // more of them, or not the first
	if header < header4 || total < header || total > len(b) || fragment != 0 {
		return p, false
	}
	from, to := netip.AddrFrom4([4]byte(b[12:16])), netip.AddrFrom4([4]byte(b[16:20]))
	return transport(Protocol(b[9]), from, to, b[header:total])
}

// parse6 reads packets without extension headers, which none of ours have.
func parse6(b []byte) (p Packet, ok bool) {
	if len(b) < header6 {
		return p, false
	}
	total := header6 + int(binary.BigEndian.Uint16(b[4:]))
	if total > len(b) {
		return p, false
	}
	from, to := netip.AddrFrom16([16]byte(b[8:24])), netip.AddrFrom16([16]byte(b[24:40]))
	return transport(Protocol(b[6]), from, to, b[header6:total])
}

func transport(protocol Protocol, from, to netip.Addr, b []byte) (p Packet, ok bool) {
	if protocol != TCP && protocol != UDP || len(b) < headerUDP {
		return p, false
	}
	p.Protocol = protocol
	p.From = netip.AddrPortFrom(from, binary.BigEndian.Uint16(b))
	p.To = netip.AddrPortFrom(to, binary.BigEndian.Uint16(b[2:]))
	if protocol == UDP {
		length := int(binary.BigEndian.Uint16(b[4:]))
		if length < headerUDP || length > len(b) {
			return p, false
		}
		p.Payload = b[headerUDP:length]
		return p, true
	}
	return p.tcp(b)
}

func (p Packet) tcp(b []byte) (Packet, bool) {
	if len(b) < headerTCP {
		return p, false
	}
	header := int(b[12]>>4) * 4
	if header < headerTCP || header > len(b) {
		return p, false
	}
	p.Seq, p.Ack, p.Flags = binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint32(b[8:]), b[13]
	p.Payload = b[header:]
	return p, true
}

// Has tells whether a flag of TCP is set.
func (p Packet) Has(flag uint8) bool { return p.Flags&flag != 0 }
