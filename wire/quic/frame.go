package quic

import (
	"fmt"

	"shakedown/wire"
	"shakedown/wire/internal/codec"
)

// FrameType names a frame (RFC 9000 19).
type FrameType uint64

// The frames that may be in an Initial packet (RFC 9000 12.4).
const (
	FramePadding         FrameType = 0x00
	FramePing            FrameType = 0x01
	FrameACK             FrameType = 0x02
	FrameACKECN          FrameType = 0x03
	FrameCrypto          FrameType = 0x06
	FrameConnectionClose FrameType = 0x1C
)

// String returns the name in RFC 9000, or "frame 0x99".
func (t FrameType) String() string {
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

// Frame is one frame of an Initial packet. PADDING frames that follow each other are
// one.
type Frame struct {
	Type   FrameType
	Size   int    // bytes in the packet
	Offset uint64 // CRYPTO: of Data in the stream
	Number uint64 // ACK: the largest packet number acknowledged
	Code   uint64 // CONNECTION_CLOSE: error code
	Cause  uint64 // CONNECTION_CLOSE: type of the frame that made the error, 0 unknown
	Data   []byte // CRYPTO: of the stream; CONNECTION_CLOSE: reason; ACK: what follows Number
}

// refused is why a stream does not take a frame.
func (f Frame) refused(reason string) error {
	return &wire.Error{What: f.Type.String(), Offset: 1, Reason: reason}
}

// NextFrame reads the frame at the start of an Initial packet's payload and
// returns what follows it. Frames that do not belong there are an error, which
// ends the packet, with their type in f: their length is not known.
func NextFrame(payload []byte) (f Frame, rest []byte, err error) {
	r := codec.Reader{What: "QUIC frame", All: payload}
	f.Type = FrameType(varint(&r))
	f.read(&r)
	if err := r.Err(); err != nil {
		return f, payload, err
	}
	f.Size = r.Offset()
	return f, payload[r.Offset():], nil
}

func (f *Frame) read(r *codec.Reader) {
	switch f.Type {
	case FramePadding:
		r.SkipZeros()
	case FramePing:
	case FrameACK, FrameACKECN:
		f.Number = varint(r)
		f.Data = ranges(r, f.Type == FrameACKECN)
	case FrameCrypto:
		f.Offset, f.Data = varint(r), varvector(r)
	case FrameConnectionClose:
		f.Code, f.Cause, f.Data = varint(r), varint(r), varvector(r)
	default:
		r.Fail(0, "no frame of an Initial packet")
	}
}

// ranges reads what follows the largest number of an ACK: delay, ranges and, with
// ECN, three counters (RFC 9000 19.3). The number of ranges is only believed as
// far as bytes last.
func ranges(r *codec.Reader, ecn bool) []byte {
	at := r.Offset()
	varint(r)
	count := varint(r)
	varint(r)
	for ; count > 0 && !r.Failed(); count-- {
		varint(r)
		varint(r)
	}
	if ecn {
		varint(r)
		varint(r)
		varint(r)
	}
	return r.Since(at)
}

// Alert returns the TLS alert that a CONNECTION_CLOSE carries, and whether it
// carries one (RFC 9001 4.8).
func (f Frame) Alert() (wire.AlertDescription, bool) {
	ok := f.Type == FrameConnectionClose && f.Code>>8 == 1
	return wire.AlertDescription(f.Code), ok
}

// Append writes the frame.
func (f Frame) Append(dst []byte) []byte {
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
