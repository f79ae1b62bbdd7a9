package transcript

import (
	"bytes"
	"encoding/hex"
	"os"
	"strings"
	"testing"
	"time"

	"shakedown/wire/protect"
)

// trace reads a recorded connection of testdata: a side and a record a line, and
// lines of a key log.
func trace(tb testing.TB, name string) Connection {
	tb.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	keys, err := protect.ParseKeyLog(text)
	if err != nil {
		tb.Fatal(err)
	}
	c := Connection{Keys: keys}
	for line := range strings.Lines(string(text)) {
		side, data, _ := strings.Cut(strings.TrimSpace(line), " ")
		raw, err := hex.DecodeString(data)
		if err != nil || side != "client" && side != "server" {
			continue
		}
		chunk := Chunk{From: Client, Time: time.Duration(len(c.Chunks)) * time.Millisecond, Data: raw}
		if side == "server" {
			chunk.From = Server
		}
		c.Chunks = append(c.Chunks, chunk)
	}
	return c
}

// names lists the entries as "client ClientHello".
func names(t *Transcript) string {
	var b strings.Builder
	for _, e := range t.Entries {
		b.WriteString(e.From.String()[:1] + " " + e.Name + "\n")
	}
	return b.String()
}

func expect(t *testing.T, got *Transcript, list string, messages, flights, trips int) {
	t.Helper()
	if got.Problem != "" {
		t.Error("problem: ", got.Problem)
	}
	if names(got) != strings.TrimLeft(list, "\n") {
		t.Errorf("entries:\n%swant:%s", names(got), list)
	}
	if got.Messages != messages || got.Flights != flights || got.RoundTrips != trips {
		t.Errorf("%d messages, %d flights, %d round trips, want %d, %d, %d",
			got.Messages, got.Flights, got.RoundTrips, messages, flights, trips)
	}
}

func TestSimpleHandshakeOfRFC8448(t *testing.T) {
	got := Read(trace(t, "rfc8448-3.txt"))
	expect(t, got, `
c ClientHello
s ServerHello
s EncryptedExtensions
s Certificate
s CertificateVerify
s Finished
c Finished
s NewSessionTicket
c application data
s application data
c alert close_notify
s alert close_notify
`, 7, 3, 1)
	if got.Post != 1 || !got.Complete || got.Opaque != 0 {
		t.Errorf("post %d, complete %v, opaque %d", got.Post, got.Complete, got.Opaque)
	}
	if got.ClientBytes != 201+58 || got.ServerBytes != 95+679 {
		t.Errorf("bytes %d and %d", got.ClientBytes, got.ServerBytes)
	}
	p := got.Proof
	if p.Version != "1.3" || p.Suite != "TLS_AES_128_GCM_SHA256" || p.Group != "x25519" ||
		p.Signature != "rsa_pss_rsae_sha256" || p.Mode != "full" || p.Early != "" || *p.HelloRetry || *p.Mutual {
		t.Errorf("proof %+v", p)
	}
	sizes := [][2]int{{196, 201}, {90, 95}, {40, 40 + 22}, {445, 445}, {136, 136}, {36, 36}}
	for i, want := range sizes {
		if e := got.Entries[i]; e.Size != want[0] || e.Wire != want[1] || e.Shared != (i > 1) {
			t.Errorf("%s: message %d, wire %d, shared %v, want %v", e.Name, e.Size, e.Wire, e.Shared, want)
		}
	}
	if e := got.Entries[6]; e.Seen != 3*time.Millisecond || e.Time != 3*time.Millisecond || e.Start != 201 || e.End != 259 {
		t.Errorf("%s: seen %v to %v, bytes %d to %d", e.Name, e.Seen, e.Time, e.Start, e.End)
	}
	if e := got.Entries[8]; !bytes.Equal(e.Message[:4], []byte{0, 1, 2, 3}) || e.Epoch != Application {
		t.Errorf("application data %x in %s", e.Message, e.Epoch)
	}
}

func TestEarlyDataOfRFC8448(t *testing.T) {
	got := Read(trace(t, "rfc8448-4.txt"))
	expect(t, got, `
c ClientHello
c early data
s ServerHello
s EncryptedExtensions
s Finished
c EndOfEarlyData
c Finished
c application data
s application data
c alert close_notify
s alert close_notify
`, 6, 3, 0)
	if got.PaperMessages() != 5 {
		t.Errorf("%d messages as papers count", got.PaperMessages())
	}
	p := got.Proof
	if p.Mode != "early-data" || p.Early != "accepted" || p.PSK || p.Group != "x25519" || p.Signature != "" {
		t.Errorf("proof %+v", p)
	}
	if got.EarlyBytes != 28 || got.ClientBytes != 517+28+26+58 || got.Entries[1].Size != 6 {
		t.Errorf("early %d, client %d, message %d", got.EarlyBytes, got.ClientBytes, got.Entries[1].Size)
	}
}

func TestWithoutKeys(t *testing.T) {
	c := trace(t, "rfc8448-3.txt")
	c.Keys = nil
	got := Read(c)
	if got.Messages != 2 || got.Opaque != 7 || got.Complete || got.Problem != "" {
		t.Errorf("%d messages, %d opaque, complete %v, %s", got.Messages, got.Opaque, got.Complete, got.Problem)
	}
	if got.Proof.Group != "x25519" || got.Proof.Mode != "full" || got.Proof.Mutual != nil {
		t.Errorf("proof %+v", got.Proof)
	}
}
