package dtls

import (
	"slices"
	"strings"
	"testing"

	"shakedown/wire"
	"shakedown/wire/internal/pieces"
)

// A large certificate in fragments of one byte, in order and backwards, is put
// together in a handful of pieces of memory: nothing is copied again and again.
func TestFragmentsOfOneByte(t *testing.T) {
	const size = 1 << 18
	ordered := fragments(wire.TypeCertificate, 0, make([]byte, size), 1)
	backwards := slices.Clone(ordered)
	slices.Reverse(backwards)
	for name, parts := range map[string][]Fragment{"in order": ordered, "backwards": backwards} {
		var r Reassembler
		allocations := testing.AllocsPerRun(1, func() {
			r = Reassembler{Limit: 2 << 20}
			for _, f := range parts {
				if fresh, err := r.Push(f); !fresh || err != nil {
					t.Fatal(name, fresh, err)
				}
			}
		})
		m, err := r.Next()
		if err != nil || len(m.Body) != size {
			t.Errorf("%s: %d bytes, %v", name, len(m.Body), err)
		}
		if memory := r.slots[0].parts.Memory(); allocations > 100 || memory > 2*size {
			t.Errorf("%s: %v allocations, %d bytes", name, allocations, memory)
		}
	}
}

// Fragments with a gap before each would make one run each: past the limit they are
// refused, and what the work of each depends on stays small.
func TestFragmentsWithGaps(t *testing.T) {
	var r Reassembler
	refused := 0
	for at := range 10000 {
		_, err := r.Push(Fragment{wire.TypeCertificate, 1 << 16, 0, 2 * at, []byte("x")})
		if err == nil {
			continue
		}
		if refused++; !strings.HasSuffix(err.Error(), "too many fragments with gaps between them") {
			t.Fatal(err)
		}
	}
	if refused != 10000-pieces.MaxSpans || r.slots[0].parts.Spans() != pieces.MaxSpans {
		t.Errorf("refused %d, keeps %d runs", refused, r.slots[0].parts.Spans())
	}
}

// What a length claims costs nothing until the bytes come, and what brings nothing
// costs nothing however often it comes.
func TestFloodsCostNothing(t *testing.T) {
	var r Reassembler
	_, _ = r.Push(Fragment{wire.TypeCertificate, 1 << 19, 1, 0, []byte("x")})
	verify := AppendMessage(nil, 0, &HelloVerifyRequest{wire.VersionDTLS10, []byte("cookie")})
	request, _, err := NextFragment(verify)
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]Fragment{
		"a length":             {wire.TypeCertificate, 1 << 19, 1, 0, []byte("x")},
		"empty fragments":      {wire.TypeCertificate, 1 << 19, 2, 0, nil},
		"a message from past":  {wire.TypeCertificate, 9, 1 << 15, 0, []byte("x")},
		"HelloVerifyRequests":  request,
		"an end without start": {wire.TypeCertificate, 1 << 19, 1, 0, nil},
	} {
		if n := testing.AllocsPerRun(1000, func() { _, _ = r.Push(f); _, _ = r.Next() }); n > 0 {
			t.Errorf("%s: %v allocations each", name, n)
		}
	}
	if len(r.slots) != 1 || r.slots[0].parts.Memory() > 64 {
		t.Errorf("%d messages under way, %d bytes", len(r.slots), r.slots[0].parts.Memory())
	}
}

// Messages that are begun and never ended take up to the limits, and no more.
func TestMessagesThatNeverEnd(t *testing.T) {
	r := Reassembler{Limit: 1 << 16}
	for seq := range uint16(maxAhead) {
		_, err := r.Push(Fragment{wire.TypeCertificate, 1 << 15, seq, 1<<15 - 1, []byte("x")})
		if seq < DefaultMessages && err != nil || seq >= DefaultMessages &&
			(err == nil || !strings.HasSuffix(err.Error(), "too many messages are under way")) {
			t.Errorf("message %d: %v", seq, err)
		}
	}
	total := 0
	for i := range r.slots {
		total += r.slots[i].parts.Memory()
	}
	if len(r.slots) != DefaultMessages || total > 2*DefaultMessages<<15 {
		t.Errorf("%d messages under way, %d bytes", len(r.slots), total)
	}
}

// A certificate of 1 MB is larger than the default limit, of which its header is a
// part, and smaller than one that the caller sets.
func TestLimit(t *testing.T) {
	f := Fragment{wire.TypeCertificate, 1 << 20, 0, 0, make([]byte, 1<<20)}
	var r Reassembler
	if _, err := r.Push(f); err == nil || err.Error() != "Certificate at byte 0: message is larger than the limit" {
		t.Error(err)
	}
	r.Limit = 2 << 20
	if fresh, err := r.Push(f); !fresh || err != nil {
		t.Error(fresh, err)
	}
}
