package wire

import (
	"iter"

	"shakedown/wire/internal/codec"
)

// Certificate is a chain of certificates, leaf first. The certificates
// themselves stay closed; their sizes are what the lab asks for.
type Certificate struct {
	TLS13   bool   // the form of RFC 8446 4.4.2, else that of RFC 5246 7.4.2
	Context []byte // certificate_request_context, TLS 1.3 only
	List    []byte // entries as they stand on the wire
}

// CertificateEntry is one certificate of a chain.
type CertificateEntry struct {
	Data       []byte     // DER, or a raw public key (RFC 7250)
	Extensions Extensions // TLS 1.3 only: stapled answers
}

// Type returns TypeCertificate.
func (*Certificate) Type() HandshakeType { return TypeCertificate }

// Parse reads the body in the form that TLS13 says, which stays as it is.
func (m *Certificate) Parse(body []byte) error {
	r := codec.Reader{What: "Certificate", All: body}
	m.Context = nil
	if m.TLS13 {
		m.Context = r.Vector8()
	}
	m.List = r.Vector24()
	if err := r.Done(); err != nil {
		return err
	}
	entries := codec.Reader{What: "Certificate", All: m.List}
	for entries.Left() > 0 {
		m.entry(&entries)
	}
	return entries.Err()
}

func (m *Certificate) entry(r *codec.Reader) (e CertificateEntry) {
	e.Data = r.Vector24()
	if m.TLS13 {
		e.Extensions = extensions(r)
	}
	return e
}

// Entries yields the certificates, leaf first.
func (m *Certificate) Entries() iter.Seq[CertificateEntry] {
	return func(yield func(CertificateEntry) bool) {
		r := codec.Reader{What: "Certificate", All: m.List}
		for r.Left() > 0 {
			if e := m.entry(&r); r.Failed() || !yield(e) {
				return
			}
		}
	}
}

// Append writes the body.
func (m *Certificate) Append(dst []byte) []byte {
	if m.TLS13 {
		dst = codec.AppendVector8(dst, m.Context)
	}
	return codec.AppendVector24(dst, m.List)
}
