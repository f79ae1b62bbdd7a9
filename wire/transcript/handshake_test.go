package transcript

import (
	"crypto/tls"
	"strings"
	"testing"

	"shakedown/wire"
	"shakedown/wire/internal/wiretest"
	"shakedown/wire/protect"
)

// connect runs a handshake of crypto/tls and reads it with its keys.
func connect(tb testing.TB, client, server *tls.Config) (*Transcript, *wiretest.Recording) {
	tb.Helper()
	rec := wiretest.Handshake(tb, client, server)
	return Read(recorded(tb, rec)), rec
}

func recorded(tb testing.TB, rec *wiretest.Recording) Connection {
	tb.Helper()
	keys, err := protect.ParseKeyLog(rec.KeyLog)
	if err != nil {
		tb.Fatal(err)
	}
	c := Connection{Keys: keys}
	for _, chunk := range rec.Chunks {
		from := Server
		if chunk.FromClient {
			from = Client
		}
		c.Chunks = append(c.Chunks, Chunk{From: from, Time: chunk.Time, Data: chunk.Data})
	}
	return c
}

func serverConfig(tb testing.TB) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{wiretest.Certificate(tb)}}
}

// upToData cuts the list before application data and what follows.
func upToData(t *Transcript) *Transcript {
	short := *t
	for i, e := range t.Entries {
		if e.Name == "application data" {
			short.Entries = t.Entries[:i]
			break
		}
	}
	return &short
}

const full12 = `
c ClientHello
s ServerHello
s Certificate
s ServerKeyExchange
s ServerHelloDone
c ClientKeyExchange
c ChangeCipherSpec
c Finished
s ChangeCipherSpec
s Finished
`

func TestFull12(t *testing.T) {
	server := serverConfig(t)
	server.SessionTicketsDisabled = true
	got, rec := connect(t, &tls.Config{MaxVersion: tls.VersionTLS12, CurvePreferences: []tls.CurveID{tls.X25519}}, server)
	expect(t, upToData(got), full12, 10, 4, 2)
	p := got.Proof
	if p.Version != "1.2" || p.Group != "x25519" || p.Signature != "ecdsa_secp256r1_sha256" || p.Mode != "full" || *p.Mutual {
		t.Errorf("proof %+v", p)
	}
	if p.Suite != tls.CipherSuiteName(rec.State.CipherSuite) || !got.Complete || got.Opaque != 0 {
		t.Errorf("suite %s, opaque %d", p.Suite, got.Opaque)
	}
	withoutKeys := recorded(t, rec)
	withoutKeys.Keys = nil
	expect(t, upToClosed(Read(withoutKeys)), full12, 10, 4, 2)
}

// upToClosed cuts the list before the first record that stayed closed, Finished
// left aside.
func upToClosed(t *Transcript) *Transcript {
	short := *t
	for i, e := range t.Entries {
		if e.Epoch == Closed && !e.Counted {
			short.Entries = t.Entries[:i]
			break
		}
	}
	return &short
}

// Each suite of TLS 1.2 and 1.0 that crypto/tls speaks is opened: the data comes
// out as it went in.
func TestSuites12(t *testing.T) {
	for _, c := range []struct{ version, suite uint16 }{
		{tls.VersionTLS12, tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256},
		{tls.VersionTLS12, tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384},
		{tls.VersionTLS12, tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256},
		{tls.VersionTLS12, tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256},
		{tls.VersionTLS12, tls.TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA},
		{tls.VersionTLS11, tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA},
		{tls.VersionTLS10, tls.TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA},
	} {
		t.Run(tls.VersionName(c.version)+" "+tls.CipherSuiteName(c.suite), func(t *testing.T) {
			config := &tls.Config{MinVersion: c.version, MaxVersion: c.version, CipherSuites: []uint16{c.suite}}
			server := serverConfig(t)
			server.MinVersion, server.SessionTicketsDisabled, server.CipherSuites = c.version, true, config.CipherSuites
			got, _ := connect(t, config, server)
			expect(t, upToData(got), full12, 10, 4, 2)
			if got.Opaque != 0 || !strings.Contains(data(got, Client), "ping") || !strings.Contains(data(got, Server), "pong") {
				t.Errorf("opaque %d, data %q and %q", got.Opaque, data(got, Client), data(got, Server))
			}
		})
	}
}

// data joins the application data of a side.
func data(t *Transcript, from Side) string {
	var b strings.Builder
	for _, e := range t.Entries {
		if e.From == from && e.Content == wire.ContentApplicationData {
			b.Write(e.Message)
		}
	}
	return b.String()
}

// The key log of crypto/tls does not have the secret of a resumed connection: the
// messages are counted without it.
func TestTicketAndResumption12(t *testing.T) {
	server := serverConfig(t)
	client := &tls.Config{MaxVersion: tls.VersionTLS12, ClientSessionCache: tls.NewLRUClientSessionCache(1)}
	first, _ := connect(t, client, server)
	if first.Messages != 11 || first.RoundTrips != 2 || first.Proof.Mode != "full" {
		t.Errorf("with a ticket: %d messages, %d round trips, %s", first.Messages, first.RoundTrips, first.Proof.Mode)
	}
	got, rec := connect(t, client, server)
	if !rec.State.DidResume {
		t.Fatal("crypto/tls did not resume")
	}
	expect(t, upToClosed(upToData(got)), `
c ClientHello
s ServerHello
s NewSessionTicket
s ChangeCipherSpec
s Finished
c ChangeCipherSpec
c Finished
`, 7, 3, 1)
	if got.Proof.Mode != "resumed" || got.Proof.Group != "" {
		t.Errorf("proof %+v", got.Proof)
	}
}

func TestFull13(t *testing.T) {
	got, rec := connect(t, &tls.Config{ClientSessionCache: tls.NewLRUClientSessionCache(1)}, serverConfig(t))
	expect(t, withoutCCS(upToData(got)), `
c ClientHello
s ServerHello
s EncryptedExtensions
s Certificate
s CertificateVerify
s Finished
c Finished
`, 7, 3, 1)
	p := got.Proof
	if p.Version != "1.3" || p.Group != "X25519MLKEM768" || p.Mode != "full" || p.Signature != "ecdsa_secp256r1_sha256" {
		t.Errorf("proof %+v", p)
	}
	if p.Suite != tls.CipherSuiteName(rec.State.CipherSuite) || got.Opaque != 0 || got.Post != 1 {
		t.Errorf("suite %s, opaque %d, post %d", p.Suite, got.Opaque, got.Post)
	}
	if data(got, Client) != "ping" || data(got, Server) != "pong" {
		t.Errorf("data %q and %q", data(got, Client), data(got, Server))
	}
	if sum := wireSum(got, Client); sum != len(rec.Stream(true)) {
		t.Errorf("the client's entries have %d bytes of %d", sum, len(rec.Stream(true)))
	}
	if sum := wireSum(got, Server); sum != len(rec.Stream(false)) {
		t.Errorf("the server's entries have %d bytes of %d", sum, len(rec.Stream(false)))
	}
}

func wireSum(t *Transcript, from Side) (sum int) {
	for _, e := range t.Entries {
		if e.From == from {
			sum += e.Wire
		}
	}
	return sum
}

// withoutCCS leaves out the ChangeCipherSpec that means nothing in TLS 1.3, and
// tickets, whose place is not fixed.
func withoutCCS(t *Transcript) *Transcript {
	short := *t
	short.Entries = nil
	for _, e := range t.Entries {
		if e.Counted {
			short.Entries = append(short.Entries, e)
		}
	}
	return &short
}

func TestResumed13(t *testing.T) {
	server := serverConfig(t)
	client := &tls.Config{ClientSessionCache: tls.NewLRUClientSessionCache(1)}
	connect(t, client, server)
	got, rec := connect(t, client, server)
	if !rec.State.DidResume {
		t.Fatal("crypto/tls did not resume")
	}
	expect(t, withoutCCS(upToData(got)), `
c ClientHello
s ServerHello
s EncryptedExtensions
s Finished
c Finished
`, 5, 3, 1)
	if p := got.Proof; p.Mode != "resumed" || p.PSK || p.Group != "X25519MLKEM768" || p.Early != "" {
		t.Errorf("proof %+v", p)
	}
}

func TestHelloRetry13(t *testing.T) {
	server := serverConfig(t)
	server.CurvePreferences = []tls.CurveID{tls.CurveP384}
	got, _ := connect(t, &tls.Config{}, server)
	expect(t, withoutCCS(upToData(got)), `
c ClientHello
s HelloRetryRequest
c ClientHello
s ServerHello
s EncryptedExtensions
s Certificate
s CertificateVerify
s Finished
c Finished
`, 9, 5, 2)
	if !got.HelloRetry || !*got.Proof.HelloRetry || got.Proof.Group != "secp384r1" {
		t.Errorf("proof %+v", got.Proof)
	}
}

func TestMutual(t *testing.T) {
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		server := serverConfig(t)
		server.ClientAuth = tls.RequireAnyClientCert
		got, _ := connect(t, &tls.Config{MaxVersion: version, Certificates: server.Certificates}, server)
		if p := got.Proof; got.Problem != "" || p.Mutual == nil || !*p.Mutual || got.Opaque != 0 {
			t.Errorf("%s: proof %+v, problem %q", tls.VersionName(version), p, got.Problem)
		}
	}
}
