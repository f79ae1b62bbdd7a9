package dtls

import (
	"shakedown/wire"
	"shakedown/wire/internal/codec"
)

// HandshakeHeader is the length in bytes of the header of a handshake message in
// DTLS (RFC 6347 4.2.2, RFC 9147 5.2). A message split into fragments has one on
// each; its size counts one.
const HandshakeHeader = 12

// Fragment is a part of a handshake message, or a whole one.
type Fragment struct {
	Type   wire.HandshakeType
	Length int    // bytes of the whole body
	Seq    uint16 // message_seq
	Offset int    // of Data in the body, in bytes
	Data   []byte
}

const reasonPast = "fragment runs past the end of its message"

// refused is why the reassembler does not take a fragment.
func (f Fragment) refused(reason string) error {
	return &wire.Error{What: f.Type.String(), Offset: f.Offset, Reason: reason}
}

// Whole reports whether the fragment is the whole message.
func (f Fragment) Whole() bool { return len(f.Data) == f.Length }

// NextFragment reads the fragment at the start of a handshake record's content and
// returns what follows it.
func NextFragment(b []byte) (f Fragment, rest []byte, err error) {
	r := codec.Reader{What: "handshake fragment", All: b}
	f.Type, f.Length, f.Seq, f.Offset = wire.HandshakeType(r.U8()), r.U24(), r.U16(), r.U24()
	f.Data = r.Vector24()
	if !r.Failed() && f.Offset+len(f.Data) > f.Length {
		r.Fail(9, reasonPast)
	}
	if err := r.Err(); err != nil {
		return f, b, err
	}
	return f, b[r.Offset():], nil
}

// Append writes the fragment with its header.
func (f Fragment) Append(dst []byte) []byte {
	dst = codec.Append24(append(dst, byte(f.Type)), f.Length)
	return codec.AppendVector24(codec.Append24(codec.Append16(dst, f.Seq), f.Offset), f.Data)
}

// Message is a handshake message in one piece.
type Message struct {
	Type wire.HandshakeType
	Seq  uint16 // message_seq
	Body []byte
}

// Size returns the bytes of the message with one header, however many fragments
// it came in.
func (m Message) Size() int { return HandshakeHeader + len(m.Body) }

// AppendMessage writes a message as one fragment, the form that goes into the hash
// of the handshake up to DTLS 1.2 (RFC 6347 4.2.6).
func AppendMessage(dst []byte, seq uint16, m wire.Message) []byte {
	at := len(dst)
	dst = codec.Append16(append(dst, byte(m.Type()), 0, 0, 0), seq)
	dst = m.Append(append(dst, 0, 0, 0, 0, 0, 0))
	size := len(dst) - at - HandshakeHeader
	codec.Append24(dst[:at+1], size)
	codec.Append24(dst[:at+9], size)
	return dst
}
