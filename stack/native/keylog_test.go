package native

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"shakedown/driver"
	"shakedown/link"
	"shakedown/pki"
	"shakedown/wire"
	"shakedown/wire/protect"
	"shakedown/wire/transcript"
)

// patience bounds what takes milliseconds where all is well.
const patience = time.Minute

// secretCase is a kind of handshake whose key log is tried. In mode resumed the
// first connection is a full one, which brings the session.
type secretCase struct {
	name           string
	server, client driver.Config
	messages       []int // of each connection, tickets left out
	tickets        int   // of TLS 1.2 in the first one
	secrets        int   // lines of a connection
}

func secretCases() []secretCase {
	tls12, tls13 := driver.Config{Version: "1.2"}, driver.Config{Version: "1.3"}
	mutual12, mutual13 := driver.Config{Version: "1.2", Mutual: true}, driver.Config{Version: "1.3", Mutual: true}
	resumed12, resumed13 := driver.Config{Version: "1.2", Mode: "resumed"}, driver.Config{Version: "1.3", Mode: "resumed"}
	both := driver.Config{Version: "1.3", Groups: []string{"secp256r1", "secp384r1"}}
	other := driver.Config{Version: "1.3", Groups: []string{"secp384r1"}}
	sha384 := driver.Config{Version: "1.3", Suites: []string{"TLS_AES_256_GCM_SHA384"}}
	return []secretCase{
		{"1.2 full", tls12, tls12, []int{10}, 0, 1},
		{"1.2 mutual", mutual12, mutual12, []int{13}, 0, 1},
		{"1.2 resumed", resumed12, resumed12, []int{10, 6}, 1, 1},
		{"1.3 full", tls13, tls13, []int{7}, 0, 5},
		{"1.3 mutual", mutual13, mutual13, []int{10}, 0, 5},
		{"1.3 resumed", resumed13, resumed13, []int{7, 5}, 0, 5},
		{"1.3 retry", other, both, []int{9}, 0, 5},
		{"1.3 sha384", sha384, sha384, []int{7}, 0, 5},
		{"no version", driver.Config{}, driver.Config{}, []int{7}, 0, 5},
		{"down to 1.2", driver.Config{}, tls12, []int{10}, 0, 1},
	}
}

// TestSecretsOfWolfSSL: the key log of either end opens every record of a
// connection of two wolfSSL drivers.
func TestSecretsOfWolfSSL(t *testing.T) {
	lib, _ := Find("wolfssl")
	for place, root := range places(t) {
		if !onlyIn(place, lib.Name) {
			continue
		}
		t.Run(place, func(t *testing.T) {
			command := built(t, lib, root)
			info, err := driver.Describe(t.Context(), command)
			if err != nil {
				t.Fatal(err)
			}
			if why := info.Cannot["keylog"]; why != "" && os.Getenv("CI") != "true" {
				t.Skip(why)
			}
			for _, c := range secretCases() {
				t.Run(c.name, func(t *testing.T) { c.try(t, command) })
			}
		})
	}
}

func (c secretCase) try(t *testing.T, command driver.Command) {
	dir := t.TempDir()
	c.identify(t, dir)
	c.server.KeyLog, c.client.KeyLog = filepath.Join(dir, "server.keys"), filepath.Join(dir, "client.keys")
	seen := tapped(t, command, c.server, c.client)
	if len(seen) != len(c.messages) {
		t.Fatalf("%d connections, want %d", len(seen), len(c.messages))
	}
	server, client := secrets(t, c.server.KeyLog), secrets(t, c.client.KeyLog)
	if !slices.Equal(server, client) || len(client) != c.secrets*len(seen) {
		t.Errorf("the server has the secrets\n%s\nthe client\n%s\nwant %d of each connection",
			strings.Join(server, "\n"), strings.Join(client, "\n"), c.secrets)
	}
	for _, lines := range [][]string{server, client} {
		keys, err := protect.ParseKeyLog([]byte(strings.Join(lines, "\n")))
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range seen {
			c.hold(t, i, transcript.Read(transcript.Connection{Chunks: s.Chunks, Keys: keys}))
		}
	}
}

// hold checks what is read of connection i.
func (c secretCase) hold(t *testing.T, i int, got *transcript.Transcript) {
	t.Helper()
	tickets := 0
	for _, e := range got.Entries {
		if e.Counted && e.Type == wire.TypeNewSessionTicket {
			tickets++
		}
	}
	if got.Opaque != 0 || got.Problem != "" || !got.Complete {
		t.Errorf("connection %d: %d records stayed closed, problem %q, complete: %v", i+1, got.Opaque, got.Problem, got.Complete)
	}
	// When it resumes, wolfSSL 5.7 sends a new ticket of TLS 1.2 and 5.5 does not.
	if got.Messages-tickets != c.messages[i] || i == 0 && tickets != c.tickets {
		t.Errorf("connection %d: %d messages, %d of them tickets, want %d and %d",
			i+1, got.Messages, tickets, c.messages[i]+c.tickets, c.tickets)
	}
	mode := "full"
	if i > 0 {
		mode = c.client.Mode
	}
	if p := got.Proof; p.Mode != mode || c.client.Version != "" && p.Version != c.client.Version {
		t.Errorf("connection %d: proof %+v", i+1, p)
	}
}

// identify gives both ends what they prove themselves with and trust.
func (c *secretCase) identify(t *testing.T, dir string) {
	t.Helper()
	ends := map[string]pki.Files{}
	for _, name := range []string{"server", "client"} {
		id, err := pki.New(pki.Options{Auth: "ecdsa-p256", Client: name == "client"})
		if err != nil {
			t.Fatal(err)
		}
		if ends[name], err = id.WriteFiles(dir, name); err != nil {
			t.Fatal(err)
		}
	}
	c.server.Cert, c.server.Key, c.server.CA = ends["server"].Chain, ends["server"].Key, ends["client"].Root
	c.client.Cert, c.client.Key, c.client.CA = ends["client"].Chain, ends["client"].Key, ends["server"].Root
}

// tapped makes one handshake that counts, and returns all connections as they
// were seen between the two ends.
func tapped(t *testing.T, command driver.Command, server, client driver.Config) []link.Conversation {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	server.Listen = "127.0.0.1:0"
	p, err := driver.Start(ctx, command, "serve", server)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Kill()
	tap, err := link.NewTap(p.Ready.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer tap.Close()
	client.To = tap.Address()
	h, err := driver.Once(ctx, command, client)
	if err != nil {
		t.Fatal(err)
	}
	if !h.OK {
		t.Fatalf("the handshake failed: %+v", h)
	}
	tap.Wait(patience)
	if err := p.Close(patience); err != nil {
		t.Error(err)
	}
	return tap.Close()
}

// secrets are the lines of a key log, sorted.
func secrets(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	slices.Sort(lines)
	return lines
}
