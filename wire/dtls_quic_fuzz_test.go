package wire

import (
	"bytes"
	"testing"
)

func FuzzHelloVerifyRequest(f *testing.F) {
	fuzzBody(f, &HelloVerifyRequest{}, "\xfe\xff\x06cookie", "\xfe\xff\x00")
}

func FuzzACK(f *testing.F) {
	fuzzBody(f, &ACK{}, "\x00\x10\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x01", "\x00\x01x")
}

func FuzzRequestConnectionID(f *testing.F) { fuzzBody(f, &RequestConnectionID{}, "\x03") }

func FuzzNewConnectionID(f *testing.F) {
	fuzzBody(f, &NewConnectionID{}, "\x00\x07\x02ab\x00\x02cd\x01", "\x00\x00\x00", "\x00\x02\x05a\x00")
}

func FuzzConnectionID(f *testing.F) {
	fuzzData(f, func(b []byte) error {
		id, err := ParseConnectionID(b)
		if err == nil && !bytes.Equal(AppendConnectionID(nil, id), b) {
			return &Error{}
		}
		return err
	}, "\x02id", "\x00")
}

func FuzzDTLSRecord(f *testing.F) {
	hello := DTLSRecord{Type: ContentHandshake, Version: VersionDTLS12, Fragment: []byte("hello")}
	withCID := DTLSRecord{Type: ContentTLS12CID, Version: VersionDTLS12, CID: []byte("id"), Fragment: []byte("x")}
	f.Add(UnifiedRecord(2, 7, []byte("id"), []byte("secret")).Append(withCID.Append(hello.Append(nil))), 2)
	f.Add([]byte("\x21\x07to the end"), 0)
	f.Fuzz(func(t *testing.T, data []byte, cidSize int) {
		for len(data) > 0 {
			r, rest, err := NextDTLSRecord(data, cidSize)
			if err != nil {
				checkError(t, err, len(data))
				return
			}
			if got := r.Append(nil); !bytes.Equal(got, data[:r.Size()]) || r.Size()+len(rest) != len(data) {
				t.Errorf("read %x, wrote %x", data[:r.Size()], got)
			}
			data = rest
		}
	})
}

func FuzzDTLSFragment(f *testing.F) {
	f.Add(DTLSFragment{TypeClientHello, 9, 1, 3, []byte("data")}.Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		fragment, rest, err := NextDTLSFragment(data)
		if err != nil {
			checkError(t, err, len(data))
		} else if got := fragment.Append(nil); !bytes.Equal(got, data[:len(data)-len(rest)]) {
			t.Errorf("read %x, wrote %x", data, got)
		}
	})
}

// FuzzDTLSReassembler pushes anything that reads as fragments, and expects no more
// memory than the limits allow. What comes out is as long as its fragments said.
func FuzzDTLSReassembler(f *testing.F) {
	var seed []byte
	for _, fragment := range fragments(TypeClientHello, 0, []byte("a body in pieces"), 5) {
		seed = fragment.Append(seed)
	}
	f.Add(seed)
	f.Add(DTLSFragment{TypeCertificate, 300, 9, 290, []byte("0123456789")}.Append(seed))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := DTLSReassembler{Limit: 500, Messages: 3}
		for len(data) > 0 {
			fragment, rest, err := NextDTLSFragment(data)
			if err != nil {
				return
			}
			data = rest
			if r.Begins(fragment) {
				r.Reset()
			}
			if _, err := r.Push(fragment); err != nil {
				checkError(t, err, 0)
			}
			if m, err := r.Next(); err == nil && (len(m.Body) != fragment.Length || m.Seq != fragment.Seq) {
				t.Errorf("message %d of %d bytes from fragment %d of %d", m.Seq, len(m.Body), fragment.Seq, fragment.Length)
			}
		}
		if len(r.slots) > 3 {
			t.Errorf("%d messages under way", len(r.slots))
		}
		for i := range r.slots {
			if cap(r.slots[i].bytes) > 1200 {
				t.Errorf("holds %d bytes", cap(r.slots[i].bytes))
			}
		}
	})
}

func FuzzQUICPacket(f *testing.F) {
	for _, v := range vectorEvents {
		f.Add(append(vector(f, v.rfc+"-server"), vector(f, v.rfc+"-retry")...))
		f.Add(vector(f, v.rfc+"-client"))
	}
	f.Add([]byte("\x8a\x00\x00\x00\x00\x02id\x01s\x6b\x33\x43\xcf\x00\x00\x00\x01"))
	f.Add([]byte("\xC0\x1a\x2a\x3a\x4a\x02id\x01s whatever follows"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var q QUICInitials
		for len(data) > 0 {
			p, rest, err := NextQUICPacket(data)
			if err != nil {
				checkError(t, err, len(data))
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

func FuzzQUICFrame(f *testing.F) {
	f.Add([]byte("\x01\x00\x00\x00\x02\x05\x00\x02\x01\x00\x00\x01\x01\x06\x40\x40\x02hi\x1c\x41\x28\x06\x03why\x00"))
	f.Add([]byte("\x03\x05\x00\x00\x01\x07\x08\x09"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for len(data) > 0 {
			frame, rest, err := NextQUICFrame(data)
			if err != nil {
				checkError(t, err, len(data))
				return
			}
			if frame.Size+len(rest) != len(data) || frame.Size == 0 {
				t.Fatalf("%s of %d bytes, %d left over of %d", frame.Type, frame.Size, len(rest), len(data))
			}
			again, _, err := NextQUICFrame(frame.Append(nil))
			if err != nil || again.Type != frame.Type || again.Offset != frame.Offset || !bytes.Equal(again.Data, frame.Data) {
				t.Errorf("read %+v, again %+v, %v", frame, again, err)
			}
			data = rest
		}
	})
}

// FuzzQUICCrypto pushes anything that reads as frames, and expects no more memory
// than the limit allows.
func FuzzQUICCrypto(f *testing.F) {
	var seed []byte
	for _, frame := range crypto([]byte("\x0e\x00\x00\x00\x01\x00\x00\x05hello"), 3) {
		seed = frame.Append(seed)
	}
	f.Add(seed)
	f.Fuzz(func(t *testing.T, data []byte) {
		c, total := QUICCrypto{Limit: 500}, 0
		for len(data) > 0 {
			frame, rest, err := NextQUICFrame(data)
			if err != nil {
				return
			}
			data = rest
			if _, err := c.Push(frame); err != nil {
				checkError(t, err, 1)
			}
			for m, err := c.Next(); err == nil; m, err = c.Next() {
				total += len(m.Raw)
			}
		}
		if cap(c.pieces.bytes) > 1200 || total > 500 {
			t.Errorf("holds %d bytes, handed out %d", cap(c.pieces.bytes), total)
		}
	})
}
