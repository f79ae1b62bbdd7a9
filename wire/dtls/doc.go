// Package dtls turns datagrams of DTLS 1.0 to 1.3 into records, handshake messages
// in fragments and whole messages, and back. The bodies of the messages that TLS has
// too are read by package wire. As there, nothing is copied because a length says
// so, a hello costs no allocation, and what is unknown is kept with its length.
//
// The records of a datagram come from [NextRecord], their handshake content from
// [NextFragment], the messages of a direction from a [Reassembler].
package dtls
