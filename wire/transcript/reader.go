package transcript

import (
	"bytes"
	"errors"
	"fmt"

	"shakedown/wire"
	"shakedown/wire/protect"
)

// reader walks over the records of a connection.
type reader struct {
	learned
	chunks []Chunk
	data   [2][]byte // what each side sent
	keys   *protect.KeyLog
	out    *Transcript
	full   bool // no more entries are taken
	sides  [2]direction
	last   Side // who sent the last counted message
	facts  facts
}

// direction is what one side sends.
type direction struct {
	joiner   wire.Reassembler
	part     part    // the message that is not complete
	stages   []stage // keys still to come, in the order of their use
	changed  bool    // up to TLS 1.2: ChangeCipherSpec was sent
	finished bool
	place    int  // of its last message in the order of the protocol, from 1
	broken   bool // its handshake messages cannot be followed any more
}

// stage is one set of keys of a direction.
type stage struct {
	*protect.Opener
	epoch Epoch
}

// part adds up what one message takes on the wire.
type part struct {
	Entry
	bytes int // of the message
}

// add counts bytes of the message in a record, and the bytes of the record that
// belong to nothing else.
func (p *part) add(rec *record, size, overhead int) {
	if p.Records == 0 {
		p.Start, p.Seen = rec.start, rec.seen
	}
	p.bytes += size
	p.Wire += size + overhead
	p.Records++
	p.End, p.Time = rec.end, rec.time
}

// record opens a record and reads what it carries.
func (r *reader) record(rec record) {
	d := &r.sides[rec.from]
	if rec.sslv2 {
		r.sslv2(&rec)
		return
	}
	content, plain, epoch := rec.Type, rec.Fragment, Clear
	if r.protected(&rec, d) {
		content, plain, epoch = d.open(rec.Record)
	}
	r.interleaved(&rec, d, content)
	switch {
	case epoch == Closed:
		r.closed(&rec, d)
	case content == wire.ContentHandshake && !d.broken && len(plain) > 0:
		r.handshake(&rec, d, plain, epoch)
	case content == wire.ContentChangeCipherSpec:
		r.changeCipherSpec(&rec, d)
	default:
		r.other(&rec, content, plain, epoch)
	}
}

// interleaved notes records of another type inside a handshake message (RFC 8446
// 5.1). An alert may end one.
func (r *reader) interleaved(rec *record, d *direction, content wire.ContentType) {
	if d.part.bytes > 0 && !d.broken && content != wire.ContentHandshake && content != wire.ContentAlert {
		r.out.problem(rec.from, fmt.Errorf("%s comes inside a handshake message", content))
	}
}

// protected: TLS 1.3 hides all it encrypts behind application data; before it,
// ChangeCipherSpec says from where on.
func (r *reader) protected(rec *record, d *direction) bool {
	if r.tls13() || !r.answered {
		return rec.Type == wire.ContentApplicationData
	}
	return d.changed && rec.Type != wire.ContentChangeCipherSpec
}

// open tries the keys in the order of their use. Where later keys fit, the ones
// before are done with.
func (d *direction) open(rec wire.Record) (wire.ContentType, []byte, Epoch) {
	for i, s := range d.stages {
		if content, plain, err := s.Open(rec); err == nil {
			d.stages = d.stages[i:]
			return content, plain, s.epoch
		}
	}
	return rec.Type, nil, Closed
}

// handshake takes the messages out of a fragment.
func (r *reader) handshake(rec *record, d *direction, fragment []byte, epoch Epoch) {
	left, overhead := len(fragment), rec.size()-len(fragment)
	d.joiner.Push(fragment)
	first := len(r.out.Entries)
	for {
		m, err := d.joiner.Next()
		if err != nil {
			r.pause(rec, d, left, overhead, err)
			break
		}
		size := len(m.Raw) - d.part.bytes
		d.part.add(rec, size, overhead)
		left, overhead = left-size, 0
		r.message(rec.from, d, m, epoch)
	}
	r.markShared(first, d.part.bytes > 0)
}

// pause ends the reading of a fragment, at its end or at an error.
func (r *reader) pause(rec *record, d *direction, left, overhead int, err error) {
	if !errors.Is(err, wire.ErrIncomplete) {
		d.broken = true
		r.out.problem(rec.from, err)
		return
	}
	if left > 0 {
		d.part.add(rec, left, overhead)
	}
}

// markShared marks the messages of a record that is not theirs alone.
func (r *reader) markShared(first int, more bool) {
	entries := r.out.Entries[first:]
	if len(entries) > 1 || len(entries) == 1 && more {
		for i := range entries {
			entries[i].Shared = true
		}
	}
}

// message adds a handshake message and draws the consequences.
func (r *reader) message(from Side, d *direction, m wire.Handshake, epoch Epoch) {
	e := d.part.Entry
	d.part = part{}
	e.From, e.Content, e.Type, e.Epoch = from, wire.ContentHandshake, m.Type, epoch
	e.Name, e.Message, e.Size = m.Type.String(), bytes.Clone(m.Raw), len(m.Raw)
	e.Post = r.post(&e)
	if !e.Post && r.foreign(from, m.Type) {
		r.out.problem(from, fmt.Errorf("%s is no message of this side and version", e.Name))
	} else {
		r.consider(&e, d, m.Body)
	}
	e.Counted = !e.Post
	if e.Counted && e.Name != retryName {
		r.ordered(&e, d)
	}
	r.add(e)
	if e.Type == wire.TypeFinished {
		r.finished(d)
	}
}

// post: tickets and key updates of TLS 1.3, HelloRequest, and all that comes when
// both sides have finished.
func (r *reader) post(e *Entry) bool {
	switch e.Type {
	case wire.TypeNewSessionTicket, wire.TypeKeyUpdate:
		return r.out.Complete || r.tls13()
	case wire.TypeHelloRequest:
		return true
	default:
		return r.out.Complete
	}
}

func (r *reader) finished(d *direction) {
	d.finished = true
	r.out.Complete = r.sides[Client].finished && r.sides[Server].finished
}

// add appends an entry, counts it and gives it its flight.
func (r *reader) add(e Entry) {
	if len(r.out.Entries) >= maxEntries {
		r.out.problem(e.From, errTooMany)
		r.full = true
		return
	}
	t := r.out
	switch {
	case e.Counted:
		r.count(&e)
	case e.Post:
		t.Post++
	case !t.Complete:
		e.Flight = t.Flights
	}
	t.Entries = append(t.Entries, e)
}

func (r *reader) count(e *Entry) {
	t := r.out
	t.Messages++
	if t.Flights == 0 || e.From != r.last {
		t.Flights++
		if e.From == Server {
			t.RoundTrips++
		}
	}
	r.last, e.Flight = e.From, t.Flights
	if e.From == Client {
		t.ClientBytes = e.End
	} else {
		t.ServerBytes = e.End
	}
}
