// Package icmp writes the messages with which a router tells a sender that a packet is
// too long for its next hop.
package icmp

import "encoding/binary"

// Lengths in bytes: headers (RFC 791 3.1, RFC 8200 3, RFC 792), and the most of a
// packet that a message quotes, so that the message itself passes everywhere (RFC 1812
// 4.3.2.3, RFC 4443 2.4).
const (
	header4  = 20
	header6  = 40
	header   = 8
	longest4 = 576
	longest6 = 1280
)

// Numbers of the protocols and messages.
const (
	protocol4      = 1
	protocol6      = 58
	unreachable    = 3 // RFC 792
	needsFragments = 4 // its code
	packetTooBig   = 2 // RFC 4443 3.2
	hopLimit       = 64
)

// TooBig returns the message about a packet of IPv4 (RFC 1191 4) or IPv6 (RFC 4443
// 3.2), as from its destination to its source: a router has no address of its own here.
// The MTU of the next hop is in bytes, and the message itself no longer. A packet of
// IPv4 that allows fragments is treated like one that does not: nobody makes fragments
// here. It is nil for what is no packet of IP, and for a message about an error, which
// no other may follow (RFC 1122 3.2.2, RFC 4443 2.4).
func TooBig(packet []byte, mtu int) []byte {
	switch {
	case len(packet) >= header4 && packet[0]>>4 == 4 && !isError4(packet):
		return tooBig4(packet, mtu)
	case len(packet) >= header6 && packet[0]>>4 == 6 && !isError6(packet):
		return tooBig6(packet, mtu)
	}
	return nil
}

// isError4 tells a message about an error from one that asks or answers: of those
// that are in use only echo, 8 and 0, is none (RFC 1122 3.2.2).
func isError4(packet []byte) bool {
	at := int(packet[0]&15) * 4
	return packet[9] == protocol4 && len(packet) > at && packet[at] != 0 && packet[at] != 8
}

// isError6 tells it by the high bit of its type (RFC 4443 2.1).
func isError6(packet []byte) bool {
	return packet[6] == protocol6 && len(packet) > header6 && packet[header6] < 128
}

func tooBig4(packet []byte, mtu int) []byte {
	quote := packet[:max(0, min(len(packet), min(longest4, mtu)-header4-header))]
	b := make([]byte, header4+header, header4+header+len(quote))
	b = append(b, quote...)
	b[0] = 4<<4 | header4/4
	binary.BigEndian.PutUint16(b[2:], uint16(len(b)))
	b[8], b[9] = hopLimit, protocol4
	copy(b[12:], packet[16:20]) // from the destination
	copy(b[16:], packet[12:16])
	binary.BigEndian.PutUint16(b[10:], checksum(0, b[:header4]))
	message := b[header4:]
	message[0], message[1] = unreachable, needsFragments
	binary.BigEndian.PutUint16(message[6:], uint16(mtu))
	binary.BigEndian.PutUint16(message[2:], checksum(0, message))
	return b
}

func tooBig6(packet []byte, mtu int) []byte {
	quote := packet[:max(0, min(len(packet), min(longest6, mtu)-header6-header))]
	b := make([]byte, header6+header, header6+header+len(quote))
	b = append(b, quote...)
	message := b[header6:]
	b[0] = 6 << 4
	binary.BigEndian.PutUint16(b[4:], uint16(len(message)))
	b[6], b[7] = protocol6, hopLimit
	copy(b[8:], packet[24:40])
	copy(b[24:], packet[8:24])
	message[0] = packetTooBig
	binary.BigEndian.PutUint32(message[4:], uint32(mtu))
	pseudo := sum(sum(uint32(len(message))+protocol6, b[8:24]), b[24:40]) // RFC 8200 8.1
	binary.BigEndian.PutUint16(message[2:], checksum(pseudo, message))
	return b
}

// checksum is that of the Internet (RFC 1071), on top of what was added up before.
func checksum(before uint32, b []byte) uint16 {
	s := sum(before, b)
	for s>>16 != 0 {
		s = s&0xffff + s>>16
	}
	return ^uint16(s)
}

// sum adds up 16-bit words.
func sum(before uint32, b []byte) uint32 {
	for ; len(b) > 1; b = b[2:] {
		before += uint32(binary.BigEndian.Uint16(b))
	}
	if len(b) == 1 {
		before += uint32(b[0]) << 8
	}
	return before
}
