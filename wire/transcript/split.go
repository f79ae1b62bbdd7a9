package transcript

import (
	"errors"
	"time"

	"shakedown/wire"
)

// record is one record with its place and time.
type record struct {
	wire.Record
	from       Side
	start, end int           // in the sender's stream
	seen, time time.Duration // of its first and last byte
	sslv2      bool          // a hello of SSL 2.0, whole, in the place of a record
}

// size returns the bytes on the wire.
func (r *record) size() int { return r.end - r.start }

// stream gathers what a side sent.
type stream struct {
	from  Side
	data  []byte
	start int           // of the record that is not complete
	seen  time.Duration // when its first byte was seen
	dead  bool          // no record can be found any more
}

var errCut = errors.New("the stream ends inside a record")

// split finds the records of both streams, in the order in which they were
// complete.
func (r *reader) split(chunks []Chunk) (records []record) {
	streams := [2]stream{{from: Client}, {from: Server}}
	for _, chunk := range chunks {
		if chunk.From > Server {
			continue
		}
		s := &streams[chunk.From]
		found, err := s.add(chunk)
		records = append(records, found...)
		if err != nil {
			r.out.problem(s.from, err)
		}
	}
	for _, s := range streams {
		if !s.dead && s.start < len(s.data) {
			r.out.problem(s.from, errCut)
		}
	}
	return records
}

// add takes a chunk and returns the records that it completes.
func (s *stream) add(chunk Chunk) (found []record, err error) {
	if s.dead {
		return nil, nil
	}
	if s.start == len(s.data) {
		s.seen = chunk.Time
	}
	s.data = append(s.data, chunk.Data...)
	for s.start < len(s.data) {
		next, err := s.next()
		if errors.Is(err, wire.ErrIncomplete) {
			break
		}
		if err != nil {
			s.dead = true
			return found, err
		}
		next.from, next.seen, next.time = s.from, s.seen, chunk.Time
		found, s.start, s.seen = append(found, next), next.end, chunk.Time
	}
	return found, nil
}

// next reads one record. Only the first of a client can be of SSL 2.0.
func (s *stream) next() (r record, err error) {
	data := s.data[s.start:]
	r.start = s.start
	if s.start == 0 && s.from == Client && wire.IsSSLv2ClientHello(data) {
		_, rest, err := wire.ParseSSLv2ClientHello(data)
		r.sslv2, r.end = true, len(s.data)-len(rest)
		r.Type, r.Fragment = wire.ContentHandshake, data[:r.end]
		return r, err
	}
	var rest []byte
	r.Record, rest, err = wire.NextRecord(data)
	r.end = len(s.data) - len(rest)
	return r, err
}
