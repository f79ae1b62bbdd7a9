package lab

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"shakedown/driver"
	"shakedown/result"
	"shakedown/spec"
	"shakedown/stack"
)

// busyPatience is the deadline of a handshake on a busy machine.
const busyPatience = 30 * time.Second

// trace runs the one case of a plan through the tap.
func trace(t *testing.T, set result.Settings, axes ...string) Traced {
	t.Helper()
	cases, err := Cases(t.Context(), matrix(t, axes...), testSet(t))
	if err != nil {
		t.Fatal(err)
	}
	if cases[0].Cannot != "" {
		absent(t, cases[0].Cannot)
	}
	traced, err := Trace(t.Context(), cases[0], TraceOptions{Set: set, Timeout: busyPatience})
	if err != nil {
		t.Fatal(err)
	}
	return traced
}

// absent skips what needs something that is not here; in CI nothing is absent.
func absent(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// TestTrace: the wire shows each kind of handshake whole, with its counts.
func TestTrace(t *testing.T) {
	for _, c := range []struct {
		axes            string
		messages, trips int
	}{
		{"version=1.2 mode=full", 10, 2},
		{"version=1.2 mode=resumed", 7, 1}, // with a fresh ticket
		{"version=1.2 mode=full mutual=true", 13, 2},
		{"version=1.3 mode=full", 7, 1},
		{"version=1.3 mode=resumed", 5, 1},
		{"version=1.3 mode=full mutual=true", 10, 1},
		{"version=1.3 mode=full retry=true group=secp384r1", 9, 2},
	} {
		t.Run(c.axes, func(t *testing.T) {
			got := trace(t, result.Settings{}, append(strings.Fields(c.axes), "client=go", "server=go")...)
			w := got.Transcript.Wire
			if got.Failure != "" || got.Mismatch != "" || !got.Complete || got.Transcript.Problem != "" {
				t.Fatalf("failure %q, mismatch %q, problem %q", got.Failure, got.Mismatch, got.Transcript.Problem)
			}
			if w.Messages != c.messages || w.RoundTrips != c.trips {
				t.Errorf("%d messages and %d round trips, want %d and %d", w.Messages, w.RoundTrips, c.messages, c.trips)
			}
			if p := got.Transcript.Proof; p.Client == nil || p.Server == nil || p.Wire == nil {
				t.Errorf("witnesses are missing: %+v", p)
			}
		})
	}
}

// TestTraceNotAsAsked: what did not happen is told, by all who saw it.
func TestTraceNotAsAsked(t *testing.T) {
	got := trace(t, result.Settings{Fault: "skip-ticket"}, "client=go", "server=go", "version=1.3", "mode=resumed")
	if got.Mismatch != "client says mode full, the case says resumed" {
		t.Errorf("mismatch %q", got.Mismatch)
	}
	if w := got.Transcript.Proof.Wire; w == nil || w.Mode != "full" {
		t.Errorf("the wire says %+v", w)
	}
}

// TestWireHasTheLastWord: a row whose wire says otherwise is an error without
// figures, whatever the stacks say.
func TestWireHasTheLastWord(t *testing.T) {
	m := &measured{Planned: Planned{Case: spec.Case{Kind: spec.KindHandshake}}}
	m.take(result.Block{Attempted: 20, Completed: 20, Metrics: map[string][]float64{"response": {1, 2}}})
	m.take(result.Block{Number: tracePass, Wire: &result.Exchange{Messages: 7}, Mismatch: "wire says mode full, the case says resumed"})
	r := m.row(1)
	if r.Status != result.Error || len(r.Metrics) != 0 || !strings.HasPrefix(r.Reason, "wire says mode full") {
		t.Errorf("status %s, reason %q, %d metrics", r.Status, r.Reason, len(r.Metrics))
	}
}

// said is how `openssl s_client -msg` announces a handshake message.
var said = regexp.MustCompile(`(?m)^(>>>|<<<) [^,]+, Handshake \[length ([0-9a-f]+)\], (\w+)`)

// TestTraceSameAsOpenSSLSays: a trace of OpenSSL before Caddy shows what s_client
// says of its own messages, one by one, before the same Caddy.
func TestTraceSameAsOpenSSLSays(t *testing.T) {
	openssl, caddy := here(t, "openssl@3.5"), here(t, "caddy")
	server, err := driver.Start(t.Context(), caddy.Command, "serve", driver.Config{Listen: "127.0.0.1:0", Timeout: busyPatience, Mode: "full"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close(patience) }()
	at := "localhost:" + server.Ready.Address[strings.LastIndexByte(server.Ready.Address, ':')+1:]
	for _, group := range []string{"x25519", "X25519MLKEM768"} {
		got := trace(t, result.Settings{CA: server.Ready.CA}, "client=openssl@3.5", "server="+at, "group="+group)
		if got.Failure != "" || got.Mismatch != "" {
			t.Fatalf("failure %q, mismatch %q", got.Failure, got.Mismatch)
		}
		shown, want := shown(got.Transcript), openSSLSays(t, openssl, at, group)
		if strings.Count(want, "\n") < 8 || shown != want {
			t.Errorf("%s: the trace shows\n%ss_client says\n%s", group, shown, want)
		}
	}
}

func here(t *testing.T, name string) *stack.Stack {
	t.Helper()
	ref, err := spec.ParseStackRef(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := testSet(t).Resolve(t.Context(), ref)
	if err != nil {
		absent(t, err.Error())
	}
	return s
}

// sides lists the handshake messages of each side. Which side's comes first is
// not for s_client to say: a server may send its ticket before it has the client's
// Finished.
type sides struct{ client, server strings.Builder }

func (s *sides) String() string { return s.client.String() + s.server.String() }

func (s *sides) add(from, name string, size int) {
	list := &s.client
	if from == "server" {
		list = &s.server
	}
	list.WriteString(line(from, name, size))
}

// shown lists the handshake messages of a transcript.
func shown(tr result.Transcript) string {
	var s sides
	for _, m := range tr.Messages {
		if m.Name != "ChangeCipherSpec" && (m.Counted || m.Post) {
			s.add(m.From, m.Name, m.Size)
		}
	}
	return s.String()
}

// line: the length of an ECDSA signature is chance, by a few bytes.
func line(from, name string, size int) string {
	if name == "CertificateVerify" {
		return fmt.Sprintf("%s %s\n", from, name)
	}
	return fmt.Sprintf("%s %s %d\n", from, name, size)
}

// openSSLSays runs s_client of the same OpenSSL with a request, as the trace has.
func openSSLSays(t *testing.T, openssl *stack.Stack, at, group string) string {
	t.Helper()
	lib := filepath.Join(openssl.Root, "usr/lib/x86_64-linux-gnu")
	ctx, cancel := context.WithTimeout(t.Context(), busyPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(openssl.Root, "lib64/ld-linux-x86-64.so.2"), "--library-path", lib,
		filepath.Join(openssl.Root, "usr/bin/openssl"), "s_client", "-connect", at, "-servername", "localhost", "-groups", group, "-msg", "-ign_eof")
	cmd.Stdin = strings.NewReader(get("localhost"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("s_client: %v\n%s", err, out)
	}
	var s sides
	for _, m := range said.FindAllStringSubmatch(string(out), -1) {
		size, err := strconv.ParseInt(m[2], 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		s.add(map[string]string{">>>": "client", "<<<": "server"}[m[1]], m[3], int(size))
	}
	return s.String()
}
