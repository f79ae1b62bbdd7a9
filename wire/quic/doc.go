// Package quic reads the Initial packets of QUIC v1, v2 and the versions before them,
// in which both hellos are: packets, their protection, frames, the CRYPTO streams and
// the messages in them. Bodies of messages are read by package wire. As there,
// nothing is copied because a length says so, and what is unknown is kept; a hello
// costs no allocation once the keys are there.
//
// The packets of a datagram come from [NextPacket]. [Initials] opens them, their
// frames come from [NextFrame], and the messages of a direction from a
// [CryptoStream].
package quic
