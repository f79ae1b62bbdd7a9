//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"text/template"

	"gonum.org/v1/gonum/stat/distuv"

	"shakedown/result"
)

// aaLimit is the share of runs in which two identical cases may differ
// significantly: 1 - stats.Level.
const aaLimit = 0.05

// aaCmd is `bench aa`.
type aaCmd struct {
	Stack       []string `arg:"" optional:"" help:"Stacks, as in --client. Default: go and openssl."`
	Repetitions int      `default:"100" help:"Runs of each stack."`
	Samples     int      `default:"200" help:"Handshakes of each case of a run."`
	Block       int      `default:"20" help:"Handshakes in a block."`
}

// aaMetrics are compared; the verdict is on the first.
var aaMetrics = []string{"response", "client_cpu", "server_cpu"}

// aaPlan measures a case twice and compares it with itself.
var aaPlan = template.Must(template.New("plan").Parse(`name: aa
title: The same case twice
cases:
  - {client: {{.Stack}}, server: same, version: "1.3", group: x25519, auth: ecdsa-p256, replica: [a, b]}
comparisons:
{{- range .Metrics}}
  - title: b against a
    metric: {{.}}
    base: {replica: a}
    against: [{case: {replica: b}}]
{{- end}}
`))

// planFor is the plan of one stack.
func planFor(stack string) ([]byte, error) {
	var text bytes.Buffer
	err := aaPlan.Execute(&text, map[string]any{"Stack": strconv.Quote(stack), "Metrics": aaMetrics})
	return text.Bytes(), err
}

// Run counts for each stack.
func (c *aaCmd) Run(e *env) error {
	if len(c.Stack) == 0 {
		c.Stack = []string{"go", "openssl"}
	}
	program, err := buildShakedown(e)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "%d runs of two identical cases, %d handshakes each in blocks of %d:\n"+
		"in how many they differ significantly. Expected %.0f or fewer; by chance up to %d.\n\n%-10s",
		c.Repetitions, c.Samples, c.Block, aaLimit*float64(c.Repetitions), byChance(c.Repetitions, aaLimit), "")
	for _, m := range aaMetrics {
		fmt.Fprintf(e.stdout, " %12s", m)
	}
	fmt.Fprintln(e.stdout)
	var verdicts []verdict
	for _, stack := range c.Stack {
		v, err := c.count(e, program, stack)
		if err != nil {
			return fmt.Errorf("%s: %w", stack, err)
		}
		verdicts = append(verdicts, v)
	}
	return outcome(verdicts)
}

// byChance is the number of false alarms that is exceeded in at most 2.5 % of
// experiments of n runs, each of which errs with probability p.
func byChance(n int, p float64) int {
	b := distuv.Binomial{N: float64(n), P: p}
	k := 0
	for b.CDF(float64(k)) < 0.975 {
		k++
	}
	return k
}

// count repeats the run of one stack and prints a line.
func (c *aaCmd) count(e *env, program, stack string) (verdict, error) {
	file := filepath.Join(e.dir, "aa.yaml")
	text, err := planFor(stack)
	if err != nil {
		return miss, err
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return miss, err
	}
	counts := map[string]int{}
	for range c.Repetitions {
		found, err := c.once(e, program, file)
		if err != nil {
			return miss, err
		}
		for _, metric := range found {
			counts[metric]++
		}
	}
	v := judgeCount(counts[aaMetrics[0]], c.Repetitions)
	fmt.Fprintf(e.stdout, "%-10s", stack)
	for _, m := range aaMetrics {
		fmt.Fprintf(e.stdout, " %12d", counts[m])
	}
	fmt.Fprintf(e.stdout, "  %s\n", v)
	return v, nil
}

// judgeCount: a count above the aim that chance explains tells nothing.
func judgeCount(count, n int) verdict {
	switch {
	case float64(count) <= aaLimit*float64(n):
		return pass
	case count > byChance(n, aaLimit):
		return miss
	}
	return open
}

// once makes a run and returns the metrics in which the cases differ.
func (c *aaCmd) once(e *env, program, plan string) ([]string, error) {
	dir := filepath.Join(e.dir, "run")
	defer os.RemoveAll(dir)
	cmd := exec.CommandContext(e.ctx, program, "run", plan, "--json", "--out", dir,
		"--samples", strconv.Itoa(c.Samples), "--block", strconv.Itoa(c.Block))
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("shakedown run: %w\n%s", err, said.Bytes())
	}
	return significant(out)
}

// significant reads the rows and lists the metrics in which they differ.
func significant(rows []byte) ([]string, error) {
	var metrics []string
	compared := 0
	for line := range bytes.Lines(rows) {
		var row result.Row
		if err := json.Unmarshal(line, &row); err != nil {
			return nil, err
		}
		for _, c := range row.Comparisons {
			compared++
			if c.Significant {
				metrics = append(metrics, c.Metric)
			}
		}
	}
	if compared != len(aaMetrics) {
		return nil, errors.New("the run compared nothing: its cases have no figures")
	}
	return metrics, nil
}
