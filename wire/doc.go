// Package wire turns bytes into messages and back: the records of TLS over TCP, and
// the handshake messages that TLS, DTLS and QUIC share. It does no I/O, starts no
// goroutine and allocates nothing on the way of a hello.
//
// Every structure belongs to the caller and may be used again; what Parse puts
// into it points into the input and is valid as long as that is. Parse reads the
// body of a message, without its header; Append writes the same bytes back.
// Input is taken to be hostile: each length is checked, nothing is copied
// because a length says so, and what is unknown is kept with its length.
//
// The packages below hold to the same: dtls has the records of DTLS and its
// messages in fragments, quic the Initial packets of QUIC. Package transcript lists
// the messages of a connection, protect opens encrypted records with the secrets of
// a key log, ja4 makes fingerprints of clients.
package wire
