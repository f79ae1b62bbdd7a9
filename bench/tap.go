//go:build unix

package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"time"

	"shakedown/result"
)

// tapLimit is what the pass behind the tap may add to the wall time of a run.
const tapLimit = 0.05

// tracePass is the number of its blocks in the journal (docs/run.md).
const tracePass = -2

// tapCmd is `bench tap`.
type tapCmd struct {
	Study []string `default:"basics,iot-tls" help:"Studies to run, with --quick but the study basics."`
}

// Run adds up the passes of each study. They stand in a run one after another
// with the rest, so that their share needs no second run to compare with.
func (c *tapCmd) Run(e *env) error {
	program, err := buildShakedown(e)
	if err != nil {
		return err
	}
	var verdicts []verdict
	for _, name := range c.Study {
		v, err := tapShare(e, program, name)
		if err != nil {
			return err
		}
		verdicts = append(verdicts, v)
	}
	return outcome(verdicts)
}

func tapShare(e *env, program, study string) (verdict, error) {
	dir := filepath.Join(e.dir, study)
	args := []string{"run", study, "--json", "--out", dir}
	if study != "basics" {
		args = append(args, "--quick")
	}
	begun := time.Now()
	if said, err := exec.CommandContext(e.ctx, program, args...).CombinedOutput(); err != nil {
		return miss, fmt.Errorf("shakedown run %s: %w\n%s", study, err, said)
	}
	wall := time.Since(begun).Seconds()
	blocks, err := result.ReadBlocks(dir)
	if err != nil {
		return miss, err
	}
	passes, tap := 0, 0.0
	for _, b := range blocks {
		if b.Number == tracePass {
			passes, tap = passes+1, tap+b.Length
		}
	}
	share := tap / (wall - tap)
	v := atMost(share, share, tapLimit)
	fmt.Fprintf(e.stdout, "%s: %d passes behind the tap took %.1f s of %.1f s, %.1f %% more, limit %.0f %%: %s\n",
		study, passes, tap, wall, 100*share, 100*tapLimit, v)
	return v, nil
}
