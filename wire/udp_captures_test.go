package wire_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"shakedown/wire"
)

// TestUDPCaptures holds what the DTLS and QUIC parsers find in public captures
// against their known answers: each field that the answer has and the hellos show,
// and no connection more or less.
func TestUDPCaptures(t *testing.T) {
	dir := sharedCaptures(t)
	text, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var files []struct {
		File        string           `json:"file"`
		Connections []map[string]any `json:"connections"`
	}
	if err := json.Unmarshal(text, &files); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range files {
		got := connectionsOf(t, readDatagrams(t, filepath.Join(dir, file.File)))
		var want []map[string]any
		for _, c := range file.Connections {
			if c["transport"] != "tcp" {
				want = append(want, c)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d connections, want %d", file.File, len(got), len(want))
			continue
		}
		for i := range want {
			compareAnswer(t, file.File, got[i], want[i])
		}
		seen += len(want)
	}
	if seen < 15 {
		t.Errorf("only %d connections", seen)
	}
	t.Logf("%d connections", seen)
}

func compareAnswer(t *testing.T, file string, got, want map[string]any) {
	t.Helper()
	for key, value := range want {
		if key != "version" && !reflect.DeepEqual(got[key], value) {
			t.Errorf("%s: %s is %v, want %v", file, key, got[key], value)
		}
	}
}

// udpConn is one connection as the test reports it.
type udpConn struct {
	transport      string
	client, server string
	hellos         []helloSeen
	verify         bool
	retry          *wire.ServerHello
	final          *wire.ServerHello
	finalSize      int
	finalFrame     int
	group          uint16 // of ServerKeyExchange
	full           bool   // the server sent a certificate
	extra          map[string]any
}

type helloSeen struct {
	hello wire.ClientHello
	size  int
	parts progress
}

// addClientHello keeps the first hello and the second of HelloRetryRequest or
// HelloVerifyRequest; one that is sent again after a Retry is not a second.
func (c *udpConn) addClientHello(h helloSeen) {
	if len(c.hellos) == 0 || len(c.hellos) == 1 && (c.verify || c.retry != nil) {
		c.hellos = append(c.hellos, h)
	}
}

func (c *udpConn) addServerHello(t *testing.T, body []byte, size, frame int) {
	t.Helper()
	m := new(wire.ServerHello)
	if err := m.Parse(bytes.Clone(body)); err != nil {
		t.Error(err)
	}
	if m.RetryRequest() {
		c.retry = m
	} else if c.final == nil {
		c.final, c.finalSize, c.finalFrame = m, size, frame
	}
}

// report writes the connection as expected.json does, by way of JSON.
func (c *udpConn) report(t *testing.T) map[string]any {
	t.Helper()
	out := map[string]any{"transport": c.transport, "client": c.client, "server": c.server}
	for key, value := range c.extra {
		out[key] = value
	}
	if len(c.hellos) > 0 {
		c.reportClient(out)
	}
	if c.final != nil {
		c.reportServer(out)
	}
	if c.verify {
		out["hello_verify"] = true
	}
	var again map[string]any
	text, err := json.Marshal(out)
	if err := cmp.Or(err, json.Unmarshal(text, &again)); err != nil {
		t.Fatal(err)
	}
	return again
}

func (c *udpConn) reportClient(out map[string]any) {
	first := c.hellos[0]
	out["sni"] = nil
	if name := first.hello.ServerName(); name != nil {
		out["sni"] = string(name)
	}
	out["offered_groups"], out["key_shares"] = hexCodes(first.hello.Groups()), hexShares(first.hello)
	out["client_hello_bytes"], out["client_hello_segments"] = first.size, first.parts.datagrams
	out["client_hello_frame"] = first.parts.first
	if first.hello.ECH() {
		out["ech"] = true
	}
	if len(c.hellos) > 1 {
		out["key_shares2"], out["client_hello2_bytes"] = hexShares(c.hellos[1].hello), c.hellos[1].size
	}
}

func (c *udpConn) reportServer(out map[string]any) {
	out["hrr"] = c.retry != nil
	if c.retry != nil {
		out["hrr_group"] = nil
		if share, ok := c.retry.KeyShare(); ok {
			out["hrr_group"] = hexCode(share.Group)
		}
	}
	out["version_hex"], out["cipher"] = hexCode(c.final.Chosen()), hexCode(c.final.Suite)
	out["server_hello_bytes"], out["server_hello_frame"] = c.finalSize, c.finalFrame
	group := c.group
	if share, ok := c.final.KeyShare(); ok {
		group = share.Group
	}
	out["selected_group"] = hexCode(group)
	if wire.IsVersion13(c.final.Chosen()) {
		_, out["resumed"] = c.final.PreSharedKey()
	} else if c.full {
		out["resumed"] = false
	}
}

func hexCode(code uint16) string { return fmt.Sprintf("0x%04x", code) }

func hexShares(m wire.ClientHello) []string {
	var groups []byte
	for share := range m.KeyShares().All() {
		groups = wire.AppendCodes(groups, share.Group)
	}
	return hexCodes(wire.Codes(groups))
}

// connectionsOf follows each pair of endpoints with the parsers of both protocols.
func connectionsOf(t *testing.T, datagrams []datagram) (out []map[string]any) {
	t.Helper()
	flows := map[string]*udpFlow{}
	var order []*udpFlow
	for _, d := range datagrams {
		key := min(d.src, d.dst) + " " + max(d.src, d.dst)
		if flows[key] == nil {
			flows[key] = &udpFlow{t: t}
			order = append(order, flows[key])
		}
		flows[key].addDTLS(d)
		flows[key].addQUIC(d)
	}
	for _, flow := range order {
		for _, c := range flow.dtls.conns {
			out = append(out, c.report(t))
		}
		for _, c := range flow.quic.conns {
			if len(c.hellos) > 0 || c.final != nil {
				out = append(out, c.report(t))
			}
		}
	}
	return out
}
