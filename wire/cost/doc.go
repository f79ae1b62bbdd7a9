// Package cost says what a handshake costs on the wire, from its transcript: bytes,
// packets and round trips of each flight, bytes of each extension of the
// ClientHello, and what would make the ClientHello fit into one packet.
package cost
