package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// background remembers the one command that runs in the background.
func background(ts *testscript.TestScript) *bench {
	b := benchOf(ts)
	running := ts.BackgroundCmds()
	if len(running) != 1 {
		ts.Fatalf("%d commands run in the background, want one", len(running))
	}
	b.run = running[0]
	return b
}

// blocks is `blocks DIR N`.
func blocks(ts *testscript.TestScript, _ bool, args []string) {
	pid := background(ts).run.Process.Pid
	file := filepath.Join(ts.MkAbs(args[0]), "samples.jsonl")
	n := number(ts, args[1])
	await(ts, args[1]+" blocks in "+args[0], func() bool {
		if !alive(pid) {
			ts.Fatalf("the run ended before it had written %d blocks", n)
		}
		text, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			ts.Fatalf("%v", err)
		}
		return bytes.Count(text, []byte("\n")) >= n
	})
}

var signals = map[string]syscall.Signal{
	"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "KILL": syscall.SIGKILL, "STOP": syscall.SIGSTOP,
}

// signalCommand is `signal SIGNAL [WORD...]`.
func signalCommand(ts *testscript.TestScript, _ bool, args []string) {
	sig, known := signals[args[0]]
	if !known {
		ts.Fatalf("unknown signal %s", args[0])
	}
	b := background(ts)
	b.drivers = children(b.run.Process.Pid)
	if len(args) == 1 {
		ts.Check(b.run.Process.Signal(sig))
		return
	}
	// Drivers are renewed for each block: between two there is none for a moment.
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		b.drivers = children(b.run.Process.Pid)
		for _, pid := range b.drivers {
			if holdsAll(commandLine(pid), args[1:]) {
				ts.Check(syscall.Kill(pid, sig))
				return
			}
		}
	}
	ts.Fatalf("no driver has %q in its command line", args[1:])
}

// gone is `gone`: a driver does not outlive the one that started it.
func gone(ts *testscript.TestScript, _ bool, _ []string) {
	drivers := benchOf(ts).drivers
	if len(drivers) == 0 {
		ts.Fatalf("there were no drivers")
	}
	for _, pid := range drivers {
		await(ts, fmt.Sprintf("the end of driver %d", pid), func() bool { return !alive(pid) })
	}
}

// ended is `ended N`.
func ended(ts *testscript.TestScript, _ bool, args []string) {
	state := benchOf(ts).run.ProcessState
	if state == nil {
		ts.Fatalf("nothing was waited for")
	}
	if got := strconv.Itoa(state.ExitCode()); got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
}

// statOf gives state and parent of a process (proc_pid_stat(5)); what is in
// parentheses, the name, may hold anything.
func statOf(pid int) (state string, parent int) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, found := strings.Cut(string(text), ") ")
	if err != nil || !found {
		return "", 0
	}
	fields := strings.Fields(rest)
	parent, _ = strconv.Atoi(fields[1])
	return fields[0], parent
}

// alive: a zombie is not.
func alive(pid int) bool {
	state, _ := statOf(pid)
	return state != "" && state != "Z" && state != "X"
}

func children(of int) (list []int) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if _, parent := statOf(pid); parent == of && alive(pid) {
			list = append(list, pid)
		}
	}
	return list
}

func commandLine(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return strings.ReplaceAll(string(text), "\x00", " ")
}

func holdsAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// tmpfs is `tmpfs DIR SIZE`, unmounted at the end of the script.
func tmpfs(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o755))
	ts.Check(syscall.Mount("none", dir, "tmpfs", 0, "size="+args[1]))
	ts.Defer(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
}

// mayMount tries it.
func mayMount() error {
	dir, err := os.MkdirTemp("", "shakedown-mount-")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(dir) }()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=4k"); err != nil {
		return err
	}
	return syscall.Unmount(dir, syscall.MNT_DETACH)
}
