package wire_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"shakedown/wire"
)

// answer is what expected.json says about one connection, as far as the hellos
// show it.
type answer struct {
	Transport string   `json:"transport"`
	SNI       *string  `json:"sni"`
	Groups    []string `json:"offered_groups"`
	Shares    []string `json:"key_shares"`
	ECH       bool     `json:"ech"`
	Client    int      `json:"client_hello_bytes"`
	Server    int      `json:"server_hello_bytes"`
	Segments  any      `json:"client_hello_segments"`
	Selected  *string  `json:"selected_group"`
	Version   string   `json:"version_hex"`
	Cipher    string   `json:"cipher"`
	Complete  *bool    `json:"client_hello_complete"`
	Malformed bool     `json:"client_hello_malformed"`
}

type capturedFile struct {
	File        string   `json:"file"`
	Connections []answer `json:"connections"`
}

// Every capture is searched for records at every byte. What the answers say about
// ClientHellos that came in one segment is found, and nothing panics.
func TestHellosOfCaptures(t *testing.T) {
	dir := sharedCaptures(t)
	text, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var files []capturedFile
	if err := json.Unmarshal(text, &files); err != nil {
		t.Fatal(err)
	}
	clients, servers := 0, 0
	for _, file := range files {
		clientHellos, serverHellos := search(unpacked(t, filepath.Join(dir, file.File)))
		for _, want := range file.Connections {
			if want.Transport != "tcp" || want.Complete != nil && !*want.Complete {
				continue
			}
			if slices.ContainsFunc(serverHellos, want.matchServer) {
				servers++
			}
			if slices.ContainsFunc(clientHellos, want.matchClient) {
				clients++
			} else if n, ok := want.Segments.(float64); ok && n == 1 && want.Version != "0x0002" {
				t.Errorf("%s: no ClientHello of %d bytes for %v", file.File, want.Client, want.Groups)
			}
		}
	}
	t.Logf("found %d ClientHellos and %d ServerHellos in one piece", clients, servers)
	if clients < 40 || servers < 30 {
		t.Errorf("found %d ClientHellos and %d ServerHellos only", clients, servers)
	}
}

func unpacked(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if unzip, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
		if data, err = io.ReadAll(unzip); err != nil {
			t.Fatal(err)
		}
	}
	return data
}

// found is a hello with the size of its message.
type found[T any] struct {
	hello T
	size  int
}

// search tries every byte as the start of a record.
func search(data []byte) (clients []found[wire.ClientHello], servers []found[wire.ServerHello]) {
	for at := range data {
		if wire.IsSSLv2ClientHello(data[at:]) {
			if m, _, err := wire.ParseSSLv2ClientHello(data[at:]); err == nil {
				clients = append(clients, found[wire.ClientHello]{wire.ClientHello{Version: m.Version}, m.Size})
			}
		}
		record, _, err := wire.NextRecord(data[at:])
		if err != nil || record.Type != wire.ContentHandshake {
			continue
		}
		m, _, err := wire.NextHandshake(record.Fragment)
		if err != nil {
			continue
		}
		var ch wire.ClientHello
		if m.Type == wire.TypeClientHello && ch.Parse(m.Body) == nil {
			clients = append(clients, found[wire.ClientHello]{ch, len(m.Raw)})
		}
		var sh wire.ServerHello
		if m.Type == wire.TypeServerHello && sh.Parse(m.Body) == nil {
			servers = append(servers, found[wire.ServerHello]{sh, len(m.Raw)})
		}
	}
	return clients, servers
}

func (a answer) matchClient(f found[wire.ClientHello]) bool {
	sni := ""
	if a.SNI != nil {
		sni = *a.SNI
	}
	var shares []uint16
	for share := range f.hello.KeyShares().All() {
		shares = append(shares, share.Group)
	}
	return f.size == a.Client && string(f.hello.ServerName()) == sni && f.hello.ECH() == a.ECH &&
		slices.Equal(hexCodes(f.hello.Groups()), a.Groups) &&
		slices.Equal(hexCodes(wire.AppendCodes(nil, shares...)), a.Shares) &&
		(f.hello.Check() != nil) == a.Malformed
}

func (a answer) matchServer(f found[wire.ServerHello]) bool {
	share, ok := f.hello.KeyShare()
	if a.Selected != nil && wire.IsVersion13(f.hello.Chosen()) && (!ok || fmt.Sprintf("0x%04x", share.Group) != *a.Selected) {
		return false
	}
	return f.size == a.Server && fmt.Sprintf("0x%04x", f.hello.Suite) == a.Cipher &&
		fmt.Sprintf("0x%04x", f.hello.Chosen()) == a.Version && !f.hello.RetryRequest()
}

// hexCodes prints code points as the answers do, GREASE left out.
func hexCodes(codes wire.Codes) []string {
	out := []string{}
	for code := range codes.Named() {
		out = append(out, fmt.Sprintf("0x%04x", code))
	}
	return out
}
