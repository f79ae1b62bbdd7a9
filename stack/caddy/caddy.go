// Package caddy operates Caddy, a web server, as the stack "caddy": a driver
// that has no client. It starts the `caddy` program of this machine for every
// `serve` and reads its access log (docs/caddy.md).
package caddy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"shakedown/driver"
)

// name is the stack's name in flags and files.
const name = "caddy"

// verbs are those of the protocol that a server can obey.
const verbs = "info serve"

// Main is the driver of Caddy: arguments after the program's name in, exit
// status out (docs/driver.md).
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := &printer{w: stdout}
	err := run(args, stdin, out)
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "%s: error: %v\n", name, err)
	if wrong := (*usageError)(nil); errors.As(err, &wrong) {
		return 2
	}
	out.add(errorLine(err))
	_ = out.flush()
	return 1
}

func run(args []string, stdin io.Reader, out *printer) error {
	if len(args) == 0 || !slices.Contains(strings.Fields(verbs), args[0]) {
		return &usageError{fmt.Errorf("%.80q is no verb of a server, there are: %s", args[:min(len(args), 1)], verbs)}
	}
	cfg, err := driver.ParseArgs(args[0], args[1:])
	if err != nil {
		return &usageError{err}
	}
	if args[0] == "info" {
		return info(out)
	}
	if err := validate(cfg); err != nil {
		return err
	}
	return serve(cfg, stdin, out)
}

// info prints what the Caddy of this machine can do.
func info(out *printer) error {
	program, err := Find(context.Background(), chosen())
	if err != nil {
		return err
	}
	about, err := describe(program)
	if err != nil {
		return err
	}
	out.add(about)
	return out.flush()
}

// validate refuses wrong use, and what no Caddy can do.
func validate(cfg driver.Config) error {
	switch {
	case cfg.Listen == "":
		return &usageError{errors.New("serve needs --listen")}
	case (cfg.Cert == "") != (cfg.Key == ""):
		return &usageError{errors.New("--cert and --key go together")}
	case cfg.Mutual && cfg.CA == "":
		return &usageError{errors.New("--mutual needs --ca")}
	}
	return refuse(cfg)
}

// usageError is wrong use: exit status 2.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// errorLine is the last line of a driver that could not set up.
func errorLine(err error) driver.Error {
	if cannot := (*driver.CannotError)(nil); errors.As(err, &cannot) {
		return cannot.Line
	}
	return driver.Error{Kind: driver.KindError, Reason: "setup", Detail: err.Error()}
}

// printer collects an answer and prints it in one piece.
type printer struct {
	w    io.Writer
	text bytes.Buffer
}

// add appends one line; the messages of the protocol always encode.
func (p *printer) add(message any) {
	line := json.NewEncoder(&p.text)
	line.SetEscapeHTML(false)
	_ = line.Encode(message)
}

func (p *printer) flush() error {
	_, err := p.w.Write(p.text.Bytes())
	p.text.Reset()
	return err
}
