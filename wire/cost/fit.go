package cost

import (
	"slices"

	"shakedown/result"
	"shakedown/wire"
	"shakedown/wire/transcript"
)

// worthwhile is what a change must save, in bytes, to be listed although it is not
// enough by itself.
const worthwhile = 8

// fitter composes a ClientHello without this and that, and measures it.
type fitter struct {
	hello *wire.ClientHello
	entry *transcript.Entry
	mss   int
}

// fitOf says whether the ClientHello of an entry leaves in one packet of mss bytes,
// and what would make it fit. Nothing is proposed for a hello with an extension
// that cannot be read.
func fitOf(m *wire.ClientHello, e *transcript.Entry, mss int) *result.Fit {
	f := fitter{m, e, mss}
	fit := &result.Fit{
		Label: result.Composed, MSS: mss, Bytes: e.Wire, Packets: Packets(e.Wire, mss), Spare: mss - e.Wire,
	}
	if m.Check() != nil {
		return fit
	}
	var listed []change
	for _, c := range changes(m, -fit.Spare) {
		way := f.way(c)
		if way.Saves >= worthwhile || way.Fits && fit.Spare < 0 {
			listed, fit.Ways = append(listed, c), append(fit.Ways, way)
		}
	}
	if fit.Spare < 0 {
		fit.Enough = f.enough(listed)
	}
	return fit
}

func (f *fitter) way(c change) result.Way {
	bytes := f.bytes(c)
	return result.Way{
		Name: c.name, Saves: f.entry.Wire - bytes, Bytes: bytes, Fits: bytes <= f.mss, Price: c.price,
	}
}

// bytes returns the bytes of the records after changes to the message.
func (f *fitter) bytes(all ...change) int {
	m := *f.hello
	for _, c := range all {
		c.apply(&m)
	}
	size := wire.HandshakeHeader + len(m.Append(nil))
	return f.entry.Wire - f.framed(f.entry.Size) + f.framed(size)
}

// framed adds the headers of the records to the bytes of a message. A client that
// fills its records needs one for each 2^14 bytes (RFC 8446 5.1); of one that cuts
// its message smaller, the number of records is taken to stay.
func (f *fitter) framed(size int) int {
	records := f.entry.Records
	if records == Packets(f.entry.Size, wire.MaxPlaintext) {
		records = Packets(size, wire.MaxPlaintext)
	}
	return size + records*wire.RecordHeader
}

// enough takes changes in their order until the message fits, and then drops those
// that turn out not to be needed, the dearest first. It is nil where all of them
// together are too few.
func (f *fitter) enough(listed []change) (names []string) {
	fits := func(all []change) bool { return f.bytes(all...) <= f.mss }
	taken := 0
	for taken < len(listed) && !fits(listed[:taken]) {
		taken++
	}
	list := slices.Clone(listed[:taken])
	if !fits(list) {
		return nil
	}
	for i := len(list) - 2; i >= 0; i-- {
		if fewer := slices.Delete(slices.Clone(list), i, i+1); fits(fewer) {
			list = fewer
		}
	}
	for _, c := range list {
		names = append(names, c.name)
	}
	return names
}
