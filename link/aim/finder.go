package aim

import (
	"shakedown/wire"
)

// maxStream is how far into a stream messages are looked for, in bytes.
const maxStream = 64 << 10

// finder finds the first bytes of handshake messages in a stream of TLS records, as
// far as these are in the clear.
type finder struct {
	closed  bool
	read    int // B of the stream
	header  [wire.RecordHeader]byte
	have    int // B of the header of the record that begins
	left    int // B of the record
	message [wire.HandshakeHeader]byte
	begun   int  // B of the header of the message that begins
	rest    int  // B of the message
	changed bool // ChangeCipherSpec was sent
}

// feed takes in the next bytes of the stream, and names the messages that begin in
// them.
func (f *finder) feed(b []byte) (names []string) {
	for len(b) > 0 && !f.closed {
		var n int
		switch {
		case f.left == 0:
			n = f.record(b, &names)
		case wire.ContentType(f.header[0]) != wire.ContentHandshake:
			n = min(f.left, len(b))
			f.left -= n
		default:
			n = f.handshake(b, &names)
			f.left -= n
		}
		f.read += n
		f.closed = f.closed || f.read > maxStream
		b = b[n:]
	}
	return names
}

// record takes bytes of the header of a record.
func (f *finder) record(b []byte, names *[]string) int {
	n := copy(f.header[f.have:], b)
	f.have += n
	if f.have < len(f.header) {
		return n
	}
	f.have, f.left = 0, int(f.header[3])<<8|int(f.header[4])
	switch wire.ContentType(f.header[0]) {
	case wire.ContentChangeCipherSpec:
		*names = append(*names, "ChangeCipherSpec")
		f.changed = true
	case wire.ContentHandshake, wire.ContentAlert, wire.ContentApplicationData:
	default:
		f.closed = true // no TLS
	}
	return n
}

// handshake takes bytes of a record of handshake messages.
func (f *finder) handshake(b []byte, names *[]string) int {
	b = b[:min(f.left, len(b))]
	if f.rest > 0 {
		n := min(f.rest, len(b))
		f.rest -= n
		return n
	}
	if f.begun == 0 && f.changed && !isHello(b, f.left) {
		f.closed = true
		return len(b)
	}
	if f.begun == 0 {
		*names = append(*names, nameOfFirst(b))
	}
	n := copy(f.message[f.begun:], b)
	f.begun += n
	if f.begun == len(f.message) {
		f.begun, f.rest = 0, int(f.message[1])<<16|int(f.message[2])<<8|int(f.message[3])
	}
	return n
}

// isHello tells a hello that fills its record from a record that is encrypted, as all
// are behind a ChangeCipherSpec but the hellos that follow a HelloRetryRequest.
func isHello(b []byte, record int) bool {
	if len(b) < wire.HandshakeHeader {
		return false
	}
	kind := wire.HandshakeType(b[0])
	size := int(b[1])<<16 | int(b[2])<<8 | int(b[3])
	return (kind == wire.TypeClientHello || kind == wire.TypeServerHello) && wire.HandshakeHeader+size == record
}

// nameOfFirst tells what message begins with some bytes, at least one. A
// HelloRetryRequest is known by its random, where all of it is there.
func nameOfFirst(b []byte) string {
	if isRetry(b) {
		return wire.TypeHelloRetryRequest.String()
	}
	return wire.HandshakeType(b[0]).String()
}

// isRetry tells a HelloRetryRequest from a ServerHello.
func isRetry(b []byte) bool {
	var m wire.ServerHello
	in, _, err := wire.NextHandshake(b)
	return err == nil && in.Type == wire.TypeServerHello && m.Parse(in.Body) == nil && m.RetryRequest()
}
