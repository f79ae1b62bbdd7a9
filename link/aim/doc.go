// Package aim picks packets of a link by what they carry: a handshake message by its
// name, a packet by its number, each thing the first time it is sent. It follows
// every connection, in bounded memory.
package aim
