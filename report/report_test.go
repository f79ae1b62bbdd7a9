package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"shakedown/plan"
	"shakedown/report/internal/fixture"
	"shakedown/report/internal/table"
	"shakedown/result"
)

func TestText(t *testing.T) {
	for name, runOf := range map[string]func() (result.Run, []result.Row){"paper": fixture.Paper, "rough": fixture.Rough, "wire": fixture.Wire} {
		t.Run(name, func(t *testing.T) {
			run, rows := runOf()
			fixture.Golden(t, name+".txt", func(w io.Writer) error { return Text(w, run, rows) })
		})
	}
}

// TestEveryCaseIsShown: no row is dropped, whatever became of it.
func TestEveryCaseIsShown(t *testing.T) {
	run, rows := fixture.Rough()
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
	run, _ := fixture.Paper()
	var rows []result.Row
	for i := range 120 {
		words := fmt.Sprintf("client=openssl@3.5.%d server=wolfssl@5.7.%d version=1.%d auth=ecdsa-p%d mode=resumed group=%s", i%20, i%7, 2+i%2, 256+128*(i%2), []string{"x25519", "SecP384r1MLKEM1024"}[i%2])
		if i%3 == 0 {
			words += " mutual=true"
		}
		rows = append(rows, fixture.Good(words, fixture.Handshake(0.000913*float64(i+1), 1000+i)))
	}
	var buf bytes.Buffer
	if err := Text(&buf, run, rows); err != nil {
		t.Fatal(err)
	}
	for scan := bufio.NewScanner(&buf); scan.Scan(); {
		if table.Size(scan.Text()) > width {
			t.Fatalf("%d columns: %s", table.Size(scan.Text()), scan.Text())
		}
	}
}

// TestBaseWithout: a base that lacks something, here client certificates, is
// named all the same, and so is the only stack.
func TestBaseWithout(t *testing.T) {
	base := fixture.Good("client=go server=go version=1.3", fixture.Handshake(0.001, 100))
	mutual := fixture.Good("client=go server=go version=1.3 mutual=true", fixture.Handshake(0.002, 100))
	mutual.Comparisons = []result.Comparison{fixture.GainOver("cost", "response", base, mutual, false, nil)}
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
	run, rows := fixture.Rough()
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
	run, _ := fixture.Paper()
	run.Plan.Effort, run.Plan.Quick = run.Effort, plan.Effort{Samples: 200, Time: plan.Duration(90 * time.Second)}
	cases := []result.CaseEntry{
		{ID: "a", Text: "handshake go -> go, TLS 1.3"},
		{ID: "b", Text: "record go, TLS 1.3, TLS_AES_128_CCM_SHA256, 14 B", Cannot: "go@1.26.8: crypto/tls has no AES-CCM"},
	}
	fixture.Golden(t, "plan.txt", func(w io.Writer) error { return Plan(w, &run.Plan, cases) })
}

func TestBench(t *testing.T) {
	run, rows := fixture.Paper()
	rows = append(rows[:1:1], rows[len(rows)-1], fixture.Bad("client=go server=go", result.Error, "broken"))
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
	fixture.Golden(t, "bench.txt", func(w io.Writer) error { return Bench(w, run, rows, blocks) })
}

func TestJSON(t *testing.T) {
	_, rows := fixture.Rough()
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

func TestWriteErrors(t *testing.T) {
	run, rows := fixture.Paper()
	for name, err := range map[string]error{
		"text": Text(fixture.Failing{}, run, rows), "json": JSON(fixture.Failing{}, rows),
		"plan": Plan(fixture.Failing{}, &run.Plan, nil), "bench": Bench(fixture.Failing{}, run, rows, nil),
	} {
		if !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzText: rows come from files; whatever they hold, a report is made of them.
func FuzzText(f *testing.F) {
	run, rows := fixture.Paper()
	_, more := fixture.Rough()
	_, wire := fixture.Wire()
	for _, r := range slices.Concat(rows, more, wire) {
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
