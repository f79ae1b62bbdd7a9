package wire

import (
	"bytes"
	"cmp"
	"crypto/tls"
	"slices"
	"testing"

	"shakedown/wire/internal/wiretest"
)

// hellos runs a handshake of crypto/tls and returns all handshake messages of
// each side that are in the clear.
func hellos(tb testing.TB, client, server *tls.Config) (fromClient, fromServer []Handshake) {
	tb.Helper()
	if len(server.Certificates) == 0 {
		server = server.Clone()
		server.Certificates = []tls.Certificate{wiretest.Certificate(tb)}
	}
	rec := wiretest.Handshake(tb, client, server)
	return clearMessages(tb, rec.Stream(true)), clearMessages(tb, rec.Stream(false))
}

// clearMessages takes a stream apart until ciphertext. After a ChangeCipherSpec
// only a hello can be in the clear.
func clearMessages(tb testing.TB, stream []byte) (messages []Handshake) {
	tb.Helper()
	var joiner Reassembler
	changed := false
	for {
		record, rest, err := NextRecord(stream)
		hello := err == nil && (record.Fragment[0] == byte(TypeClientHello) || record.Fragment[0] == byte(TypeServerHello))
		stream, changed = rest, changed || record.Type == ContentChangeCipherSpec
		if record.Type == ContentChangeCipherSpec {
			continue
		}
		if err != nil || record.Type != ContentHandshake || changed && !hello {
			return messages
		}
		joiner.Push(record.Fragment)
		for {
			m, err := joiner.Next()
			if err == ErrIncomplete {
				break
			}
			if err != nil {
				tb.Fatal(err)
			}
			raw := bytes.Clone(m.Raw)
			messages = append(messages, Handshake{m.Type, raw[HandshakeHeader:], raw})
		}
	}
}

func TestClientHelloOfGo(t *testing.T) {
	client, _ := hellos(t, &tls.Config{NextProtos: []string{"h2", "http/1.1"}}, &tls.Config{NextProtos: []string{"h2"}})
	var m ClientHello
	if err := m.Parse(client[0].Body); err != nil {
		t.Fatal(err)
	}
	if err := m.Check(); err != nil {
		t.Error(err)
	}
	if got := string(m.ServerName()); got != "localhost" {
		t.Errorf("server name %q", got)
	}
	if got := string(m.Protocols().First()); got != "h2" {
		t.Errorf("first protocol %q", got)
	}
	if got := m.MaxVersion(); got != VersionTLS13 {
		t.Errorf("version %04x", got)
	}
	shares := slices.Collect(m.KeyShares().All())
	if len(shares) != 2 || shares[0].Group != 0x11EC || len(shares[0].Data) != 1216 || len(shares[1].Data) != 32 {
		t.Errorf("shares: %d, first %04x of %d bytes", len(shares), shares[0].Group, len(shares[0].Data))
	}
	if !m.Groups().Has(0x001D) || !m.Signatures().Has(0x0403) {
		t.Error("x25519 or ecdsa_secp256r1_sha256 is not offered")
	}
	if m.EarlyData() || m.ECH() || m.QUIC() || m.PreSharedKeys().Len() > 0 {
		t.Error("offers what crypto/tls did not")
	}
	if got := m.Append(nil); !bytes.Equal(got, client[0].Body) {
		t.Error("written back it differs")
	}
	if got := AppendMessage(nil, &m); !bytes.Equal(got, client[0].Raw) {
		t.Error("written back with its header it differs")
	}
}

func TestExtensionCostsSumUp(t *testing.T) {
	client, _ := hellos(t, &tls.Config{}, &tls.Config{})
	var m ClientHello
	if err := m.Parse(client[0].Body); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for ext := range m.Extensions.All() {
		sum += ext.Cost()
	}
	if sum != len(m.Extensions) || m.Extensions.Len() < 8 {
		t.Errorf("extensions cost %d of %d bytes", sum, len(m.Extensions))
	}
}

func TestServerHelloOfGo(t *testing.T) {
	_, server := hellos(t, &tls.Config{}, &tls.Config{})
	var m ServerHello
	if err := m.Parse(server[0].Body); err != nil {
		t.Fatal(err)
	}
	share, ok := m.KeyShare()
	if !ok || share.Group != 0x11EC || len(share.Data) != 1120 {
		t.Errorf("share of %04x with %d bytes", share.Group, len(share.Data))
	}
	if m.Chosen() != VersionTLS13 || m.Version != VersionTLS12 || m.RetryRequest() || m.Downgrade() != 0 {
		t.Errorf("version %04x, retry %v", m.Chosen(), m.RetryRequest())
	}
	if _, ok := m.PreSharedKey(); ok {
		t.Error("resumed, of nothing")
	}
	if err := m.Check(); err != nil {
		t.Error(err)
	}
	if got := AppendMessage(nil, &m); !bytes.Equal(got, server[0].Raw) {
		t.Error("written back it differs")
	}
}

func TestHelloRetryRequestOfGo(t *testing.T) {
	client, server := hellos(t, &tls.Config{}, &tls.Config{CurvePreferences: []tls.CurveID{tls.CurveP384}})
	var retry, final ServerHello
	if err := cmp.Or(retry.Parse(server[0].Body), retry.Check(), final.Parse(server[1].Body)); err != nil {
		t.Fatal(err)
	}
	share, ok := retry.KeyShare()
	if !retry.RetryRequest() || !ok || share.Group != 0x0018 || share.Data != nil {
		t.Errorf("retry %v, share %v", retry.RetryRequest(), share)
	}
	if final.RetryRequest() {
		t.Error("the ServerHello counts as a retry")
	}
	var first, second ClientHello
	if err := cmp.Or(first.Parse(client[0].Body), second.Parse(client[1].Body)); err != nil {
		t.Fatal(err)
	}
	if first.KeyShares().Has(0x0018) || !second.KeyShares().Has(0x0018) {
		t.Error("the share of P-384 must be in the second hello only")
	}
}

func TestDowngradeSentinel(t *testing.T) {
	_, server := hellos(t, &tls.Config{MaxVersion: tls.VersionTLS12}, &tls.Config{})
	var m ServerHello
	if err := m.Parse(server[0].Body); err != nil {
		t.Fatal(err)
	}
	if m.Downgrade() != VersionTLS12 || m.Chosen() != VersionTLS12 {
		t.Errorf("downgrade %04x, version %04x", m.Downgrade(), m.Chosen())
	}
}

func TestHelloPairAllocatesNothing(t *testing.T) {
	pair := goPair(t)
	if n := testing.AllocsPerRun(100, func() { pair.parse(t) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkHelloPair reads a ClientHello and its ServerHello and what observers
// ask of them.
func BenchmarkHelloPair(b *testing.B) {
	pair := goPair(b)
	b.ReportAllocs()
	b.SetBytes(int64(len(pair.client) + len(pair.server)))
	for b.Loop() {
		pair.parse(b)
	}
}

// helloPair holds the first record of each side, and the structures that are
// used again and again.
type helloPair struct {
	client, server []byte
	ch             ClientHello
	sh             ServerHello
	joiner         Reassembler
	seen           int
}

func goPair(tb testing.TB) *helloPair {
	client, server := hellos(tb, &tls.Config{NextProtos: []string{"h2"}}, &tls.Config{NextProtos: []string{"h2"}})
	p := &helloPair{}
	p.client = Record{ContentHandshake, VersionTLS10, client[0].Raw}.Append(nil)
	p.server = Record{ContentHandshake, VersionTLS12, server[0].Raw}.Append(nil)
	return p
}

func (p *helloPair) parse(tb testing.TB) {
	err := p.ch.Parse(p.body(tb, p.client))
	if err == nil {
		err = p.sh.Parse(p.body(tb, p.server))
	}
	if err != nil {
		tb.Fatal(err)
	}
	p.seen = len(p.ch.ServerName()) + len(p.ch.Protocols().First()) + int(p.ch.MaxVersion())
	for group := range p.ch.Groups().All() {
		p.seen += int(group)
	}
	for share := range p.ch.KeyShares().All() {
		p.seen += len(share.Data)
	}
	share, _ := p.sh.KeyShare()
	p.seen += int(share.Group) + int(p.sh.Chosen())
}

func (p *helloPair) body(tb testing.TB, stream []byte) []byte {
	record, _, err := NextRecord(stream)
	if err != nil {
		tb.Fatal(err)
	}
	p.joiner.Push(record.Fragment)
	m, err := p.joiner.Next()
	if err != nil {
		tb.Fatal(err)
	}
	return m.Body
}
