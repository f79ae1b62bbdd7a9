package transcript

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"slices"
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
	c := Connection{Chunks: []Chunk{{From: Client, Time: 0, Data: hello(tb)}}}
	for i, b := range data {
		c.Chunks = append(c.Chunks, Chunk{From: Server, Time: time.Duration(i), Data: b})
	}
	return c
}

func handshakeRecord(fragment []byte) []byte {
	return wire.Record{Type: wire.ContentHandshake, Version: wire.VersionTLS12, Fragment: fragment}.Append(nil)
}

// message is a handshake message of a type, whatever its body.
func message(kind wire.HandshakeType, body ...byte) []byte {
	return append([]byte{byte(kind), byte(len(body) >> 16), byte(len(body) >> 8), byte(len(body))}, body...)
}

// messages is a record of messages without a body.
func messages(kinds ...wire.HandshakeType) []byte {
	var fragment []byte
	for _, kind := range kinds {
		fragment = append(fragment, message(kind)...)
	}
	return handshakeRecord(fragment)
}

// answer is a ServerHello as a record.
func answer(version, suite uint16) []byte {
	m := wire.ServerHello{Version: version, Random: make([]byte, wire.RandomSize), Suite: suite}
	if version == wire.VersionTLS13 {
		m.Version = wire.VersionTLS12
		m.Extensions = wire.Extension{Type: wire.ExtSupportedVersions, Data: []byte{3, 4}}.Append(nil)
	}
	return handshakeRecord(wire.AppendMessage(nil, &m))
}

// retry is a HelloRetryRequest as a record: a ServerHello with the random of RFC 8446
// 4.1.3.
func retry() []byte {
	random := sha256.Sum256([]byte("HelloRetryRequest"))
	m := wire.ServerHello{Version: wire.VersionTLS12, Random: random[:], Suite: 0x1301}
	return handshakeRecord(wire.AppendMessage(nil, &m))
}

// What hostile servers send ends with a reason, and with what came before it.
func TestHostileServers(t *testing.T) {
	hello12, hello13 := answer(wire.VersionTLS12, 0xC02B), answer(wire.VersionTLS13, 0x1301)
	half := handshakeRecord([]byte("\x0b\x00\x10\x00half of it"))
	change := []byte("\x14\x03\x03\x00\x01\x01")
	for _, c := range []struct {
		name    string
		data    []byte
		problem string
	}{
		{"a length of 2^24", handshakeRecord([]byte("\x0b\xff\xff\xff abc")), "server: Certificate at byte 1: message is larger than the limit"},
		{"a message above the limit", endless(1 << 20), "server: Certificate at byte 1: message is larger than the limit"},
		{"a message that never ends", slices.Concat(hello12, endless(1<<20-5)), "server: the stream ends inside a handshake message"},
		{"empty records", []byte("\x16\x03\x03\x00\x00\x16\x03\x03\x00\x00"), "server: record at byte 3: empty handshake record"},
		{"HTTP", []byte("HTTP/1.1 400 Bad Request\r\n\r\n"), "server: record at byte 1: no record of TLS begins like this"},
		{"a record that is too long", []byte("\x16\x03\x03\xff\xff"), "server: record at byte 3: fragment is longer than any version allows"},
		{"bytes that stop in a header", hello12[:3], "server: the stream ends inside a record"},
		{"bytes that stop in a record", hello12[:7], "server: the stream ends inside a record"},
		{"bytes that stop in a message", slices.Concat(hello12, half), "server: the stream ends inside a handshake message"},
		{"bytes that stop between messages", hello12, ""},
		{"retries without end", bytes.Repeat(retry(), 1000), "server: a second HelloRetryRequest"},
		{"a retry, and no second hello", slices.Concat(retry(), hello13), "server: ServerHello comes before the ClientHello"},
		{"ChangeCipherSpec without end", slices.Concat(hello12, bytes.Repeat(change, 1000)), "server: a second ChangeCipherSpec"},
		{"no hello", messages(wire.TypeCertificate), "server: Certificate comes before the ServerHello"},
		{"two hellos", slices.Concat(hello12, hello12), "server: ServerHello comes after ServerHello"},
		{"a hello at the end", slices.Concat(messages(wire.TypeServerHelloDone), hello12), "server: ServerHelloDone comes before the ServerHello"},
		{"backwards", slices.Concat(hello12, messages(wire.TypeServerHelloDone, wire.TypeCertificate)), "server: Certificate comes after ServerHelloDone"},
		{"after Finished", slices.Concat(hello12, handshakeRecord(message(wire.TypeFinished, 'x')), messages(wire.TypeCertificate)), "server: Certificate comes after Finished"},
		{"a message of the client", slices.Concat(hello12, messages(wire.TypeClientKeyExchange)), "server: ClientKeyExchange is no message of this side and version"},
		{"a message of TLS 1.2 in 1.3", slices.Concat(hello13, messages(wire.TypeServerKeyExchange)), "server: ServerKeyExchange is no message of this side and version"},
		{"a message cut by another", slices.Concat(hello12, half, change), "server: change_cipher_spec comes inside a handshake message"},
		{"a message cut by data", slices.Concat(hello12, half, []byte("\x17\x03\x03\x00\x01x")), "server: application_data comes inside a handshake message"},
		{"a message cut by an alert", slices.Concat(half, []byte("\x15\x03\x03\x00\x02\x02\x28")), "server: the stream ends inside a handshake message"},
		{"an unknown record", []byte("\x63\x03\x03\x00\x02ab"), ""},
		{"an unknown message", slices.Concat(hello12, messages(99, wire.TypeServerHelloDone)), ""},
	} {
		got := Read(serverSends(t, c.data))
		if got.Problem != c.problem {
			t.Errorf("%s: problem %q, want %q", c.name, got.Problem, c.problem)
		}
		if len(got.Entries) == 0 || got.Entries[0].Name != "ClientHello" || got.Complete {
			t.Errorf("%s: %d entries, complete %v", c.name, len(got.Entries), got.Complete)
		}
	}
}

// The same from clients.
func TestHostileClients(t *testing.T) {
	first, server := hello(t), answer(wire.VersionTLS13, 0x1301)
	for _, c := range []struct {
		name          string
		client, after []byte // before and behind the ServerHello
		problem       string
	}{
		{"a second hello", slices.Concat(first, first), nil, "client: ClientHello comes after ClientHello"},
		{"no hello", nil, first, "server: ServerHello comes before the ClientHello"},
		{"a hello that ends early", first[:50], nil, "server: ServerHello comes before the ClientHello"},
		{"bytes that stop", first, server[:4], "client: the stream ends inside a record"},
		{"a hello that cannot be read", handshakeRecord(message(wire.TypeClientHello, 3, 3)), nil, "client: ClientHello at byte 2: runs past the end"},
		{"a ServerHello", first, server, "client: ServerHello is no message of this side and version"},
		{"a retry", first, retry(), "client: ServerHello is no message of this side and version"},
	} {
		got := Read(Connection{Chunks: []Chunk{{From: Client, Time: 0, Data: c.client}, {From: Server, Time: 1, Data: server}, {From: Client, Time: 2, Data: c.after}}})
		if got.Problem != c.problem {
			t.Errorf("%s: problem %q, want %q", c.name, got.Problem, c.problem)
		}
		if got.HelloRetry || got.Complete {
			t.Errorf("%s: a retry %v, complete %v", c.name, got.HelloRetry, got.Complete)
		}
	}
}

// endless is a Certificate of a size, of which all but the last byte comes.
func endless(size int) (stream []byte) {
	head := []byte{byte(wire.TypeCertificate), byte(size >> 16), byte(size >> 8), byte(size)}
	body := append(head, make([]byte, size-1)...)
	for len(body) > 0 {
		n := min(len(body), wire.MaxPlaintext)
		stream = append(stream, handshakeRecord(body[:n])...)
		body = body[n:]
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
	last := handshakeRecord([]byte{0})
	c := serverSends(t, answer(wire.VersionTLS12, 0xC02B), endless(1<<20), last)
	if got := Read(c); got.Problem != "server: Certificate at byte 1: message is larger than the limit" {
		t.Errorf("problem %q", got.Problem)
	}
	c.Limit = 2 << 20
	got := Read(c)
	if got.Problem != "" || got.Messages != 3 || got.Entries[2].Records != 66 || got.Entries[2].Size != 4+1<<20 {
		t.Errorf("problem %q, %d messages", got.Problem, got.Messages)
	}
}

// Chunks of any size give the same messages: one byte at a time, and each record
// cut into records of one byte.
func TestPieces(t *testing.T) {
	whole := trace(t, "rfc8448-3.txt")
	want := names(Read(whole))
	if got := Read(bytewise(whole)); names(got) != want || got.Messages != 7 || got.Problem != "" {
		t.Errorf("byte by byte: %s\n%s", got.Problem, names(got))
	}
	cut := whole
	cut.Chunks = slices.Clone(whole.Chunks)
	for i := range 2 {
		cut.Chunks[i].Data = tiny(whole.Chunks[i].Data[wire.RecordHeader:])
	}
	got := Read(cut)
	if names(got) != want || got.Entries[0].Records != 196 || got.Entries[0].Wire != 196*6 {
		t.Errorf("records of one byte: %d records, %d bytes\n%s", got.Entries[0].Records, got.Entries[0].Wire, names(got))
	}
}

func TestSSLv2Hello(t *testing.T) {
	v2 := wire.SSLv2ClientHello{Version: wire.VersionTLS10, Suites: []byte{0, 0, 0x2f}, Challenge: make([]byte, 16)}
	server := wire.ServerHello{Version: wire.VersionTLS10, Random: make([]byte, 32), Suite: 0x2f}
	got := Read(Connection{Chunks: []Chunk{
		{From: Client, Time: 0, Data: v2.Append(nil)}, {From: Server, Time: 1, Data: handshakeRecord(wire.AppendMessage(nil, &server))},
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
		chunks = append(chunks, Chunk{From: Client, Time: 0, Data: client[:n]})
		client = client[n:]
		n = min(size, len(server))
		chunks = append(chunks, Chunk{From: Server, Time: 0, Data: server[:n]})
		server = server[n:]
	}
	return chunks
}
