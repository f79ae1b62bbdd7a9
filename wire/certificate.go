package wire

import "iter"

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
	r := reader{what: "Certificate", all: body}
	m.Context = nil
	if m.TLS13 {
		m.Context = r.vector8()
	}
	m.List = r.vector24()
	if err := r.done(); err != nil {
		return err
	}
	entries := reader{what: "Certificate", all: m.List}
	for entries.left() > 0 {
		m.entry(&entries)
	}
	return entries.err()
}

func (m *Certificate) entry(r *reader) (e CertificateEntry) {
	e.Data = r.vector24()
	if m.TLS13 {
		e.Extensions = r.extensions()
	}
	return e
}

// Entries yields the certificates, leaf first.
func (m *Certificate) Entries() iter.Seq[CertificateEntry] {
	return func(yield func(CertificateEntry) bool) {
		r := reader{what: "Certificate", all: m.List}
		for r.left() > 0 {
			if e := m.entry(&r); r.failed != nil || !yield(e) {
				return
			}
		}
	}
}

// Append writes the body.
func (m *Certificate) Append(dst []byte) []byte {
	if m.TLS13 {
		dst = appendVector8(dst, m.Context)
	}
	return appendVector24(dst, m.List)
}
