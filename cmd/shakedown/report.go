package main

import (
	"bytes"
	"errors"
	"os"

	"shakedown/report"
	"shakedown/report/page"
	"shakedown/result"
)

// reportCmd is `shakedown report`.
type reportCmd struct {
	Directory string `arg:"" name:"run" type:"path" help:"Run directory, as run names it when it ends."`

	JSON  bool   `xor:"form" help:"Print rows as JSON Lines instead of tables."`
	Bench bool   `xor:"form" help:"Print block medians in the Go benchmark format, for benchstat."`
	HTML  string `xor:"form" type:"path" placeholder:"FILE" help:"Write one page with pictures that needs no network; - is standard output."`
}

// Help shows an example.
func (reportCmd) Help() string {
	return `Examples:
  shakedown report mine
  shakedown report mine --html mine.html
  shakedown report mine --bench > mine.txt, then benchstat mine.txt other.txt`
}

// Run shows a run again, with the comparisons computed from its samples.
func (c *reportCmd) Run(e *env) error {
	run, err := result.ReadRun(c.Directory)
	if err != nil {
		return usage(err, "shakedown run --out DIR makes a run directory")
	}
	rows, rowsErr := result.ReadRows(c.Directory)
	blocks, blocksErr := result.ReadBlocks(c.Directory)
	if err := errors.Join(rowsErr, blocksErr); err != nil {
		return err
	}
	run.Sort(rows)
	result.Annotate(&run.Plan, rows, blocks)
	switch {
	case c.JSON:
		return report.JSON(e.stdout, rows)
	case c.Bench:
		return report.Bench(e.stdout, run, rows, blocks)
	case c.HTML == "-":
		return page.HTML(e.stdout, run, rows, blocks)
	case c.HTML != "":
		return writePage(c.HTML, run, rows, blocks)
	}
	return report.Text(e.stdout, run, rows)
}

// writePage writes the page of a run into a file.
func writePage(name string, run result.Run, rows []result.Row, blocks []result.Block) error {
	var text bytes.Buffer
	if err := page.HTML(&text, run, rows, blocks); err != nil {
		return err
	}
	return os.WriteFile(name, text.Bytes(), 0o644)
}
