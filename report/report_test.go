package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"shakedown/plan"
	"shakedown/result"
	"shakedown/spec"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden holds what is written against a file of testdata.
func golden(t *testing.T, name string, write func(io.Writer) error) {
	t.Helper()
	var buf bytes.Buffer
	if err := write(&buf); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, buf.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test ./report -update writes it)", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(buf.String(), "\n")); diff != "" {
		if err := os.WriteFile(file+".got", buf.Bytes(), 0o644); err != nil {
			t.Error(err)
		}
		t.Errorf("%s differs; what came is in %s.got, -update takes it:\n%s", file, file, diff)
	}
}

func TestText(t *testing.T) {
	for name, fixture := range map[string]func() (result.Run, []result.Row){"paper": paper, "rough": rough} {
		t.Run(name, func(t *testing.T) {
			run, rows := fixture()
			golden(t, name+".txt", func(w io.Writer) error { return Text(w, run, rows) })
		})
	}
}

// TestEveryCaseIsShown: no row is dropped, whatever became of it.
func TestEveryCaseIsShown(t *testing.T) {
	run, rows := rough()
	var buf bytes.Buffer
	if err := Text(&buf, run, rows); err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		number := fmt.Sprintf("#%d ", i+1)
		if r.Status == result.OK {
			number = fmt.Sprintf("\n%d  ", i+1)
		}
		if !strings.Contains(buf.String(), number) {
			t.Errorf("case %d (%s) is not in the report:\n%s", i+1, r.Case, buf.String())
		}
	}
}

// TestWidth: tables of the widest cases are cut into parts that fit.
func TestWidth(t *testing.T) {
	run, _ := paper()
	var rows []result.Row
	for i := range 120 {
		words := fmt.Sprintf("client=openssl@3.5.%d server=wolfssl@5.7.%d version=1.%d auth=ecdsa-p%d mode=resumed group=%s", i%20, i%7, 2+i%2, 256+128*(i%2), []string{"x25519", "SecP384r1MLKEM1024"}[i%2])
		if i%3 == 0 {
			words += " mutual=true"
		}
		rows = append(rows, good(words, handshake(0.000913*float64(i+1), 1000+i)))
	}
	var buf bytes.Buffer
	if err := Text(&buf, run, rows); err != nil {
		t.Fatal(err)
	}
	for scan := bufio.NewScanner(&buf); scan.Scan(); {
		if size(scan.Text()) > width {
			t.Fatalf("%d columns: %s", size(scan.Text()), scan.Text())
		}
	}
}

func TestPublishedStandsApart(t *testing.T) {
	_, rows := paper()
	f := figures{rows: rows[len(rows)-3:]}
	f.fill(spec.KindRecord)
	for _, g := range f.groups {
		for _, c := range g.columns {
			for _, cell := range c.cells {
				if strings.Contains(cell, "[1]") != (g.title == "published" && cell != none) {
					t.Errorf("group %q, column %q holds %q", g.title, c.title, cell)
				}
			}
		}
	}
}

// TestBaseWithout: a base that lacks something, here client certificates, is
// named all the same, and so is the only stack.
func TestBaseWithout(t *testing.T) {
	base := good("client=go server=go version=1.3", handshake(0.001, 100))
	mutual := good("client=go server=go version=1.3 mutual=true", handshake(0.002, 100))
	mutual.Comparisons = []result.Comparison{gainOver("cost", "response", base, mutual, false, nil)}
	run := result.Run{Plan: plan.Plan{Comparisons: []plan.Comparison{{Title: "cost", Metric: "response"}}}}
	var buf bytes.Buffer
	if err := Text(&buf, run, []result.Row{base, mutual}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"  cost; base: the same without; mean of answer\n",
		"\ngo     mutual  1.03  2.06   -50.0 %  -53.1 to +1.2 %  not significant\n",
		"mutual against the same without, until the first byte of the answer: no difference that this run can show with go",
	} {
		if !strings.Contains(buf.String(), want) {
			t.Errorf("no %q in\n%s", want, buf.String())
		}
	}
}

func TestHostileText(t *testing.T) {
	run, rows := rough()
	rows[0].Warnings = []string{"a\x1b]0;title\x07 b\u202e\r\nc"}
	var buf bytes.Buffer
	if err := Text(&buf, run, rows); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(buf.String(), "\x1b\x07\r\u202e") {
		t.Errorf("control characters reach the terminal: %q", buf.String())
	}
}

func TestPlan(t *testing.T) {
	run, _ := paper()
	run.Plan.Effort, run.Plan.Quick = run.Effort, plan.Effort{Samples: 200, Time: plan.Duration(90 * time.Second)}
	cases := []result.CaseEntry{
		{ID: "a", Text: "handshake go -> go, TLS 1.3"},
		{ID: "b", Text: "record go, TLS 1.3, TLS_AES_128_CCM_SHA256, 14 B", Cannot: "go@1.26.8: crypto/tls has no AES-CCM"},
	}
	golden(t, "plan.txt", func(w io.Writer) error { return Plan(w, &run.Plan, cases) })
}

func TestBench(t *testing.T) {
	run, rows := paper()
	rows = append(rows[:1:1], rows[len(rows)-1], bad("client=go server=go", result.Error, "broken"))
	var blocks []result.Block
	for i, r := range rows {
		for n := -1; n < 2; n++ {
			b := result.Block{Case: r.ID, Number: n, Attempted: 3, Completed: 3, Metrics: map[string][]float64{"response": {0.001, 0.003, 0.002 + float64(n)/1e4}}}
			if i == 1 {
				b.Metrics = map[string][]float64{"encrypt": {4e-7}, "decrypt": {5.5e-7}}
			}
			blocks = append(blocks, b)
		}
	}
	golden(t, "bench.txt", func(w io.Writer) error { return Bench(w, run, rows, blocks) })
}

func TestJSON(t *testing.T) {
	_, rows := rough()
	var buf bytes.Buffer
	if err := JSON(&buf, rows); err != nil {
		t.Fatal(err)
	}
	if lines := bytes.Count(buf.Bytes(), []byte("\n")); lines != len(rows) {
		t.Errorf("%d lines of %d rows", lines, len(rows))
	}
	dec := json.NewDecoder(&buf)
	for _, want := range rows {
		var got result.Row
		if err := dec.Decode(&got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

// failing refuses to be written to.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWriteErrors(t *testing.T) {
	run, rows := paper()
	for name, err := range map[string]error{
		"text": Text(failing{}, run, rows), "json": JSON(failing{}, rows),
		"plan": Plan(failing{}, &run.Plan, nil), "bench": Bench(failing{}, run, rows, nil),
	} {
		if !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzText: rows come from files; whatever they hold, a report is made of them.
func FuzzText(f *testing.F) {
	run, rows := paper()
	_, more := rough()
	for _, r := range append(rows, more...) {
		line, err := json.Marshal(r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var r result.Row
		if json.Unmarshal(line, &r) != nil {
			return
		}
		with := append([]result.Row{r, r}, rows...)
		if err := Text(io.Discard, run, with); err != nil {
			t.Error(err)
		}
	})
}
