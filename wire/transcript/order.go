package transcript

import (
	"fmt"
	"slices"

	"shakedown/wire"
)

// The order of the messages of either side: RFC 5246 7.3 with RFC 5077 and 6066,
// and RFC 8446 2. A side sends some of them, none twice.
var (
	order12 = []wire.HandshakeType{
		wire.TypeClientHello, wire.TypeServerHello, wire.TypeSupplementalData, wire.TypeCertificate,
		wire.TypeCertificateStatus, wire.TypeServerKeyExchange, wire.TypeCertificateRequest,
		wire.TypeServerHelloDone, wire.TypeClientKeyExchange, wire.TypeCertificateVerify,
		wire.TypeNewSessionTicket, wire.TypeFinished,
	}
	order13 = []wire.HandshakeType{
		wire.TypeClientHello, wire.TypeServerHello, wire.TypeEncryptedExtensions, wire.TypeEndOfEarlyData,
		wire.TypeCertificateRequest, wire.TypeCertificate, wire.TypeCompressedCertificate,
		wire.TypeCertificateVerify, wire.TypeFinished,
	}
)

// ordered notes a message that comes at the wrong place. It is listed all the same.
func (r *reader) ordered(e *Entry, d *direction) {
	order := order12
	if r.tls13() {
		order = order13
	}
	place := slices.Index(order, e.Type) + 1
	if place == 0 {
		return
	}
	if place <= d.place {
		r.out.problem(e.From, fmt.Errorf("%s comes after %s", e.Name, order[d.place-1]))
	}
	d.place = place
}

// retried lets both hellos come once more, after the first HelloRetryRequest only
// (RFC 8446 4.1.4).
func (r *reader) retried() {
	if !r.out.HelloRetry {
		r.sides[Client].place, r.sides[Server].place = 0, 0
	}
	r.out.HelloRetry = true
}
