package transcript

import (
	"cmp"
	"errors"
	"iter"
	"time"

	"shakedown/wire"
)

// record is one record with its place and time.
type record struct {
	wire.Record
	from       Side
	start, end int           // in the sender's stream
	seen, time time.Duration // when its first byte was sent, and its last was seen
	sslv2      bool          // a hello of SSL 2.0, whole, in the place of a record
}

// size returns the bytes on the wire.
func (r *record) size() int { return r.end - r.start }

// stream finds the records of what a side sent.
type stream struct {
	from  Side
	data  []byte
	have  int           // bytes that were seen so far
	start int           // of the record that is not complete
	seen  time.Duration // when its first byte was sent
	sent  time.Duration // when the last chunk was
	dead  bool          // no record can be found any more
}

var errCut = errors.New("the stream ends inside a record")

// join copies what a side sent into one piece.
func join(chunks []Chunk, from Side) []byte {
	size := 0
	for _, chunk := range chunks {
		if chunk.From == from {
			size += len(chunk.Data)
		}
	}
	data := make([]byte, 0, size)
	for _, chunk := range chunks {
		if chunk.From == from {
			data = append(data, chunk.Data...)
		}
	}
	return data
}

// records yields the records of both streams, in the order in which they were
// complete, and tells why a stream cannot be followed. It is walked twice, which
// costs less than to keep a list: records may be as small as 5 bytes.
func (r *reader) records(problem func(Side, error)) iter.Seq[record] {
	return func(yield func(record) bool) {
		streams := [2]stream{{from: Client, data: r.data[Client]}, {from: Server, data: r.data[Server]}}
		for _, chunk := range r.chunks {
			if chunk.From > Server {
				continue
			}
			s := &streams[chunk.From]
			s.arrive(chunk)
			for rec, err := s.next(chunk.Time); !errors.Is(err, wire.ErrIncomplete); rec, err = s.next(chunk.Time) {
				if err != nil {
					s.dead = true
					problem(s.from, err)
				} else if !yield(rec) {
					return
				}
			}
		}
		for _, s := range streams {
			if !s.dead && s.start < s.have {
				problem(s.from, errCut)
			}
		}
	}
}

// arrive takes note of a chunk.
func (s *stream) arrive(chunk Chunk) {
	s.sent = cmp.Or(chunk.Sent, chunk.Time)
	if s.start == s.have {
		s.seen = s.sent
	}
	s.have += len(chunk.Data)
}

// next reads the record that a chunk completed at a time. The error is
// [wire.ErrIncomplete] where there is none.
func (s *stream) next(now time.Duration) (r record, err error) {
	if s.dead || s.start == s.have {
		return r, wire.ErrIncomplete
	}
	r.from, r.start, r.seen, r.time = s.from, s.start, s.seen, now
	rest, err := s.parse(&r)
	if err != nil {
		return r, err
	}
	r.end = s.have - len(rest)
	s.start, s.seen = r.end, s.sent
	return r, nil
}

// parse reads one record. Only the first of a client can be of SSL 2.0.
func (s *stream) parse(r *record) (rest []byte, err error) {
	data := s.data[s.start:s.have]
	if s.start > 0 || s.from != Client || !wire.IsSSLv2ClientHello(data) {
		r.Record, rest, err = wire.NextRecord(data)
		return rest, err
	}
	_, rest, err = wire.ParseSSLv2ClientHello(data)
	r.sslv2, r.Type, r.Fragment = true, wire.ContentHandshake, data[:len(data)-len(rest)]
	return rest, err
}
