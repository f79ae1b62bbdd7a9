package quic

import (
	"bytes"
	"testing"

	"shakedown/wire/internal/wiretest"
)

func FuzzPacket(f *testing.F) {
	for _, v := range vectorEvents {
		f.Add(append(vector(f, v.rfc+"-server"), vector(f, v.rfc+"-retry")...))
		f.Add(vector(f, v.rfc+"-client"))
	}
	f.Add([]byte("\x8a\x00\x00\x00\x00\x02id\x01s\x6b\x33\x43\xcf\x00\x00\x00\x01"))
	f.Add([]byte("\xC0\x1a\x2a\x3a\x4a\x02id\x01s whatever follows"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var q Initials
		for len(data) > 0 {
			p, rest, err := NextPacket(data)
			if err != nil {
				wiretest.CheckError(t, err, len(data))
				return
			}
			if len(p.Raw)+len(rest) != len(data) || len(p.Raw) == 0 || p.NumberAt > len(p.Raw) {
				t.Fatalf("%s of %d bytes, %d left over of %d", p.Type, len(p.Raw), len(rest), len(data))
			}
			q.Start(p.DCID)
			p.CheckRetry(p.DCID)
			if _, err := q.Open(nil, p, true); err != nil && err != ErrNotAuthentic {
				t.Error(err)
			}
			data = rest
		}
	})
}

func FuzzFrame(f *testing.F) {
	f.Add([]byte("\x01\x00\x00\x00\x02\x05\x00\x02\x01\x00\x00\x01\x01\x06\x40\x40\x02hi\x1c\x41\x28\x06\x03why\x00"))
	f.Add([]byte("\x03\x05\x00\x00\x01\x07\x08\x09"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for len(data) > 0 {
			frame, rest, err := NextFrame(data)
			if err != nil {
				wiretest.CheckError(t, err, len(data))
				return
			}
			if frame.Size+len(rest) != len(data) || frame.Size == 0 {
				t.Fatalf("%s of %d bytes, %d left over of %d", frame.Type, frame.Size, len(rest), len(data))
			}
			again, _, err := NextFrame(frame.Append(nil))
			if err != nil || again.Type != frame.Type || again.Offset != frame.Offset || !bytes.Equal(again.Data, frame.Data) {
				t.Errorf("read %+v, again %+v, %v", frame, again, err)
			}
			data = rest
		}
	})
}

// FuzzCryptoStream pushes anything that reads as frames, and expects no more memory
// than the limit allows.
func FuzzCryptoStream(f *testing.F) {
	var seed []byte
	for _, frame := range crypto([]byte("\x0e\x00\x00\x00\x01\x00\x00\x05hello"), 3) {
		seed = frame.Append(seed)
	}
	f.Add(seed)
	f.Fuzz(func(t *testing.T, data []byte) {
		c, total := CryptoStream{Limit: 500}, 0
		for len(data) > 0 {
			frame, rest, err := NextFrame(data)
			if err != nil {
				return
			}
			data = rest
			if _, err := c.Push(frame); err != nil {
				wiretest.CheckError(t, err, 1)
			}
			for m, err := c.Next(); err == nil; m, err = c.Next() {
				total += len(m.Raw)
			}
		}
		if c.parts.Memory() > 1200 || total > 500 {
			t.Errorf("holds %d bytes, handed out %d", c.parts.Memory(), total)
		}
	})
}

func TestEachParserHasAFuzzTarget(t *testing.T) { wiretest.EachParserHasAFuzzTarget(t, 3) }
