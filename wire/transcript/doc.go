// Package transcript reads one TLS connection out of its two byte streams and lists
// its messages: who sent what, in which flight, when, with how many bytes as
// message and on the wire. With the secrets of a key log it reads encrypted
// messages too; without them it shows their records.
package transcript
