package wire_test

import (
	"bytes"
	"crypto/tls"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"shakedown/wire"
	"shakedown/wire/internal/wiretest"
	"shakedown/wire/protect"
	"shakedown/wire/transcript"
)

var update = flag.Bool("update", false, "write the messages of real handshakes into the fuzz corpus")

// parsed is a message of either direction.
type parsed interface {
	wire.Message
	Parse([]byte) error
}

// form says how a message of a version is read, and where it goes in the corpus.
type form struct {
	message parsed
	target  string
	prefix  string // the choice of a fuzz target that has several forms
}

// formOf lists the messages that crypto/tls sends.
func formOf(t wire.HandshakeType, version uint16) form {
	new13 := version == wire.VersionTLS13
	pick := func(old, new string) string { return map[bool]string{false: old, true: new}[new13] }
	switch t {
	case wire.TypeClientHello:
		return form{&wire.ClientHello{}, "FuzzClientHello", ""}
	case wire.TypeServerHello:
		return form{&wire.ServerHello{}, "FuzzServerHello", ""}
	case wire.TypeEncryptedExtensions:
		return form{&wire.EncryptedExtensions{}, "FuzzEncryptedExtensions", ""}
	case wire.TypeCertificate:
		return form{&wire.Certificate{TLS13: new13}, "FuzzCertificate", pick("\x00", "\x01")}
	case wire.TypeCertificateRequest:
		return form{&wire.CertificateRequest{Version: version}, "FuzzCertificateRequest", pick("\x01", "\x02")}
	case wire.TypeCertificateVerify:
		return form{&wire.CertificateVerify{Version: version}, "FuzzCertificateVerify", "\x01"}
	case wire.TypeServerKeyExchange:
		return form{&wire.ServerKeyExchange{Version: version, Exchange: wire.ECDHE}, "FuzzServerKeyExchange", "\x00"}
	case wire.TypeServerHelloDone:
		return form{&wire.ServerHelloDone{}, "FuzzServerHelloDone", ""}
	case wire.TypeClientKeyExchange:
		return form{&wire.ClientKeyExchange{}, "FuzzClientKeyExchange", ""}
	case wire.TypeNewSessionTicket:
		return form{&wire.NewSessionTicket{TLS13: new13}, "FuzzNewSessionTicket", pick("\x00", "\x01")}
	default:
		return form{&wire.Finished{}, "FuzzFinished", ""}
	}
}

// handshakes are connections that together show every message of crypto/tls.
func handshakes(tb testing.TB) map[string]*transcript.Transcript {
	certificate := []tls.Certificate{wiretest.Certificate(tb)}
	server := &tls.Config{Certificates: certificate, ClientAuth: tls.RequireAnyClientCert, NextProtos: []string{"h2"}}
	client := func(version uint16) *tls.Config {
		return &tls.Config{
			MinVersion: version, MaxVersion: version, Certificates: certificate, NextProtos: []string{"h2"},
			ClientSessionCache: tls.NewLRUClientSessionCache(1),
		}
	}
	old, latest, retry := client(tls.VersionTLS12), client(tls.VersionTLS13), client(tls.VersionTLS13)
	p384 := server.Clone()
	p384.CurvePreferences = []tls.CurveID{tls.CurveP384}
	return map[string]*transcript.Transcript{
		"full-1.2": read(tb, old, server), "resumed-1.2": read(tb, old, server),
		"full-1.3": read(tb, latest, server), "resumed-1.3": read(tb, latest, server),
		"retry-1.3": read(tb, retry, p384),
	}
}

func read(tb testing.TB, client, server *tls.Config) *transcript.Transcript {
	tb.Helper()
	rec := wiretest.Handshake(tb, client, server)
	keys, err := protect.ParseKeyLog(rec.KeyLog)
	if err != nil {
		tb.Fatal(err)
	}
	c := transcript.Connection{Keys: keys}
	for _, chunk := range rec.Chunks {
		from := map[bool]transcript.Side{true: transcript.Client, false: transcript.Server}[chunk.FromClient]
		c.Chunks = append(c.Chunks, transcript.Chunk{From: from, Time: chunk.Time, Data: chunk.Data})
	}
	return transcript.Read(c)
}

// Every message of real handshakes is read, and written back as it was.
func TestMessagesOfGo(t *testing.T) {
	seen := map[wire.HandshakeType]bool{}
	for name, got := range handshakes(t) {
		version := wire.VersionTLS12
		if got.Proof.Version == "1.3" {
			version = wire.VersionTLS13
		}
		for i, e := range got.Entries {
			if e.Content != wire.ContentHandshake || e.Message == nil {
				continue
			}
			seen[e.Type] = true
			f := formOf(e.Type, version)
			if err := f.message.Parse(e.Message[wire.HandshakeHeader:]); err != nil {
				t.Errorf("%s: %s: %v", name, e.Name, err)
			} else if back := wire.AppendMessage(nil, f.message); !bytes.Equal(back, e.Message) {
				t.Errorf("%s: %s: read %x, wrote %x", name, e.Name, e.Message, back)
			}
			if *update {
				keep(t, f, fmt.Sprintf("go-%s-%02d", name, i), e.Message[wire.HandshakeHeader:])
			}
		}
	}
	if len(seen) != 11 {
		t.Errorf("saw %d kinds of message only: %v", len(seen), seen)
	}
}

// keep writes a body into the corpus of its fuzz target.
func keep(t *testing.T, f form, name string, body []byte) {
	t.Helper()
	dir := filepath.Join("testdata", "fuzz", f.target)
	text := fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", f.prefix+string(body))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The certificates of a chain keep their sizes, in both forms.
func TestCertificateSizes(t *testing.T) {
	for name, got := range handshakes(t) {
		for _, e := range got.Entries {
			if e.Type != wire.TypeCertificate || e.Message == nil || e.From != transcript.Server {
				continue
			}
			m := wire.Certificate{TLS13: got.Proof.Version == "1.3"}
			if err := m.Parse(e.Message[wire.HandshakeHeader:]); err != nil {
				t.Fatal(err)
			}
			n := 0
			for entry := range m.Entries() {
				n++
				if len(entry.Data) < 300 || len(entry.Data) > 500 || entry.Data[0] != 0x30 {
					t.Errorf("%s: certificate of %d bytes", name, len(entry.Data))
				}
			}
			if n != 1 {
				t.Errorf("%s: %d certificates", name, n)
			}
		}
	}
}
