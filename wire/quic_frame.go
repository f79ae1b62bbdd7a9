package wire

import "fmt"

// QUICFrameType names a frame (RFC 9000 19).
type QUICFrameType uint64

// The frames that may be in an Initial packet (RFC 9000 12.4).
const (
	FramePadding         QUICFrameType = 0x00
	FramePing            QUICFrameType = 0x01
	FrameACK             QUICFrameType = 0x02
	FrameACKECN          QUICFrameType = 0x03
	FrameCrypto          QUICFrameType = 0x06
	FrameConnectionClose QUICFrameType = 0x1C
)

// String returns the name in RFC 9000, or "frame 0x99".
func (t QUICFrameType) String() string {
	switch t {
	case FramePadding:
		return "PADDING"
	case FramePing:
		return "PING"
	case FrameACK, FrameACKECN:
		return "ACK"
	case FrameCrypto:
		return "CRYPTO"
	case FrameConnectionClose:
		return "CONNECTION_CLOSE"
	}
	return fmt.Sprintf("frame 0x%02x", uint64(t))
}

// QUICFrame is one frame of an Initial packet. PADDING frames that follow each
// other are one.
type QUICFrame struct {
	Type   QUICFrameType
	Size   int    // bytes in the packet
	Offset uint64 // CRYPTO: of Data in the stream
	Number uint64 // ACK: the largest packet number acknowledged
	Code   uint64 // CONNECTION_CLOSE: error code
	Cause  uint64 // CONNECTION_CLOSE: type of the frame that made the error, 0 unknown
	Data   []byte // CRYPTO: of the stream; CONNECTION_CLOSE: reason; ACK: what follows Number
}

// NextQUICFrame reads the frame at the start of an Initial packet's payload and
// returns what follows it. Frames that do not belong there are an error, which
// ends the packet, with their type in f: their length is not known.
func NextQUICFrame(payload []byte) (f QUICFrame, rest []byte, err error) {
	r := reader{what: "QUIC frame", all: payload}
	f.Type = QUICFrameType(r.varint())
	f.read(&r)
	if err := r.err(); err != nil {
		return f, payload, err
	}
	f.Size = r.off
	return f, payload[r.off:], nil
}

func (f *QUICFrame) read(r *reader) {
	switch f.Type {
	case FramePadding:
		for r.left() > 0 && r.peek() == 0 {
			r.off++
		}
	case FramePing:
	case FrameACK, FrameACKECN:
		f.Number = r.varint()
		f.Data = r.ranges(f.Type == FrameACKECN)
	case FrameCrypto:
		f.Offset, f.Data = r.varint(), r.varvector()
	case FrameConnectionClose:
		f.Code, f.Cause, f.Data = r.varint(), r.varint(), r.varvector()
	default:
		r.fail(0, "no frame of an Initial packet")
	}
}

// ranges reads what follows the largest number of an ACK: delay, ranges and, with
// ECN, three counters (RFC 9000 19.3). The number of ranges is only believed as
// far as bytes last.
func (r *reader) ranges(ecn bool) []byte {
	at := r.off
	r.varint()
	count := r.varint()
	r.varint()
	for ; count > 0 && r.failed == nil; count-- {
		r.varint()
		r.varint()
	}
	if ecn {
		r.varint()
		r.varint()
		r.varint()
	}
	return r.all[at:r.off:r.off]
}

// Alert returns the TLS alert that a CONNECTION_CLOSE carries, and whether it
// carries one (RFC 9001 4.8).
func (f QUICFrame) Alert() (AlertDescription, bool) {
	ok := f.Type == FrameConnectionClose && f.Code>>8 == 1
	return AlertDescription(f.Code), ok
}

// Append writes the frame.
func (f QUICFrame) Append(dst []byte) []byte {
	if f.Type == FramePadding {
		return append(dst, make([]byte, f.Size)...)
	}
	dst = AppendVarint(dst, uint64(f.Type))
	switch f.Type {
	case FrameACK, FrameACKECN:
		return append(AppendVarint(dst, f.Number), f.Data...)
	case FrameCrypto:
		return appendVarvector(AppendVarint(dst, f.Offset), f.Data)
	case FrameConnectionClose:
		return appendVarvector(AppendVarint(AppendVarint(dst, f.Code), f.Cause), f.Data)
	default: // the type is all
		return dst
	}
}
