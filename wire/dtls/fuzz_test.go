package dtls

import (
	"bytes"
	"testing"

	"shakedown/wire"
	"shakedown/wire/internal/wiretest"
)

func FuzzHelloVerifyRequest(f *testing.F) {
	wiretest.FuzzBody(f, &HelloVerifyRequest{}, "\xfe\xff\x06cookie", "\xfe\xff\x00")
}

func FuzzACK(f *testing.F) {
	wiretest.FuzzBody(f, &ACK{}, "\x00\x10\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x01", "\x00\x01x")
}

func FuzzRequestConnectionID(f *testing.F) { wiretest.FuzzBody(f, &RequestConnectionID{}, "\x03") }

func FuzzNewConnectionID(f *testing.F) {
	wiretest.FuzzBody(f, &NewConnectionID{}, "\x00\x07\x02ab\x00\x02cd\x01", "\x00\x00\x00", "\x00\x02\x05a\x00")
}

func FuzzConnectionID(f *testing.F) {
	wiretest.FuzzData(f, func(b []byte) error {
		id, err := ParseConnectionID(b)
		if err == nil && !bytes.Equal(AppendConnectionID(nil, id), b) {
			return &wire.Error{}
		}
		return err
	}, "\x02id", "\x00")
}

func FuzzRecord(f *testing.F) {
	hello := Record{Type: wire.ContentHandshake, Version: wire.VersionDTLS12, Fragment: []byte("hello")}
	withCID := Record{Type: wire.ContentTLS12CID, Version: wire.VersionDTLS12, CID: []byte("id"), Fragment: []byte("x")}
	f.Add(UnifiedRecord(2, 7, []byte("id"), []byte("secret")).Append(withCID.Append(hello.Append(nil))), 2)
	f.Add([]byte("\x21\x07to the end"), 0)
	f.Fuzz(func(t *testing.T, data []byte, cidSize int) {
		for len(data) > 0 {
			r, rest, err := NextRecord(data, cidSize)
			if err != nil {
				wiretest.CheckError(t, err, len(data))
				return
			}
			if got := r.Append(nil); !bytes.Equal(got, data[:r.Size()]) || r.Size()+len(rest) != len(data) {
				t.Errorf("read %x, wrote %x", data[:r.Size()], got)
			}
			data = rest
		}
	})
}

func FuzzFragment(f *testing.F) {
	f.Add(Fragment{wire.TypeClientHello, 9, 1, 3, []byte("data")}.Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		fragment, rest, err := NextFragment(data)
		if err != nil {
			wiretest.CheckError(t, err, len(data))
		} else if got := fragment.Append(nil); !bytes.Equal(got, data[:len(data)-len(rest)]) {
			t.Errorf("read %x, wrote %x", data, got)
		}
	})
}

// FuzzReassembler pushes anything that reads as fragments, and expects no more
// memory than the limits allow. What comes out is as long as its fragments said.
func FuzzReassembler(f *testing.F) {
	var seed []byte
	for _, fragment := range fragments(wire.TypeClientHello, 0, []byte("a body in pieces"), 5) {
		seed = fragment.Append(seed)
	}
	f.Add(seed)
	f.Add(Fragment{wire.TypeCertificate, 300, 9, 290, []byte("0123456789")}.Append(seed))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := Reassembler{Limit: 500, Messages: 3}
		for len(data) > 0 {
			fragment, rest, err := NextFragment(data)
			if err != nil {
				return
			}
			data = rest
			if r.Begins(fragment) {
				r.Reset()
			}
			if _, err := r.Push(fragment); err != nil {
				wiretest.CheckError(t, err, fragment.Length)
			}
			if m, err := r.Next(); err == nil && (len(m.Body) != fragment.Length || m.Seq != fragment.Seq) {
				t.Errorf("message %d of %d bytes from fragment %d of %d", m.Seq, len(m.Body), fragment.Seq, fragment.Length)
			}
		}
		if len(r.slots) > 3 {
			t.Errorf("%d messages under way", len(r.slots))
		}
		for i := range r.slots {
			if r.slots[i].parts.Memory() > 1200 {
				t.Errorf("holds %d bytes", r.slots[i].parts.Memory())
			}
		}
	})
}

func TestEachParserHasAFuzzTarget(t *testing.T) { wiretest.EachParserHasAFuzzTarget(t, 8) }
