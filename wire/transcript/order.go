package transcript

import (
	"fmt"
	"slices"

	"shakedown/wire"
)

// The messages of each side in their order: RFC 5246 7.3 with RFC 4680, 5077 and
// 6066, and RFC 8446 2. A side sends some of them, none twice.
var (
	order12 = [2][]wire.HandshakeType{
		Client: {
			wire.TypeClientHello, wire.TypeSupplementalData, wire.TypeCertificate, wire.TypeCertificateURL,
			wire.TypeClientKeyExchange, wire.TypeCertificateVerify, wire.TypeFinished,
		},
		Server: {
			wire.TypeServerHello, wire.TypeSupplementalData, wire.TypeCertificate, wire.TypeCertificateStatus,
			wire.TypeServerKeyExchange, wire.TypeCertificateRequest, wire.TypeServerHelloDone,
			wire.TypeNewSessionTicket, wire.TypeFinished,
		},
	}
	order13 = [2][]wire.HandshakeType{
		Client: {
			wire.TypeClientHello, wire.TypeEndOfEarlyData, wire.TypeCertificate, wire.TypeCompressedCertificate,
			wire.TypeCertificateVerify, wire.TypeFinished,
		},
		Server: {
			wire.TypeServerHello, wire.TypeEncryptedExtensions, wire.TypeCertificateRequest, wire.TypeCertificate,
			wire.TypeCompressedCertificate, wire.TypeCertificateVerify, wire.TypeFinished,
		},
	}
)

// order returns the messages that a side may send.
func (r *reader) order(side Side) []wire.HandshakeType {
	if r.tls13() {
		return order13[side]
	}
	return order12[side]
}

// foreign reports whether a message belongs to the other side or to another
// version. Types that are not known belong nowhere, and anywhere.
func (r *reader) foreign(from Side, t wire.HandshakeType) bool {
	known := false
	for _, orders := range [][2][]wire.HandshakeType{order12, order13} {
		known = known || slices.Contains(orders[Client], t) || slices.Contains(orders[Server], t)
	}
	return known && !slices.Contains(r.order(from), t)
}

// ordered notes a message that comes at the wrong place. It is listed all the same.
func (r *reader) ordered(e *Entry, d *direction) {
	order := r.order(e.From)
	place := slices.Index(order, e.Type) + 1
	switch {
	case place == 0:
		return
	case e.From == Server && r.sides[Client].place == 0:
		r.out.problem(e.From, fmt.Errorf("%s comes before the ClientHello", e.Name))
	case d.place == 0 && place > 1:
		r.out.problem(e.From, fmt.Errorf("%s comes before the %s", e.Name, order[0]))
	case place <= d.place:
		r.out.problem(e.From, fmt.Errorf("%s comes after %s", e.Name, order[d.place-1]))
	}
	d.place = place
}

// retried lets both hellos come once more, after the first HelloRetryRequest only
// (RFC 8446 4.1.4).
func (r *reader) retried() {
	if r.out.HelloRetry {
		r.out.problem(Server, errRetry)
		return
	}
	r.sides[Client].place, r.sides[Server].place = 0, 0
	r.out.HelloRetry = true
}
