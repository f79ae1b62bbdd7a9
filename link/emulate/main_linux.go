package emulate

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"shakedown/link/aim"
	"shakedown/link/shape"
)

// The files that the process inherits.
const (
	ClientDevice = 3 // TUN device of the client's namespace
	ServerDevice = 4
)

// Main is the process: the first line of standard input is a [Config], each later
// one the word "report", answered by a [Report] in one line, or "reseed N", after
// which chances are those of the seed N. The end of input ends it.
func Main(stdin io.Reader, stdout, stderr io.Writer) int {
	debug.SetGCPercent(-1) // a collection would stop the packets
	runtime.GOMAXPROCS(max(3, runtime.NumCPU()))
	if err := serve(bufio.NewScanner(stdin), json.NewEncoder(stdout)); err != nil {
		fmt.Fprintln(stderr, "link emulator:", err)
		return 1
	}
	return 0
}

func serve(lines *bufio.Scanner, out *json.Encoder) error {
	lines.Buffer(nil, 1<<20)
	if !lines.Scan() {
		return lines.Err()
	}
	var c Config
	if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	commands := make(chan string)
	go func() {
		defer close(commands)
		for lines.Scan() {
			commands <- lines.Text()
		}
	}()
	for _, device := range []int{ClientDevice, ServerDevice} {
		if err := syscall.SetNonblock(device, true); err != nil {
			return fmt.Errorf("file %d is no TUN device: %w", device, err)
		}
	}
	e := newEmulator(c)
	e.commands, e.obey = commands, func(command string) error { return e.command(command, out) }
	if err := out.Encode("ready"); err != nil {
		return err
	}
	return e.run()
}

func newEmulator(c Config) *emulator {
	p := c.Profile
	trip := p.Up.Delay + p.Down.Delay
	e := &emulator{
		pacer:   newPacer(min(p.Up.Delay, p.Down.Delay)),
		lines:   [2]*shape.Line{shape.New(p.Up, p.Frames, shape.Seed(c.Seed, 0)), shape.New(p.Down, p.Frames, shape.Seed(c.Seed, 1))},
		devices: [2]int{ClientDevice, ServerDevice},
		path:    p.PathMTU,
		log:     newLog(c.Quiet, 100*time.Microsecond+trip/100),
	}
	if a := aim.New(p.Aim); a != nil {
		for direction, line := range e.lines {
			line.Filter = func(packet []byte) bool { return a.Drop(direction == 1, packet) }
			line.Hold = a.Hold
		}
	}
	return e
}

// command obeys one.
func (e *emulator) command(line string, out *json.Encoder) error {
	if line == "report" {
		return e.report(out)
	}
	text, found := strings.CutPrefix(line, "reseed ")
	seed, err := strconv.ParseUint(text, 10, 64)
	if !found || err != nil {
		return fmt.Errorf("unknown command %.80q, there are \"report\" and \"reseed N\"", line)
	}
	for direction, l := range e.lines {
		l.Reseed(shape.Seed(seed, direction))
	}
	return nil
}

// report answers, and then cleans up what the answer left.
func (e *emulator) report(out *json.Encoder) error {
	r := Report{Began: e.began, Up: e.lines[0].Counts(), Down: e.lines[1].Counts(), CPU: cpuTime()}
	e.log.hand(&r)
	err := out.Encode(r)
	runtime.GC()
	return err
}

// cpuTime is the processor time of this process so far.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
