//go:build unix

// Command bench measures shakedown itself: what its drivers add to the
// libraries they call, how they stand beside openssl s_time, how often two equal
// cases seem to differ, and how fast it starts. See docs/benchmarks.md.
//
// It is run from the root of the source tree: go run ./bench COMMAND.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// Exit statuses.
const (
	exitDone   = 0
	exitFailed = 1 // could not measure, or cannot tell
	exitUsage  = 2 // wrong use
	exitMissed = 3 // an aim was missed
)

// cli is the whole command line.
type cli struct {
	Overhead overheadCmd `cmd:"" help:"CPU per handshake of each C driver against a bare loop over the same library calls."`
	STime    sTimeCmd    `cmd:"" name:"s-time" help:"Handshakes per second of the OpenSSL driver against openssl s_time."`
	AA       aaCmd       `cmd:"" name:"aa" help:"How often two identical cases of a run differ significantly."`
	Tap      tapCmd      `cmd:"" help:"What the pass behind the tap adds to the wall time of a run."`
	Start    startCmd    `cmd:"" help:"How long the binary takes to start, and the study basics to run."`
}

// env is what every command gets.
type env struct {
	ctx    context.Context
	dir    string // for programs, keys and files; goes away at the end
	stdout io.Writer
	stderr io.Writer
}

// run is main without the process around it.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	helped := false
	parser, err := kong.New(&cli{}, kong.Name("bench"), kong.Description("Measures shakedown itself (docs/benchmarks.md)."),
		kong.Writers(stdout, stderr), kong.Exit(func(int) { helped = true }))
	if err != nil {
		return fail(stderr, err)
	}
	parsed, err := parser.Parse(args)
	switch {
	case helped:
		return exitDone
	case err != nil:
		fmt.Fprintf(stderr, "bench: error: %v\nbench: hint: go run ./bench --help\n", err)
		return exitUsage
	}
	dir, err := os.MkdirTemp("", "shakedown-bench-")
	if err != nil {
		return fail(stderr, err)
	}
	defer os.RemoveAll(dir)
	return fail(stderr, parsed.Run(&env{ctx, dir, stdout, stderr}))
}

// fail prints an error and gives the exit status.
func fail(stderr io.Writer, err error) int {
	if err == nil {
		return exitDone
	}
	fmt.Fprintf(stderr, "bench: error: %v\n", err)
	if errors.Is(err, errMissed) {
		return exitMissed
	}
	return exitFailed
}
