package driver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Main is the whole of a driver: it obeys the arguments that follow the
// program's name and returns the exit status of the protocol: 0 when it did
// what was asked, 1 when it could not set up, 2 for wrong use.
func Main(s Stack, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{stack: s, clock: newClock(), lines: newLines(stdin), out: newPrinter(stdout)}
	err := p.run(args)
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "%s: error: %v\n", s.Name(), err)
	if wrong := (*usageError)(nil); errors.As(err, &wrong) {
		return 2
	}
	p.out.add(errorLine(err))
	_ = p.out.flush()
	return 1
}

// usageError is wrong use: exit status 2.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usage(err error) error {
	if err == nil {
		return nil
	}
	return &usageError{err}
}

// errorLine is the last line of a driver that could not set up.
func errorLine(err error) Error {
	if cannot := (*CannotError)(nil); errors.As(err, &cannot) {
		return cannot.Line
	}
	return Error{Kind: KindError, Reason: "setup", Detail: err.Error()}
}

// program is one run of a driver.
type program struct {
	stack Stack
	clock clock
	lines *lines
	out   *printer
}

func (p *program) run(args []string) error {
	if len(args) == 0 {
		return usage(errors.New("a verb is missing: " + verbs))
	}
	verb := args[0]
	if err := member("verb", verb, strings.Fields(verbs)); err != nil {
		return usage(err)
	}
	cfg, err := ParseArgs(verb, args[1:])
	if err != nil {
		return usage(err)
	}
	if verb == "info" {
		return p.info()
	}
	if err := cfg.check(verb); err != nil {
		return usage(err)
	}
	return p.obey(verb, cfg.withDefaults())
}

func (p *program) obey(verb string, cfg Config) error {
	switch verb {
	case "serve":
		return serve(p, cfg)
	case "connect":
		return connect(p, cfg)
	}
	return record(p, cfg)
}

func (p *program) info() error {
	info, err := p.stack.Info()
	if err != nil {
		return err
	}
	info.Kind, info.Protocol, info.Stack = KindInfo, Protocol, p.stack.Name()
	info.Verbs, info.Ops, info.Memory = strings.Fields(verbs), strings.Fields(ops), memoryKind
	p.out.add(info)
	return p.out.flush()
}

// blocks obeys `run N` until the commands end; with count it runs that at once.
func (p *program) blocks(count int, run func(n int) error) error {
	if count > 0 {
		return run(count)
	}
	for {
		line, err := p.lines.next()
		if err != nil || line == "" {
			return err
		}
		number, found := strings.CutPrefix(line, "run ")
		if !found {
			return usage(fmt.Errorf("unknown command %.80q, there is \"run N\"", line))
		}
		n, err := parseNumber(number, MaxBlock)
		if err != nil {
			return usage(fmt.Errorf("run: %w", err))
		}
		if err := run(n); err != nil {
			return err
		}
	}
}

// maxCommand bounds a line of commands, bytes.
const maxCommand = 256

// lines are the commands on standard input.
type lines struct{ scan *bufio.Scanner }

func newLines(r io.Reader) *lines {
	scan := bufio.NewScanner(r)
	scan.Buffer(make([]byte, maxCommand), maxCommand)
	return &lines{scan}
}

// next waits for a command; at the end of input it is empty, without an error.
func (l *lines) next() (string, error) {
	for l.scan.Scan() {
		if line := strings.TrimSpace(l.scan.Text()); line != "" {
			return line, nil
		}
	}
	if errors.Is(l.scan.Err(), bufio.ErrTooLong) {
		return "", usage(fmt.Errorf("a command is longer than %d bytes", maxCommand))
	}
	return "", nil
}

// printer collects an answer and prints it in one piece.
type printer struct {
	w    io.Writer
	text bytes.Buffer
	json *json.Encoder
}

func newPrinter(w io.Writer) *printer {
	p := &printer{w: w}
	p.json = json.NewEncoder(&p.text)
	p.json.SetEscapeHTML(false)
	return p
}

// add appends one line; the messages of the protocol always encode.
func (p *printer) add(message any) { _ = p.json.Encode(message) }

func (p *printer) flush() error {
	_, err := p.w.Write(p.text.Bytes())
	p.text.Reset()
	return err
}
