package driver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// maxLine bounds one line of a driver's output: the samples of the largest
// block fit several times over.
const maxLine = 4 << 20

// Process is a running driver. It is used by one goroutine at a time.
type Process struct {
	Ready Ready

	cmd    *exec.Cmd
	stdin  io.WriteCloser
	lines  chan []byte
	stderr *Tail
	done   chan struct{} // closed when the process has been waited for
	failed error         // why, once done
}

// Command is a program and the arguments that come before the verb, with
// extra environment variables ("NAME=value").
type Command struct {
	Path string
	Args []string
	Env  []string
	// Launch starts the process in another place than here, such as a network
	// namespace; nil is exec.Cmd.Start.
	Launch func(*exec.Cmd) error
}

// Start runs `verb` with the flags of cfg and waits for its ready line. An
// error is a *CannotError when the stack lacks what was asked, else a
// *CrashError with what the driver said on standard error.
func Start(ctx context.Context, c Command, verb string, cfg Config) (*Process, error) {
	argv := append(append([]string{}, c.Args...), verb)
	if verb == "op" {
		argv = append(argv, cfg.Op)
	}
	p, err := launch(c, append(argv, cfg.Args()...))
	if err != nil {
		return nil, err
	}
	if err := p.read(ctx, p.takeReady); err != nil {
		p.Kill()
		return nil, err
	}
	return p, nil
}

// launch starts the process and the goroutine that reads its lines.
func launch(c Command, argv []string) (*Process, error) {
	cmd := exec.Command(c.Path, argv...)
	cmd.Env = append(os.Environ(), c.Env...)
	p := &Process{cmd: cmd, lines: make(chan []byte, 64), stderr: &Tail{Limit: 4096}, done: make(chan struct{})}
	cmd.Stderr = p.stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.stdin = stdin
	isolate(cmd)
	start := c.Launch
	if start == nil {
		start = (*exec.Cmd).Start
	}
	if err := start(cmd); err != nil {
		return nil, fmt.Errorf("driver %s does not start: %w", c.Path, err)
	}
	go p.pump(stdout)
	return p, nil
}

// pump hands each line to the reader and, at the end, waits for the process.
func (p *Process) pump(stdout io.Reader) {
	scan := bufio.NewScanner(stdout)
	scan.Buffer(make([]byte, 64<<10), maxLine)
	for scan.Scan() {
		p.lines <- bytes.Clone(scan.Bytes())
	}
	if err := scan.Err(); err != nil && !errors.Is(err, os.ErrClosed) {
		p.failed = fmt.Errorf("driver output: %w", err)
		_ = p.cmd.Process.Kill()
	}
	if err := p.cmd.Wait(); p.failed == nil {
		p.failed = err
	}
	close(p.lines)
	close(p.done)
}

// kindOf is the least a line must be.
type kindOf struct {
	Kind string `json:"kind"`
}

// read takes lines until take says that it has enough.
func (p *Process) read(ctx context.Context, take func(kind string, line []byte) (bool, error)) error {
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case line, open := <-p.lines:
			if !open {
				return p.crash()
			}
			enough, err := p.takeLine(line, take)
			if enough || err != nil {
				return err
			}
		}
	}
}

func (p *Process) takeLine(line []byte, take func(string, []byte) (bool, error)) (bool, error) {
	var k kindOf
	if err := json.Unmarshal(line, &k); err != nil || k.Kind == "" {
		return false, fmt.Errorf("driver printed a line that is no message: %.80q", line)
	}
	if k.Kind == KindError {
		return false, cannot(line)
	}
	return take(k.Kind, line)
}

func (p *Process) takeReady(kind string, line []byte) (bool, error) {
	if kind != KindReady {
		return false, nil
	}
	return true, json.Unmarshal(line, &p.Ready)
}

// send writes one command line.
func (p *Process) send(command string) error {
	if _, err := io.WriteString(p.stdin, command+"\n"); err != nil {
		return p.crash()
	}
	return nil
}

// Close asks the driver to finish and waits up to grace before it is killed. The
// error is a *CrashError when it did not end as it should.
func (p *Process) Close(grace time.Duration) error {
	_ = p.stdin.Close()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	for {
		select {
		case _, open := <-p.lines:
			if !open {
				return p.ending()
			}
		case <-timer.C:
			p.Kill()
			return fmt.Errorf("driver did not finish within %v", grace)
		}
	}
}

// ending says how the process ended, nil when it did so in order.
func (p *Process) ending() error {
	<-p.done
	if p.failed == nil {
		return nil
	}
	return &CrashError{Status: statusOf(p.failed), Stderr: p.stderr.String()}
}

// Kill ends the process at once.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill()
	_ = p.stdin.Close()
	for range p.lines { // let pump end
	}
}

// PID is the driver's process id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// crash waits for the end and says how it came.
func (p *Process) crash() error {
	select {
	case <-p.done:
	case <-time.After(2 * time.Second):
	}
	select {
	case <-p.done:
		return &CrashError{Status: statusOf(p.failed), Stderr: p.stderr.String()}
	default:
		return &CrashError{Status: "closed its output", Stderr: p.stderr.String()}
	}
}

func statusOf(err error) string {
	if err == nil {
		return "exit status 0"
	}
	return err.Error()
}
