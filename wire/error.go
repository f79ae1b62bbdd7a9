package wire

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

// ErrIncomplete says that nothing is wrong so far and more bytes are needed.
var ErrIncomplete = &Error{What: "input", Reason: "more bytes are needed"}

// The reasons that a reader gives.
const (
	reasonShort    = "runs past the end"
	reasonTrailing = "bytes are left over"
	reasonOdd      = "length is no multiple of the entry size"
	reasonEmpty    = "must not be empty"
)
