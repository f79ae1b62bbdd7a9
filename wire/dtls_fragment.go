package wire

// DTLSHandshakeHeader is the length in bytes of the header of a handshake message
// in DTLS (RFC 6347 4.2.2, RFC 9147 5.2). A message split into fragments has one
// on each; its size counts one.
const DTLSHandshakeHeader = 12

// DTLSFragment is a part of a handshake message, or a whole one.
type DTLSFragment struct {
	Type   HandshakeType
	Length int    // bytes of the whole body
	Seq    uint16 // message_seq
	Offset int    // of Data in the body, in bytes
	Data   []byte
}

// Whole reports whether the fragment is the whole message.
func (f DTLSFragment) Whole() bool { return len(f.Data) == f.Length }

// NextDTLSFragment reads the fragment at the start of a handshake record's
// content and returns what follows it.
func NextDTLSFragment(b []byte) (f DTLSFragment, rest []byte, err error) {
	r := reader{what: "handshake fragment", all: b}
	f.Type, f.Length, f.Seq, f.Offset = HandshakeType(r.u8()), r.u24(), r.u16(), r.u24()
	f.Data = r.vector24()
	if r.failed == nil && f.Offset+len(f.Data) > f.Length {
		r.fail(9, "fragment runs past the end of its message")
	}
	if err := r.err(); err != nil {
		return f, b, err
	}
	return f, b[r.off:], nil
}

// Append writes the fragment with its header.
func (f DTLSFragment) Append(dst []byte) []byte {
	dst = append24(append(dst, byte(f.Type)), f.Length)
	return appendVector24(append24(append16(dst, f.Seq), f.Offset), f.Data)
}

// DTLSMessage is a handshake message in one piece.
type DTLSMessage struct {
	Type HandshakeType
	Seq  uint16 // message_seq
	Body []byte
}

// Size returns the bytes of the message with one header, however many fragments
// it came in.
func (m DTLSMessage) Size() int { return DTLSHandshakeHeader + len(m.Body) }

// AppendDTLSMessage writes a message as one fragment, the form that goes into
// the hash of the handshake up to DTLS 1.2 (RFC 6347 4.2.6).
func AppendDTLSMessage(dst []byte, seq uint16, m Message) []byte {
	at := len(dst)
	dst = append16(append(dst, byte(m.Type()), 0, 0, 0), seq)
	dst = m.Append(append(dst, 0, 0, 0, 0, 0, 0))
	size := len(dst) - at - DTLSHandshakeHeader
	append24(dst[:at+1], size)
	append24(dst[:at+9], size)
	return dst
}
