package cost

import (
	"crypto/tls"
	"runtime"
	"slices"
	"strings"
	"testing"

	"shakedown/result"
	"shakedown/wire/internal/wiretest"
	"shakedown/wire/transcript"
)

func TestGoDefault(t *testing.T) {
	out := of(t, connect(t, &tls.Config{}, serverConfig(t)), MSSEthernet)
	checkSums(t, &out)
	w := out.Wire
	if w.Messages != 7 || w.MessagesPaper != 7 || w.Flights != 3 || w.RoundTrips != 1 || w.HelloRetry || !out.Decrypted {
		t.Errorf("wire %+v", w)
	}
	if w.PacketsLabel != result.Composed || w.ClientPackets != 3 || w.ServerPackets != 2 || w.EarlyBytes != 0 {
		t.Errorf("wire %+v", w)
	}
	if (w.ServerHello != result.Hello{Message: 1210, Record: 1215, Packets: 1}) {
		t.Errorf("ServerHello %+v", w.ServerHello)
	}
	if last := out.Flights[2]; last.Bytes != 64 || last.Packets != 1 || last.Extra != 0 || last.Start <= 0 {
		t.Errorf("last flight %+v", last)
	}
	if !strings.Contains(flightsAndNames(&out), "2 server ChangeCipherSpec\n2 server EncryptedExtensions") ||
		!strings.Contains(flightsAndNames(&out), "3 client ChangeCipherSpec\n3 client Finished\n0 client application data") {
		t.Errorf("flights:\n%s", flightsAndNames(&out))
	}
}

// only13 is a client of TLS 1.3 alone, with the default groups or with those given.
func only13(groups ...tls.CurveID) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS13, CurvePreferences: groups}
}

// The sizes of Go 1.26 with SNI "localhost" and TLS 1.3 alone: 1473 bytes are two
// packets on Ethernet, and one without the fallback share.
func TestGoFits(t *testing.T) {
	full := connect(t, only13(), serverConfig(t))
	out := of(t, full, MSSEthernet)
	if strings.HasPrefix(runtime.Version(), "go1.26") && out.Fit.Bytes != 1473 {
		t.Errorf("ClientHello of %d bytes", out.Fit.Bytes)
	}
	alone := of(t, connect(t, only13(tls.X25519MLKEM768), serverConfig(t)), MSSEthernet)
	got := way(t, &out, "no x25519 share")
	// Of the seven groups in the list, that client offers one.
	if got.Saves != 36 || got.Bytes != alone.Fit.Bytes+6*2 || !got.Fits {
		t.Errorf("%+v, hybrid alone has %d bytes", got, alone.Fit.Bytes)
	}
	if out.Fit.Packets != 2 || !slices.Equal(out.Fit.Enough, []string{"no x25519 share"}) ||
		got.Price != "a HelloRetryRequest, one round trip, with servers that lack X25519MLKEM768" {
		t.Errorf("fit %+v", out.Fit)
	}
	if alone.Fit.Packets != 1 || alone.Fit.Spare < 0 || alone.Fit.Enough != nil {
		t.Errorf("hybrid alone: %+v", alone.Fit)
	}
	if out := of(t, full, MSSSmallest); out.Fit.Packets != 2 || out.Fit.Enough != nil {
		t.Errorf("no way suffices: %+v", out.Fit)
	}
	if out := of(t, full, 1500); out.Fit.Packets != 1 || !way(t, &out, "no x25519 share").Fits {
		t.Errorf("mss 1500: %+v", out.Fit)
	}
}

func TestOffer(t *testing.T) {
	out := of(t, connect(t, &tls.Config{}, serverConfig(t)), MSSEthernet)
	want := map[string]result.Extension{
		"server_name":      {Bytes: 18, Parts: []result.Part{{Name: "name", Bytes: 9}}},
		"supported_groups": {Bytes: 20, Parts: []result.Part{{Name: "7 groups", Bytes: 14}}},
		"key_share": {Bytes: 1262, Parts: []result.Part{
			{Name: "X25519MLKEM768", Bytes: 1220}, {Name: "x25519", Bytes: 36},
		}},
		"extended_master_secret": {Bytes: 4},
	}
	for _, ext := range out.Hello.Extensions {
		w, ok := want[ext.Name]
		if ok && (ext.Bytes != w.Bytes || !slices.Equal(ext.Parts, w.Parts)) {
			t.Errorf("%+v, want %+v", ext, w)
		}
		delete(want, ext.Name)
	}
	if len(want) > 0 || !strings.HasPrefix(out.Hello.JA4, "t13d") {
		t.Errorf("JA4 %s, missing %v", out.Hello.JA4, want)
	}
}

// What is composed without a ticket is as long as what the client sent when it had
// none.
func TestNoTicketIsExact(t *testing.T) {
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		client := &tls.Config{MaxVersion: version, ClientSessionCache: tls.NewLRUClientSessionCache(1)}
		server := serverConfig(t)
		first := of(t, connect(t, client, server), MSSEthernet)
		second := of(t, connect(t, client, server), MSSEthernet)
		if second.Proof.Wire.Mode != "resumed" {
			t.Fatalf("%s: %+v", tls.VersionName(version), second.Proof.Wire)
		}
		if got := way(t, &second, "no ticket"); got.Bytes != first.Fit.Bytes || got.Saves < 90 {
			t.Errorf("%s: %+v, the first ClientHello has %d bytes", tls.VersionName(version), got, first.Fit.Bytes)
		}
	}
}

// What a client of TLS 1.3 alone leaves out: the suites and versions, and the
// signatures that TLS 1.3 forbids, which are not reckoned with.
func TestOnlyTLS13IsNoMoreThanReal(t *testing.T) {
	out := of(t, connect(t, &tls.Config{}, serverConfig(t)), MSSEthernet)
	real13 := of(t, connect(t, only13(), serverConfig(t)), MSSEthernet)
	got := way(t, &out, "TLS 1.3 only")
	if fewer := got.Bytes - real13.Fit.Bytes; fewer < 0 || fewer > 12 {
		t.Errorf("%+v, that of Go has %d bytes", got, real13.Fit.Bytes)
	}
	for _, w := range real13.Fit.Ways {
		if w.Name == got.Name {
			t.Errorf("a client of TLS 1.3 alone is told %+v", w)
		}
	}
}

// A resumed hello needs more than one change, and lists no more than it needs.
func TestResumedFits(t *testing.T) {
	client, server := only13(), serverConfig(t)
	client.ClientSessionCache = tls.NewLRUClientSessionCache(1)
	connect(t, client, server)
	resumed := connect(t, client, server)
	out := of(t, resumed, MSSEthernet)
	if !slices.Equal(out.Fit.Enough, []string{"no x25519 share", "no ticket"}) {
		t.Errorf("enough %q", out.Fit.Enough)
	}
	out = of(t, resumed, 1500) // the share is cheaper to give up, but does not help
	if !slices.Equal(out.Fit.Enough, []string{"no ticket"}) {
		t.Errorf("enough %q", out.Fit.Enough)
	}
	checkSums(t, &out)
}

func TestHelloRetry(t *testing.T) {
	server := serverConfig(t)
	server.CurvePreferences = []tls.CurveID{tls.CurveP384}
	out := of(t, connect(t, &tls.Config{}, server), MSSEthernet)
	checkSums(t, &out)
	w := out.Wire
	if !w.HelloRetry || w.Messages != 9 || w.Flights != 5 || w.RoundTrips != 2 || len(out.Flights) != 5 {
		t.Errorf("wire %+v", w)
	}
	var hellos, answers []result.Message
	for _, m := range out.Messages {
		switch m.Name {
		case "ClientHello":
			hellos = append(hellos, m)
		case "ServerHello":
			answers = append(answers, m)
		}
	}
	if len(hellos) != 2 || w.ClientHello.Message != hellos[0].Size || hellos[1].Size >= hellos[0].Size ||
		out.Fit.Bytes != hellos[0].Record {
		t.Errorf("first hello %+v, of %+v", w.ClientHello, hellos)
	}
	if len(answers) != 1 || w.ServerHello.Message != answers[0].Size || answers[0].Flight != 4 {
		t.Errorf("ServerHello %+v, of %+v", w.ServerHello, answers)
	}
}

// The ChangeCipherSpec of either side goes with the message it is sent with, also
// where the server's is seen behind the next message of the client.
func TestLateChangeCipherSpec(t *testing.T) {
	server := serverConfig(t)
	server.CurvePreferences = []tls.CurveID{tls.CurveP384}
	c := recorded(t, wiretest.Handshake(t, &tls.Config{}, server))
	client, answer := records(t, c, transcript.Client), records(t, c, transcript.Server)
	for name, order := range map[string][]transcript.Chunk{
		"at once": slices.Concat(client[:1], answer[:2], client[1:3], answer[2:], client[3:]),
		"late":    slices.Concat(client[:1], answer[:1], client[1:3], answer[1:], client[3:]),
	} {
		out := of(t, transcript.Read(transcript.Connection{Chunks: order, Keys: c.Keys}), MSSEthernet)
		checkSums(t, &out)
		for _, m := range out.Messages {
			if want := map[string]int{"server": 2, "client": 3}[m.From]; m.Name == "ChangeCipherSpec" && m.Flight != want {
				t.Errorf("%s: %+v, want flight %d", name, m, want)
			}
		}
	}
}

// Data that the server sends before the client's Finished is no part of a flight.
func TestHalfRoundTripData(t *testing.T) {
	c := recorded(t, wiretest.Handshake(t, &tls.Config{}, serverConfig(t)))
	client, answer := records(t, c, transcript.Client), records(t, c, transcript.Server)
	c.Chunks = slices.Concat(client[:1], answer, client[1:])
	out := of(t, transcript.Read(c), MSSEthernet)
	checkSums(t, &out)
	if !strings.Contains(flightsAndNames(&out), "2 server Finished\n0 server application data") {
		t.Errorf("flights:\n%s", flightsAndNames(&out))
	}
}

func TestFull12(t *testing.T) {
	server := serverConfig(t)
	server.SessionTicketsDisabled = true
	rec := wiretest.Handshake(t, &tls.Config{MaxVersion: tls.VersionTLS12}, server)
	withKeys := recorded(t, rec)
	without := withKeys
	without.Keys = nil
	for name, c := range map[string]transcript.Connection{"with keys": withKeys, "without": without} {
		out := of(t, transcript.Read(c), MSSEthernet)
		checkSums(t, &out)
		if w := out.Wire; w.Messages != 10 || w.Flights != 4 || w.RoundTrips != 2 || w.ServerHello.Packets != 1 {
			t.Errorf("%s: %+v", name, w)
		}
		if out.Decrypted != (name == "with keys") {
			t.Errorf("%s: decrypted %v", name, out.Decrypted)
		}
	}
}

// Without keys the server's first records go with its ServerHello; what follows when
// the client has spoken may be anything.
func TestWithoutKeys13(t *testing.T) {
	rec := wiretest.Handshake(t, &tls.Config{}, serverConfig(t))
	c := recorded(t, rec)
	whole := of(t, transcript.Read(c), MSSEthernet)
	c.Keys = nil
	out := of(t, transcript.Read(c), MSSEthernet)
	if out.Decrypted || len(out.Warnings) != 1 || !strings.Contains(out.Warnings[0], "key log") {
		t.Errorf("decrypted %v, warnings %q", out.Decrypted, out.Warnings)
	}
	if w := out.Wire; w.Messages != 2 || w.ServerBytes != 1215 || w.ServerPackets != 1 || w.ClientHello != whole.Wire.ClientHello {
		t.Errorf("wire %+v", w)
	}
	if len(out.Flights) != 2 || out.Flights[1].Bytes != whole.Flights[1].Bytes {
		t.Errorf("flights %+v, with keys %+v", out.Flights, whole.Flights)
	}
	last := out.Messages[len(out.Messages)-1]
	if last.Epoch != "closed" || last.Size != 0 || last.Flight != 0 || last.Packets != 1 {
		t.Errorf("last record %+v", last)
	}
}

// A chain of certificates that no initial window holds.
func TestLargeFlight(t *testing.T) {
	server := serverConfig(t)
	leaf := server.Certificates[0].Certificate[0]
	server.Certificates[0].Certificate = slices.Repeat([][]byte{leaf}, 14*MSSEthernet/len(leaf))
	out := of(t, connect(t, &tls.Config{}, server), MSSEthernet)
	checkSums(t, &out)
	f := out.Flights[1]
	if f.Packets < 14 || f.Packets > 17 || f.Extra != 1 || f.Packets != out.Wire.ServerPackets {
		t.Errorf("flight %+v", f)
	}
	if out := of(t, connect(t, &tls.Config{}, server), 300); out.Flights[1].Extra != 3 {
		t.Errorf("at 300 bytes: %+v", out.Flights[1])
	}
}

// RFC 8448 4: 0-RTT with padding and a ticket, byte for byte.
func TestEarlyData(t *testing.T) {
	out := of(t, transcript.Read(trace(t, "rfc8448-4.txt")), 500)
	checkSums(t, &out)
	w := out.Wire
	if w.Messages != 6 || w.MessagesPaper != 5 || w.RoundTrips != 0 || w.EarlyBytes != 28 || w.ClientHello.Record != 517 {
		t.Errorf("wire %+v", w)
	}
	if f := out.Flights[0]; f.Bytes != 517+28 || f.Packets != 2 || f.Start != 0 || f.End != 0.001 {
		t.Errorf("first flight %+v", f)
	}
	if e := out.Messages[1]; e.Name != "early data" || e.Flight != 1 || e.Packets != 1 || e.Time != 0.001 || e.Counted {
		t.Errorf("early data %+v", e)
	}
	if end := out.Messages[4]; end.Flight != 2 || end.From != "server" {
		t.Errorf("%+v\n%s", end, flightsAndNames(&out))
	}
	padding, ticket := way(t, &out, "no padding"), way(t, &out, "no ticket")
	if padding.Saves != 4+0x57 || ticket.Saves != 4+0xdd+4 || !strings.Contains(ticket.Price, "0-RTT") {
		t.Errorf("padding %+v, ticket %+v", padding, ticket)
	}
	if !slices.Equal(out.Fit.Enough, []string{"no padding"}) || !strings.HasPrefix(out.Hello.JA4, "t13d031100_55b375c5d22e_") {
		t.Errorf("enough %q, JA4 %s", out.Fit.Enough, out.Hello.JA4)
	}
}

// OpenSSL, with and without its ticket.
func TestOpenSSL(t *testing.T) {
	server := wiretest.StartOpenSSL(t, "-tls1_3", "-early_data")
	first := of(t, transcript.Read(recorded(t, server.Connect(true, "-tls1_3"))), MSSEthernet)
	early := of(t, transcript.Read(recorded(t,
		server.Connect(false, "-tls1_3", "-sess_in", "@session", "-early_data", "@early"))), MSSEthernet)
	if early.Wire.EarlyBytes == 0 || early.Flights[0].Bytes < early.Fit.Bytes+early.Wire.EarlyBytes {
		t.Errorf("first flight %+v, wire %+v", early.Flights[0], early.Wire)
	}
	if got := way(t, &early, "no ticket"); got.Bytes != first.Fit.Bytes {
		t.Errorf("%+v, the first ClientHello has %d bytes", got, first.Fit.Bytes)
	}
	// Beside suites and versions OpenSSL leaves out signatures that TLS 1.3 forbids.
	all := of(t, transcript.Read(recorded(t, server.Connect(false))), MSSEthernet)
	only := way(t, &all, "TLS 1.3 only")
	if fewer := only.Bytes - first.Fit.Bytes; fewer < 0 || fewer > 40 || only.Saves < 40 {
		t.Errorf("%+v, OpenSSL's has %d bytes", only, first.Fit.Bytes)
	}
}
