// Command shakedown shows what a secure channel really costs, and says what to
// configure.
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

	"shakedown/link/emulate"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Exit statuses (see the README).
const (
	exitDone        = 0
	exitFailed      = 1   // could not do it
	exitUsage       = 2   // wrong use or bad input
	exitGate        = 3   // a gate or comparison failed
	exitInterrupted = 130 // what was measured is kept and reported
)

// emulatorVerb makes this program a link emulator. It is for the lab, not for
// people.
const emulatorVerb = "link-emulator"

// cli is the whole command line.
type cli struct {
	Run         runCmd         `cmd:"" help:"Measure: a study, a plan, or the handshakes that flags name."`
	Studies     studiesCmd     `cmd:"" help:"List the shipped studies; with a name, print its YAML."`
	Stacks      stacksCmd      `cmd:"" help:"Show the stacks of this machine and what each can do."`
	Links       linksCmd       `cmd:"" help:"List the link profiles; with a name, show it; with --check, measure how true they are."`
	Trace       traceCmd       `cmd:"" help:"Show one handshake message by message."`
	Report      reportCmd      `cmd:"" help:"Show a run that was measured before."`
	DriverCheck driverCheckCmd `cmd:"" name:"driver-check" help:"Check that a program keeps the driver protocol."`
	Version     versionCmd     `cmd:"" help:"Print the version."`
}

// env is what every command gets.
type env struct {
	ctx    context.Context
	args   []string
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
}

// exitError carries an exit status; hint tells the user what to do. Without an
// error all has been said.
type exitError struct {
	status int
	err    error
	hint   string
}

func (e *exitError) Error() string { return fmt.Sprint(e.err) }
func (e *exitError) Unwrap() error { return e.err }

// usage marks an error as wrong use or bad input.
func usage(err error, hint string) error { return &exitError{exitUsage, err, hint} }

// run is main without the process around it.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "driver" {
		return driverMain(args[1:], stdin, stdout, stderr)
	}
	if len(args) > 0 && args[0] == emulatorVerb {
		return emulate.Main(stdin, stdout, stderr)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	e := &env{ctx, args, stdin, stdout, stderr}
	status, help := 0, false
	parser, err := newParser(e, func(int) { help = true })
	if err != nil {
		return fail(stderr, err)
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	if args[0] == "help" {
		args = append(args[1:], "--help")
	}
	parsed, err := parser.Parse(args)
	if help {
		return status
	}
	if err != nil {
		return fail(stderr, usage(err, "shakedown "+commandOf(parser, args)+"--help"))
	}
	return fail(stderr, interrupted(ctx, parsed.Run(e)))
}

func newParser(e *env, exit func(int)) (*kong.Kong, error) {
	return kong.New(&cli{},
		kong.Name("shakedown"),
		kong.Description("The lab in which a secure channel shows what it really costs.\n\nExample: shakedown run --client go --server openssl --version 1.2,1.3"),
		kong.Writers(e.stdout, e.stderr),
		kong.Exit(exit),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 80}),
	)
}

// commandOf is the command that the arguments begin with, for a hint.
func commandOf(parser *kong.Kong, args []string) string {
	for _, command := range parser.Model.Children {
		if command.Name == args[0] {
			return command.Name + " "
		}
	}
	return ""
}

// interrupted gives the status of an interruption to what it made fail.
func interrupted(ctx context.Context, err error) error {
	var known *exitError
	if err == nil || ctx.Err() == nil || errors.As(err, &known) {
		return err
	}
	return &exitError{exitInterrupted, errors.New("interrupted"), ""}
}

// fail prints an error and gives the exit status.
func fail(stderr io.Writer, err error) int {
	if err == nil {
		return exitDone
	}
	var known *exitError
	if errors.As(err, &known) && known.err == nil {
		return known.status
	}
	fmt.Fprintf(stderr, "shakedown: error: %v\n", err)
	if known == nil {
		return exitFailed
	}
	if known.hint != "" {
		fmt.Fprintf(stderr, "shakedown: hint: %s\n", known.hint)
	}
	return known.status
}
