package transcript

import (
	"bytes"
	"errors"

	"shakedown/wire"
)

var (
	errTooMany = errors.New("more messages than a transcript holds")
	errRetry   = errors.New("a second HelloRetryRequest")
	errChanged = errors.New("a second ChangeCipherSpec")
	errEmpty   = errors.New("an empty handshake record")
	errPart    = errors.New("the stream ends inside a handshake message")
)

// retryName is how a ServerHello is listed that is a HelloRetryRequest.
const retryName = "HelloRetryRequest"

// finishedSize is the length of Finished up to TLS 1.2 in bytes, header included
// (RFC 5246 7.4.9).
const finishedSize = wire.HandshakeHeader + 12

// entryOf begins an entry for a record that carries one thing.
func entryOf(rec *record, content wire.ContentType, epoch Epoch, name string) Entry {
	return Entry{
		From: rec.from, Content: content, Name: name, Epoch: epoch, Wire: rec.size(), Records: 1,
		Start: rec.start, End: rec.end, Seen: rec.seen, Time: rec.time,
	}
}

// changeCipherSpec counts up to TLS 1.2, where it turns encryption on, once. One
// after the handshake is that of a renegotiation, whose keys are not known.
func (r *reader) changeCipherSpec(rec *record, d *direction) {
	e := entryOf(rec, rec.Type, Clear, "ChangeCipherSpec")
	e.Message, e.Size = bytes.Clone(rec.Fragment), len(rec.Fragment)
	switch {
	case !r.answered || r.tls13():
	case !d.changed:
		e.Counted, d.changed = !r.out.Complete, true
		r.facts.changed(rec.from)
		r.keys12(rec.from, d)
	case !r.out.Complete:
		r.out.problem(rec.from, errChanged)
	}
	r.add(e)
}

// closed adds a record that no key opens. Up to TLS 1.2 the first handshake record
// behind ChangeCipherSpec can be nothing but Finished.
func (r *reader) closed(rec *record, d *direction) {
	e := entryOf(rec, rec.Type, Closed, "encrypted record")
	r.out.Opaque++
	if !r.tls13() && rec.Type == wire.ContentHandshake && !d.finished {
		e.Type, e.Name, e.Size, e.Counted = wire.TypeFinished, "Finished", finishedSize, true
		r.add(e)
		r.finished(d)
		return
	}
	if !r.tls13() {
		e.Name = "encrypted " + rec.Type.String()
	}
	r.add(e)
}

// other adds alerts, application data and what has no name.
func (r *reader) other(rec *record, content wire.ContentType, plain []byte, epoch Epoch) {
	e := entryOf(rec, content, epoch, content.String())
	e.Message, e.Size = bytes.Clone(plain), len(plain)
	switch content {
	case wire.ContentApplicationData:
		e.Name = "application data"
		if epoch == Early {
			e.Name = "early data"
			r.out.EarlyBytes += rec.size()
		}
	case wire.ContentAlert:
		var alert wire.Alert
		if alert.Parse(plain) == nil {
			e.Name = "alert " + alert.Description.String()
		}
	case wire.ContentHandshake:
		if len(plain) == 0 {
			r.out.problem(rec.from, errEmpty)
		}
	default:
	}
	r.add(e)
}

// sslv2 adds a hello in the clothes of SSL 2.0.
func (r *reader) sslv2(rec *record) {
	e := entryOf(rec, wire.ContentHandshake, Clear, "ClientHello (SSL 2.0)")
	e.Type, e.Counted = wire.TypeClientHello, true
	e.Message = bytes.Clone(rec.Fragment)
	hello, _, err := wire.ParseSSLv2ClientHello(rec.Fragment)
	if err != nil {
		r.out.problem(rec.from, err)
	}
	e.Size = hello.Size
	r.sides[Client].place = 1
	r.add(e)
}
