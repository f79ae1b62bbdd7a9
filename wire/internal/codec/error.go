// Package codec reads and writes the presentation language of TLS (RFC 8446 3):
// numbers, and vectors with their length in front. DTLS and QUIC use it too.
package codec

import "strconv"

// Error says what could not be read, where in it, and why.
type Error struct {
	What   string // the thing being read: "record", "ClientHello", "key_share"
	Offset int    // bytes from its start; for a message, from the start of its body
	Reason string // lower case, one sentence
}

// Error returns "ClientHello at byte 38: vector runs past the end".
func (e *Error) Error() string {
	return e.What + " at byte " + strconv.Itoa(e.Offset) + ": " + e.Reason
}

// Reasons that more than one parser gives.
const (
	ReasonShort    = "runs past the end"
	ReasonTrailing = "bytes are left over"
	ReasonOdd      = "length is no multiple of the entry size"
	ReasonLarge    = "message is larger than the limit"
	ReasonLong     = "fragment is longer than any version allows"
)
