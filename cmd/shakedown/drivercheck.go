package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"

	"shakedown/driver"
	"shakedown/driver/check"
)

// driverCheckCmd is `shakedown driver-check`.
type driverCheckCmd struct {
	Program string   `arg:"" help:"The driver."`
	Args    []string `arg:"" optional:"" passthrough:"" help:"Arguments before the verb."`
	JSON    bool     `help:"Print the results as JSON Lines."`
}

// Help shows an example.
func (driverCheckCmd) Help() string {
	return "The protocol is written down in docs/driver.md.\n\nExample: shakedown driver-check ./my-driver"
}

// Run checks the driver; a failed check is status 3.
func (c *driverCheckCmd) Run(e *env) error {
	path, err := exec.LookPath(c.Program)
	if err != nil {
		return usage(err, "give the path of a program")
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	ours := driver.Command{Path: self, Args: []string{"driver", "go"}}
	results, err := check.Run(e.ctx, driver.Command{Path: path, Args: c.Args}, ours, func(r check.Result) { c.tell(e, r) })
	if err != nil {
		return err
	}
	failed := 0
	for _, r := range results {
		if !r.OK {
			failed++
		}
	}
	if failed > 0 {
		return &exitError{exitGate, fmt.Errorf("%d of %d checks failed", failed, len(results)), ""}
	}
	fmt.Fprintf(e.stderr, "%d checks passed\n", len(results))
	return nil
}

func (c *driverCheckCmd) tell(e *env, r check.Result) {
	if c.JSON {
		_ = json.NewEncoder(e.stdout).Encode(r)
		return
	}
	verdict := "ok"
	switch {
	case r.Skipped:
		verdict = "skipped"
	case !r.OK:
		verdict = "FAILED"
	}
	fmt.Fprintf(e.stdout, "%-8s %s", verdict, r.Name)
	if r.Detail != "" {
		fmt.Fprintf(e.stdout, ": %s", r.Detail)
	}
	fmt.Fprintln(e.stdout)
}
