package pieces

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// Parts of a text in random order, overlapping and repeated, make the text; what
// was there first stays, and a part is fresh just when it brings a new byte.
func TestPiecesInAnyOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		text := make([]byte, 1+random.IntN(300))
		for i := range text {
			text[i] = byte(random.Uint32())
		}
		var p Buffer
		have := make([]bool, len(text))
		for p.Reset(); len(p.Head()) < len(text); {
			from := random.IntN(len(text))
			to := min(from+random.IntN(60), len(text))
			checkAdd(t, &p, text, have, from, to)
		}
		if !bytes.Equal(p.Head(), text) || len(p.spans) != 1 {
			t.Fatalf("put together %x of %x, %d runs", p.Head(), text, len(p.spans))
		}
	}
}

// checkAdd adds text[from:to], with the bytes that are there already changed.
func checkAdd(t *testing.T, p *Buffer, text []byte, have []bool, from, to int) {
	t.Helper()
	part, want := bytes.Clone(text[from:to]), false
	for i := range part {
		if have[from+i] {
			part[i] ^= 0xFF
		}
		want = want || !have[from+i]
		have[from+i] = true
	}
	if fresh, ok := p.Add(from, part); fresh != want || !ok {
		t.Fatalf("%d to %d: fresh %v, want %v; room %v", from, to, fresh, want, ok)
	}
	for i := 1; i < len(p.spans); i++ {
		if p.spans[i-1].to >= p.spans[i].from {
			t.Fatalf("runs %v", p.spans)
		}
	}
}
