package emulate

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"shakedown/link/shape"
)

// The files that the process inherits.
const (
	ClientDevice = 3 // TUN device of the client's namespace
	ServerDevice = 4
)

// Main is the process: the first line of standard input is a [Config], each later
// one the word "report", answered by a [Report] in one line. The end of input ends
// it.
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
	e.commands, e.obey = commands, func(command string) error { return e.report(command, out) }
	if err := out.Encode("ready"); err != nil {
		return err
	}
	return e.run()
}

func newEmulator(c Config) *emulator {
	p := c.Profile
	trip := p.Up.Delay + p.Down.Delay
	return &emulator{
		pacer:   newPacer(min(p.Up.Delay, p.Down.Delay)),
		lines:   [2]*shape.Line{shape.New(p.Up, p.Frames, c.Seed), shape.New(p.Down, p.Frames, c.Seed+1)},
		devices: [2]int{ClientDevice, ServerDevice},
		log:     newLog(c.Quiet, 100*time.Microsecond+trip/100),
	}
}

// report answers the command, and then cleans up what the answer left.
func (e *emulator) report(command string, out *json.Encoder) error {
	if command != "report" {
		return fmt.Errorf("unknown command %.80q, there is \"report\"", command)
	}
	r := Report{Up: e.lines[0].Counts(), Down: e.lines[1].Counts(), CPU: cpuTime()}
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
