//go:build unix

package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"time"
)

// What `version` and `run` without arguments may take.
const (
	startLimit  = 50 * time.Millisecond
	basicsLimit = 60 * time.Second
)

// startCmd is `bench start`.
type startCmd struct {
	Repetitions int  `default:"40" help:"How often the binary is started."`
	Basics      bool `default:"true" negatable:"" help:"Also run the study basics."`
}

// Run measures start-up and, unless told not to, the study basics.
func (c *startCmd) Run(e *env) error {
	program, err := buildShakedown(e)
	if err != nil {
		return err
	}
	v, err := c.startup(e, program)
	if err != nil {
		return err
	}
	verdicts := []verdict{v}
	if c.Basics {
		if v, err = basics(e, program); err != nil {
			return err
		}
		verdicts = append(verdicts, v)
	}
	return outcome(verdicts)
}

// startup starts the binary again and again, after once that does not count.
func (c *startCmd) startup(e *env, program string) (verdict, error) {
	var wall, cpu []float64
	for i := range c.Repetitions + 1 {
		cmd := exec.CommandContext(e.ctx, program, "version")
		begun := time.Now()
		if err := cmd.Run(); err != nil {
			return miss, fmt.Errorf("shakedown version: %w", err)
		}
		if i == 0 {
			continue
		}
		wall = append(wall, time.Since(begun).Seconds())
		cpu = append(cpu, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds())
	}
	m := median(wall)
	v := atMost(m, m, startLimit.Seconds())
	fmt.Fprintf(e.stdout, "shakedown version: median %.1f ms, CPU %.1f ms, limit %v: %s\n", 1e3*m, 1e3*median(cpu), startLimit, v)
	return v, nil
}

// basics times the study that runs without arguments. Drivers that were not
// compiled before are compiled in this time.
func basics(e *env, program string) (verdict, error) {
	begun := time.Now()
	cmd := exec.CommandContext(e.ctx, program, "run", "--json", "--out", filepath.Join(e.dir, "basics"))
	if said, err := cmd.CombinedOutput(); err != nil {
		return miss, fmt.Errorf("shakedown run: %w\n%s", err, said)
	}
	took := time.Since(begun)
	v := atMost(took.Seconds(), took.Seconds(), basicsLimit.Seconds())
	fmt.Fprintf(e.stdout, "shakedown run (basics): %.1f s, limit %v: %s\n", took.Seconds(), basicsLimit, v)
	return v, nil
}
