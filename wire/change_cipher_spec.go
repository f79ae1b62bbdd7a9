package wire

import "shakedown/wire/internal/codec"

// ChangeCipherSpec is the only message of its content type: one byte of 1. From
// TLS 1.0 to 1.2 what follows it is encrypted (RFC 5246 7.1); in TLS 1.3 it
// means nothing and is there for middleboxes (RFC 8446 D.4).
type ChangeCipherSpec struct{}

// Parse reads the fragment of a change_cipher_spec record.
func (*ChangeCipherSpec) Parse(fragment []byte) error {
	r := codec.Reader{What: "ChangeCipherSpec", All: fragment}
	if v := r.U8(); v != 1 {
		r.Fail(0, "must be one byte of 1")
	}
	return r.Done()
}

// Append writes the byte.
func (*ChangeCipherSpec) Append(dst []byte) []byte { return append(dst, 1) }
