package caddy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"shakedown/driver"
)

// child is a running Caddy.
type child struct {
	cmd   *exec.Cmd
	said  *driver.Tail
	ended chan struct{} // closed when the process has been waited for
	err   error         // how it ended, once it has
}

// start runs Caddy with a configuration, on which it waits at standard input. It
// inherits the files as 3, 4, …, and its standard output is out, if any.
func start(program Program, dir string, config object, out *os.File, files ...*os.File) (*child, error) {
	text, err := json.Marshal(config)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program.Path, "run", "--config", "-")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	cmd.Stdin, cmd.ExtraFiles = bytes.NewReader(text), files
	if out != nil {
		cmd.Stdout = out
	}
	c := &child{cmd: cmd, said: &driver.Tail{Limit: 8192}, ended: make(chan struct{})}
	cmd.Stderr, cmd.WaitDelay = c.said, time.Second
	dieTogether(cmd)
	return c, c.launch()
}

// launch starts the process on a thread that lives as long as it: where a
// child dies with its parent, the system means the thread that started it.
func (c *child) launch() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocks
		err := c.cmd.Start()
		started <- err
		if err == nil {
			c.err = c.cmd.Wait()
			close(c.ended)
		}
	}()
	return <-started
}

func (c *child) pid() int { return c.cmd.Process.Pid }

// stop kills Caddy and waits for its end. There is nothing to save.
func (c *child) stop() {
	_ = c.cmd.Process.Kill()
	<-c.ended
}

// failure says how Caddy ended by itself, in its own words.
func (c *child) failure() error {
	c.stop() // it has closed its output: at most a moment is left
	if words := lastWords(c.said.String()); words != "" {
		return fmt.Errorf("caddy ended: %s", words)
	}
	if c.err != nil {
		return fmt.Errorf("caddy ended: %w", c.err)
	}
	return errors.New("caddy ended")
}

// silence explains why Caddy did not answer: it is gone, or it hangs.
func (c *child) silence(err error) error {
	select {
	case <-c.ended:
		return c.failure()
	case <-time.After(time.Second):
		return fmt.Errorf("caddy does not answer its driver: %w", err)
	}
}

// lastWords finds the last line that tells of an error: plain text, or a line of
// its log.
func lastWords(said string) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	last := lines[len(lines)-1]
	var logged struct{ Msg, Error string }
	if json.Unmarshal([]byte(last), &logged) == nil {
		return strings.TrimSpace(logged.Msg + " " + logged.Error)
	}
	return strings.TrimPrefix(last, "Error: ")
}
