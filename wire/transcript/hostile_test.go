package transcript

import (
	"bytes"
	"crypto/tls"
	"strings"
	"testing"
	"time"

	"shakedown/wire"
	"shakedown/wire/internal/wiretest"
)

// hello is a ClientHello of crypto/tls as one record.
func hello(tb testing.TB) []byte {
	tb.Helper()
	c := trace(tb, "rfc8448-3.txt")
	return c.Chunks[0].Data
}

func serverSends(tb testing.TB, data ...[]byte) Connection {
	c := Connection{Chunks: []Chunk{{Client, 0, hello(tb)}}}
	for i, b := range data {
		c.Chunks = append(c.Chunks, Chunk{Server, time.Duration(i), b})
	}
	return c
}

func handshakeRecord(fragment []byte) []byte {
	return wire.Record{Type: wire.ContentHandshake, Version: wire.VersionTLS12, Fragment: fragment}.Append(nil)
}

// What hostile servers send ends with a reason, and with what came before it.
func TestHostileServers(t *testing.T) {
	retry := wire.ServerHello{Version: wire.VersionTLS12, Random: []byte(
		"\xCF\x21\xAD\x74\xE5\x9A\x61\x11\xBE\x1D\x8C\x02\x1E\x65\xB8\x91" +
			"\xC2\xA2\x11\x16\x7A\xBB\x8C\x5E\x07\x9E\x09\xE2\xC8\xA8\x33\x9C"), Suite: 0x1301}
	loop := bytes.Repeat(handshakeRecord(wire.AppendMessage(nil, &retry)), 1000)
	for _, c := range []struct {
		name    string
		data    []byte
		problem string
	}{
		{"a length of 2^24", handshakeRecord([]byte("\x0b\xff\xff\xff abc")), "server: Certificate at byte 1: message is larger than the limit"},
		{"an endless message", endless(), "message is larger than the limit"},
		{"empty records", []byte("\x16\x03\x03\x00\x00\x16\x03\x03\x00\x00"), "empty handshake record"},
		{"HTTP", []byte("HTTP/1.1 400 Bad Request\r\n\r\n"), "no record of TLS begins like this"},
		{"a record that is too long", []byte("\x16\x03\x03\xff\xff"), "longer than any version allows"},
		{"bytes that stop", handshakeRecord([]byte("\x02\x00\x00\x50"))[:7], "the stream ends inside a record"},
		{"retries without end", loop, "server: a second HelloRetryRequest"},
		{"a wrong order", handshakeRecord([]byte("\x14\x00\x00\x01x\x0b\x00\x00\x00")), "server: Certificate comes after Finished"},
		{"an unknown record", []byte("\x63\x03\x03\x00\x02ab"), ""},
	} {
		got := Read(serverSends(t, c.data))
		if !strings.Contains(got.Problem, c.problem) || c.problem == "" && got.Problem != "" {
			t.Errorf("%s: problem %q, want %q", c.name, got.Problem, c.problem)
		}
		if len(got.Entries) == 0 || got.Entries[0].Name != "ClientHello" || got.Complete {
			t.Errorf("%s: %d entries, complete %v", c.name, len(got.Entries), got.Complete)
		}
	}
}

// endless is a message that claims more than the limit and keeps coming.
func endless() (stream []byte) {
	stream = handshakeRecord([]byte("\x0b\x0f\xff\xff"))
	for range 300 {
		stream = append(stream, handshakeRecord(make([]byte, wire.MaxPlaintext))...)
	}
	return stream
}

func TestUnknownKeepsItsLength(t *testing.T) {
	got := Read(serverSends(t, []byte("\x63\x03\x03\x00\x02ab"), handshakeRecord([]byte("\x63\x00\x00\x02ab"))))
	e := got.Entries[1:]
	if e[0].Name != "content type 99" || e[0].Size != 2 || e[1].Name != "handshake type 99" || e[1].Size != 6 {
		t.Errorf("%s %d, %s %d", e[0].Name, e[0].Size, e[1].Name, e[1].Size)
	}
}

// A certificate of 1 MB is larger than the default limit and smaller than one that
// the caller sets.
func TestLimit(t *testing.T) {
	var stream []byte
	message := append([]byte("\x0b\x10\x00\x00"), make([]byte, 1<<20)...)
	for len(message) > 0 {
		n := min(len(message), wire.MaxPlaintext)
		stream = append(stream, handshakeRecord(message[:n])...)
		message = message[n:]
	}
	c := serverSends(t, stream)
	if got := Read(c); !strings.Contains(got.Problem, "limit") {
		t.Errorf("problem %q", got.Problem)
	}
	c.Limit = 2 << 20
	got := Read(c)
	if got.Problem != "" || got.Messages != 2 || got.Entries[1].Records != 65 {
		t.Errorf("problem %q, %d messages", got.Problem, got.Messages)
	}
}

func TestEntriesAreBounded(t *testing.T) {
	message := bytes.Repeat([]byte("\x63\x00\x00\x00"), wire.MaxPlaintext/4)
	got := Read(serverSends(t, bytes.Repeat(handshakeRecord(message), 20)))
	if len(got.Entries) != maxEntries || !strings.Contains(got.Problem, "more messages") {
		t.Errorf("%d entries, problem %q", len(got.Entries), got.Problem)
	}
}

// Chunks of any size give the same messages: one byte at a time, and each record
// cut into records of one byte.
func TestPieces(t *testing.T) {
	whole := trace(t, "rfc8448-3.txt")
	want := names(Read(whole))
	bytewise := whole
	bytewise.Chunks = nil
	for _, chunk := range whole.Chunks {
		for i := range chunk.Data {
			bytewise.Chunks = append(bytewise.Chunks, Chunk{chunk.From, chunk.Time, chunk.Data[i : i+1]})
		}
	}
	if got := Read(bytewise); names(got) != want || got.Messages != 7 || got.Problem != "" {
		t.Errorf("byte by byte: %s\n%s", got.Problem, names(got))
	}
	tiny := whole
	tiny.Chunks = append([]Chunk(nil), whole.Chunks...)
	for i := range 2 {
		tiny.Chunks[i].Data = nil
		for _, b := range whole.Chunks[i].Data[wire.RecordHeader:] {
			tiny.Chunks[i].Data = append(tiny.Chunks[i].Data, handshakeRecord([]byte{b})...)
		}
	}
	got := Read(tiny)
	if names(got) != want || got.Entries[0].Records != 196 || got.Entries[0].Wire != 196*6 {
		t.Errorf("records of one byte: %d records, %d bytes\n%s", got.Entries[0].Records, got.Entries[0].Wire, names(got))
	}
}

func TestSSLv2Hello(t *testing.T) {
	v2 := wire.SSLv2ClientHello{Version: wire.VersionTLS10, Suites: []byte{0, 0, 0x2f}, Challenge: make([]byte, 16)}
	server := wire.ServerHello{Version: wire.VersionTLS10, Random: make([]byte, 32), Suite: 0x2f}
	got := Read(Connection{Chunks: []Chunk{
		{Client, 0, v2.Append(nil)}, {Server, 1, handshakeRecord(wire.AppendMessage(nil, &server))},
	}})
	if got.Messages != 2 || got.Entries[0].Size != 28 || got.Entries[0].Wire != 30 || got.Proof.Version != "1.0" {
		t.Errorf("%d messages, hello of %d bytes, %+v", got.Messages, got.Entries[0].Size, got.Proof)
	}
}

// FuzzRead changes real connections and makes new ones. Whatever comes, the entries
// of a side never have more bytes than its stream.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"rfc8448-3.txt", "rfc8448-4.txt"} {
		c := trace(f, name)
		f.Add(sideStream(c, Client), sideStream(c, Server), uint16(100))
	}
	rec := wiretest.Handshake(f, &tls.Config{MaxVersion: tls.VersionTLS12}, serverConfig(f))
	f.Add(rec.Stream(true), rec.Stream(false), uint16(1))
	keys := trace(f, "rfc8448-4.txt").Keys
	f.Fuzz(func(t *testing.T, client, server []byte, piece uint16) {
		got := Read(Connection{Chunks: interleave(client, server, int(piece)+1), Keys: keys, Limit: 1 << 16})
		if wireSum(got, Client) > len(client) || wireSum(got, Server) > len(server) {
			t.Errorf("%d of %d, %d of %d bytes", wireSum(got, Client), len(client), wireSum(got, Server), len(server))
		}
	})
}

func sideStream(c Connection, from Side) (b []byte) {
	for _, chunk := range c.Chunks {
		if chunk.From == from {
			b = append(b, chunk.Data...)
		}
	}
	return b
}

func interleave(client, server []byte, size int) (chunks []Chunk) {
	for len(client)+len(server) > 0 {
		n := min(size, len(client))
		chunks = append(chunks, Chunk{Client, 0, client[:n]})
		client = client[n:]
		n = min(size, len(server))
		chunks = append(chunks, Chunk{Server, 0, server[:n]})
		server = server[n:]
	}
	return chunks
}
