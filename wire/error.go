package wire

import "shakedown/wire/internal/codec"

// Error says what could not be read, where in it, and why: What is the thing being
// read ("record", "ClientHello", "key_share"), Offset counts bytes from its start,
// or from the start of a message's body, and Reason is one sentence in lower case.
type Error = codec.Error

// ErrIncomplete says that nothing is wrong so far and more bytes are needed.
var ErrIncomplete = &Error{What: "input", Reason: "more bytes are needed"}

const reasonEmpty = "must not be empty"
