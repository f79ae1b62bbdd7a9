// Package pieces puts bytes together that come by offset, in any order, again and
// overlapping: fragments of DTLS, CRYPTO frames of QUIC.
package pieces

import "slices"

// MaxSpans bounds the runs of bytes, with gaps between them, that a [Buffer] keeps
// apart, and with it the work of each call: far more than a flight in disorder has.
const MaxSpans = 128

// Buffer is what came so far. Of two copies of a byte the first counts. It takes
// memory up to the end of the last byte that came. The zero value is ready.
type Buffer struct {
	bytes []byte // by offset; what no span covers is not defined
	spans []span // in order, with gaps between them
}

// span is a run of bytes that came: from inclusive, to exclusive.
type span struct{ from, to int }

// Add puts data in its place and reports whether it held a byte that was missing,
// and whether there was room for one more run.
func (p *Buffer) Add(offset int, data []byte) (fresh, ok bool) {
	s := span{offset, offset + len(data)}
	first, last := p.touching(s)
	if len(data) == 0 || first+1 == last && p.spans[first].from <= s.from && s.to <= p.spans[first].to {
		return false, true
	}
	if first == last && len(p.spans) == MaxSpans {
		return false, false
	}
	p.fill(s, data, p.spans[first:last])
	if first < last {
		s = span{min(s.from, p.spans[first].from), max(s.to, p.spans[last-1].to)}
	}
	p.spans = slices.Replace(p.spans, first, last, s)
	return true, true
}

// touching returns the range of spans that overlap s or adjoin it.
func (p *Buffer) touching(s span) (first, last int) {
	for first < len(p.spans) && p.spans[first].to < s.from {
		first++
	}
	last = first
	for last < len(p.spans) && p.spans[last].from <= s.to {
		last++
	}
	return first, last
}

// fill copies the bytes of data that none of the spans has.
func (p *Buffer) fill(s span, data []byte, have []span) {
	if grow := s.to - len(p.bytes); grow > 0 {
		p.bytes = slices.Grow(p.bytes, grow)[:s.to]
	}
	at := s.from
	for _, h := range have {
		if h.from > at {
			copy(p.bytes[at:h.from], data[at-s.from:])
		}
		at = max(at, h.to)
	}
	if at < s.to {
		copy(p.bytes[at:s.to], data[at-s.from:])
	}
}

// Head returns the bytes from offset 0 to the first gap.
func (p *Buffer) Head() []byte {
	if len(p.spans) == 0 || p.spans[0].from > 0 {
		return nil
	}
	return p.bytes[:p.spans[0].to:p.spans[0].to]
}

// Spans returns the number of runs, with gaps between them.
func (p *Buffer) Spans() int { return len(p.spans) }

// Memory returns the bytes of memory that are kept for bytes to come.
func (p *Buffer) Memory() int { return cap(p.bytes) }

// Reset forgets everything but the memory.
func (p *Buffer) Reset() { p.bytes, p.spans = p.bytes[:0], p.spans[:0] }
