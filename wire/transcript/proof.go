package transcript

import (
	"strings"

	"shakedown/spec"
	"shakedown/wire"
)

// facts gathers what the messages say.
type facts struct {
	ages        []uint32 // of the identities that the client offered, in ms
	shared      bool     // the server took a pre-shared key
	index       int      // which
	group       string
	signature   string
	certificate bool // the server sent a Certificate, or a share of its own
	resumed12   bool
	extensions  bool // EncryptedExtensions were read
	early       bool // the server accepted 0-RTT
	mutual      bool // the client sent a certificate
}

// consider reads what a message says about the connection.
func (r *reader) consider(e *Entry, d *direction, body []byte) {
	f := &r.facts
	switch e.Type {
	case wire.TypeClientHello:
		r.considerClient(body)
	case wire.TypeServerHello:
		r.considerServer(e, body)
	case wire.TypeHelloRetryRequest:
		r.retried()
	case wire.TypeEncryptedExtensions:
		var m wire.EncryptedExtensions
		f.extensions = m.Parse(body) == nil
		f.early = f.extensions && m.EarlyData()
	case wire.TypeServerKeyExchange:
		r.considerExchange(body)
	case wire.TypeServerHelloDone:
		f.certificate = true
	case wire.TypeCertificate, wire.TypeCompressedCertificate:
		r.considerCertificate(e, body)
	case wire.TypeCertificateVerify:
		r.considerVerify(e, body)
	case wire.TypeKeyUpdate:
		r.update(d, body)
	default:
	}
}

func (r *reader) considerClient(body []byte) {
	var m wire.ClientHello
	if err := m.Parse(body); err != nil {
		r.out.problem(Client, err)
		return
	}
	r.facts.ages = r.facts.ages[:0]
	for identity := range m.PreSharedKeys().Identities() {
		r.facts.ages = append(r.facts.ages, identity.Age)
	}
}

func (r *reader) considerServer(e *Entry, body []byte) {
	var m wire.ServerHello
	if err := m.Parse(body); err != nil {
		r.out.problem(Server, err)
		return
	}
	if m.RetryRequest() {
		e.Name = retryName
		r.retried()
		return
	}
	if share, ok := m.KeyShare(); ok {
		r.facts.group = groupName(share.Group)
	}
	index, shared := m.PreSharedKey()
	r.facts.index, r.facts.shared = int(index), shared
}

// considerExchange reads group and signature of a ServerKeyExchange, of the key
// exchanges whose form is known.
func (r *reader) considerExchange(body []byte) {
	suite, _ := spec.SuiteByCode(r.suite)
	m := wire.ServerKeyExchange{Version: r.version, Exchange: exchangeOf(suite)}
	if m.Exchange == (wire.KeyExchange{}) {
		return
	}
	if err := m.Parse(body); err != nil {
		r.out.problem(Server, err)
		return
	}
	if m.Group != 0 {
		r.facts.group = groupName(m.Group)
	}
	r.facts.signature = schemeName(m.Scheme)
}

// exchangeOf says which form the ServerKeyExchange of a suite has.
func exchangeOf(suite spec.Suite) wire.KeyExchange {
	psk := strings.Contains(suite.Auth, "PSK")
	k := wire.KeyExchange{PSK: psk, Signed: !psk && suite.Auth != "anon"}
	switch suite.KeyExchange {
	case "ECDHE", "DHE":
		k.Params = suite.KeyExchange
	default:
		k.Signed = false
	}
	return k
}

func (r *reader) considerCertificate(e *Entry, body []byte) {
	if e.From == Server {
		r.facts.certificate = true
		return
	}
	m := wire.Certificate{TLS13: r.tls13()}
	r.facts.mutual = e.Type == wire.TypeCompressedCertificate || m.Parse(body) == nil && len(m.List) > 0
}

func (r *reader) considerVerify(e *Entry, body []byte) {
	m := wire.CertificateVerify{Version: r.version}
	if e.From == Server && m.Parse(body) == nil {
		r.facts.signature = schemeName(m.Scheme)
	}
}

// changed: a server that comes to ChangeCipherSpec without a certificate or share
// resumes (RFC 5246 7.3).
func (f *facts) changed(from Side) {
	if from == Server && !f.certificate {
		f.resumed12 = true
	}
}

// finish draws up counts and proof.
func (r *reader) finish() {
	t := r.out
	for side, d := range r.sides {
		if d.part.bytes > 0 && !d.broken {
			t.problem(Side(side), errPart)
		}
	}
	if r.facts.early {
		t.RoundTrips = 0
	}
	if !r.answered {
		return
	}
	p, retry := &t.Proof, t.HelloRetry
	suite, _ := spec.SuiteByCode(r.suite)
	p.Version, p.Suite = versionOf(r.version), suite.String()
	p.Group, p.Signature = r.facts.group, r.facts.signature
	p.HelloRetry = &retry
	r.mode(p, suite)
	if t.Complete {
		mutual := r.facts.mutual
		p.Mutual = &mutual
	}
}

// mode tells resumption from an external key by the age of the ticket, which is 0
// for external keys (RFC 8446 4.2.11).
func (r *reader) mode(p *spec.Proof, suite spec.Suite) {
	f := &r.facts
	p.Mode = string(spec.ModeFull)
	switch {
	case f.resumed12:
		p.Mode = string(spec.ModeResumed)
	case !r.tls13():
		p.PSK = strings.Contains(suite.Auth, "PSK")
	case f.shared && f.index < len(f.ages) && f.ages[f.index] == 0:
		p.PSK = true
	case f.shared:
		p.Mode = string(spec.ModeResumed)
	}
	if f.early {
		p.Mode = string(spec.ModeEarlyData)
	}
	if r.offered && f.extensions {
		p.Early = map[bool]string{true: "accepted", false: "rejected"}[f.early]
	}
}

func versionOf(code uint16) string {
	if v, _, ok := spec.VersionByCode(code); ok {
		return v.String()
	}
	return wire.VersionName(code)
}

func groupName(code uint16) string {
	group, _ := spec.GroupByCode(code)
	return group.String()
}

func schemeName(code uint16) string {
	if code == 0 {
		return ""
	}
	scheme, _ := spec.SignatureSchemeByCode(code)
	return scheme.String()
}
