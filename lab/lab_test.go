package lab

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shakedown/link/emulate"
	"shakedown/plan"
	"shakedown/result"
	"shakedown/spec"
	"shakedown/stack"
	"shakedown/stack/caddy"
	"shakedown/stack/gotls"
)

// TestMain makes the test binary the driver of the Go stack, and of Caddy, and the
// emulator of links.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == emulatorVerb {
		os.Exit(emulate.Main(os.Stdin, os.Stdout, os.Stderr))
	}
	if len(os.Args) > 2 && os.Args[1] == "driver" {
		main := gotls.Main
		if os.Args[2] == "caddy" {
			main = caddy.Main
		}
		os.Exit(main(os.Args[3:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// emulatorVerb is how the test binary is started to emulate a link.
const emulatorVerb = "emulate"

// silent watches nothing.
type silent struct{}

func (silent) Begin([]result.CaseEntry, plan.Effort) {}
func (silent) Starting(spec.Case)                    {}
func (silent) Progress(Progress)                     {}
func (silent) Row(result.Row)                        {}

func testSet(t *testing.T) *stack.Set {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return stack.NewSet(self, func(s string) { t.Log(s) })
}

func matrix(t *testing.T, axes ...string) *plan.Plan {
	t.Helper()
	m := plan.Matrix{}
	for _, a := range axes {
		field, list, _ := strings.Cut(a, "=")
		if err := m.Add(field, list); err != nil {
			t.Fatal(err)
		}
	}
	return &plan.Plan{Name: "test", Cases: []plan.Matrix{m}}
}

// measure runs a plan into a new directory.
func measure(t *testing.T, ctx context.Context, p *plan.Plan, e plan.Effort, fault string) ([]result.Row, string, error) {
	t.Helper()
	cases, err := Cases(ctx, p, testSet(t))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "run")
	dir, err := result.Create(path, result.Run{Schema: result.Schema, Seed: 1, Plan: *p, Effort: e, Cases: Entries(cases)})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Run(ctx, cases, dir, nil, Options{Plan: p, Effort: e, Seed: 1, Set: result.Settings{Fault: fault}, Watch: silent{}})
	return rows, path, err
}

func tenSamples() plan.Effort {
	return plan.Effort{Samples: 20, Timeout: plan.Duration(20 * time.Second)}
}

// TestModes: full, resumed and 1.2 and 1.3 give rows whose proof is the label.
func TestModes(t *testing.T) {
	p := matrix(t, "client=go", "server=go", "version=1.2,1.3", "mode=full,resumed", "auth=ecdsa-p256", "group=x25519")
	rows, path, err := measure(t, context.Background(), p, tenSamples(), "")
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 4 {
		t.Fatalf("%d rows, want 4", len(rows))
	}
	for _, r := range rows {
		if r.Status != result.OK || r.Completed != 20 || r.Attempted != 20 {
			t.Errorf("%v: %s %s, %d of %d", r.Case, r.Status, r.Reason, r.Completed, r.Attempted)
			continue
		}
		if m := r.Case.Judge("client", r.Proof.Client); m != "" {
			t.Error(m)
		}
		for _, metric := range []string{"connect", "client_complete", "server_complete", "request", "response", "client_cpu", "server_cpu", "client_memory", "server_memory", "cpu_share", "memory_share"} {
			if r.Metrics[metric].N == 0 {
				t.Errorf("%v: no %s", r.Case, metric)
			}
		}
		if r.Metrics["response"].N != 20 || r.Metrics["response"].Median <= 0 {
			t.Errorf("%v: response %+v", r.Case, r.Metrics["response"])
		}
	}
	stored, err := result.ReadRows(path)
	if err != nil || len(stored) != 4 {
		t.Errorf("%d rows in the directory, %v", len(stored), err)
	}
}

// TestSkippedTicket: a client that forgets to read its ticket makes full
// handshakes; the row labelled resumed is an error, and carries no number.
func TestSkippedTicket(t *testing.T) {
	p := matrix(t, "client=go", "server=go", "version=1.3", "mode=resumed", "auth=ecdsa-p256")
	rows, _, err := measure(t, context.Background(), p, tenSamples(), "skip-ticket")
	if err != nil {
		t.Fatal(err)
	}
	r := rows[0]
	if r.Status != result.Error || len(r.Metrics) != 0 || !strings.Contains(r.Reason, "full") {
		t.Errorf("status %s, reason %q, %d metrics: want an error that says full, and none", r.Status, r.Reason, len(r.Metrics))
	}
}
