package transcript

import (
	"bytes"
	"errors"

	"shakedown/wire"
)

// learned is what the hellos say about the whole connection. It is read first,
// since 0-RTT data comes before the ServerHello that names its suite.
type learned struct {
	random   []byte // of the client
	offered  bool   // the client offered 0-RTT
	answered bool   // a ServerHello is there
	version  uint16
	suite    uint16
	server   []byte // random of the server
	etm      bool   // encrypt-then-MAC
}

// tls13 reports whether TLS 1.3 or one of its drafts was chosen.
func (l *learned) tls13() bool { return wire.IsVersion13(l.version) }

// learn looks for the first ClientHello and the last ServerHello among the records
// in the clear.
func (r *reader) learn(limit int) {
	var joiners [2]wire.Reassembler
	joiners[Client].Limit, joiners[Server].Limit = limit, limit
	var closed [2]bool
	for rec := range r.records(func(Side, error) {}) {
		if rec.sslv2 || closed[rec.from] || rec.Type != wire.ContentHandshake {
			continue
		}
		joiners[rec.from].Push(rec.Fragment)
		for {
			m, err := joiners[rec.from].Next()
			if err != nil {
				closed[rec.from] = !errors.Is(err, wire.ErrIncomplete)
				break
			}
			r.hello(rec.from, m)
			closed[rec.from] = r.known(rec.from)
		}
		if closed[Client] && closed[Server] {
			return
		}
	}
}

// known: nothing more is to be learned from a side.
func (r *reader) known(side Side) bool {
	if side == Client {
		return r.random != nil
	}
	return r.answered
}

func (r *reader) hello(from Side, m wire.Handshake) {
	switch {
	case from == Client && m.Type == wire.TypeClientHello && r.random == nil:
		var hello wire.ClientHello
		if hello.Parse(m.Body) == nil {
			r.clientHello(&hello)
		}
	case from == Server && m.Type == wire.TypeServerHello:
		var hello wire.ServerHello
		if hello.Parse(m.Body) == nil && !hello.RetryRequest() {
			r.serverHello(&hello)
		}
	}
}

func (r *reader) clientHello(m *wire.ClientHello) {
	r.random, r.offered = bytes.Clone(m.Random), m.EarlyData()
}

func (r *reader) serverHello(m *wire.ServerHello) {
	r.answered, r.version, r.suite = true, m.Chosen(), m.Suite
	r.server, r.etm = bytes.Clone(m.Random), m.Extensions.Has(wire.ExtEncryptThenMAC)
}
