package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"shakedown/link"
	"shakedown/link/space"
	"shakedown/spec"
	"shakedown/stack"
)

// The acceptance suite: each script of testdata/script specifies one thing that
// the program does for its user. It is for Linux, because it looks into /proc.
//
// Beside the commands of testscript there are
//
//	status N PROGRAM ARG...    run it, and its exit status must be N
//	need STACK|tmpfs|namespaces skip the script without it; with CI=true a missing stack is a failure;
//	                           scripts that do not name Caddy have none
//	rows N [FILE]              standard output (or FILE) is N rows that keep the contract
//	row [in FILE] WHERE... -> CHECK...
//	                           every row whose case is WHERE passes each CHECK, and there is one
//	journal DIR CASES SAMPLES  the run has each block of each case once, with so many samples a case
//	begins DIR FILE            the journal of the run begins with the whole lines of FILE
//	unfinish DIR               put a run back to before its passes and its rows
//	blocks DIR N               wait until the run in the background has written N blocks
//	signal SIGNAL [WORD...]    send it to the run in the background, or to its driver with these words
//	gone                       wait until the drivers that the last signal met are no more
//	ended N                    the background command that was waited for had exit status N
//	peer NAME KIND             start a server and set NAME to its HOST:PORT
//	tmpfs DIR SIZE             mount one
//
// Checks are PATH=TEXT, PATH~REGEXP, PATH>NUMBER or PATH>=NUMBER.

// TestMain makes the test program the one under test. Its copy calls itself the
// driver of the Go stack, as the real one does.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"shakedown": main})
}

// patience bounds the whole suite; it is no measure of speed.
const patience = 8 * time.Minute

func TestScript(t *testing.T) {
	deadline := time.Now().Add(patience)
	if given, ok := t.Deadline(); ok && given.Before(deadline) {
		deadline = given
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"), Deadline: deadline,
		RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": status, "need": need,
			"rows": rowsCommand, "row": rowCommand,
			"journal": journal, "begins": begins, "unfinish": unfinish,
			"blocks": blocks, "signal": signalCommand, "gone": gone, "ended": ended,
			"peer": peer, "tmpfs": tmpfs,
		},
	})
}

// bench is what the commands of one script share.
type bench struct {
	t       testscript.T
	run     *exec.Cmd // in the background, seen last
	drivers []int     // its children then
}

type benchKey struct{}

func benchOf(ts *testscript.TestScript) *bench { return ts.Value(benchKey{}).(*bench) }

// setup gives a script a cache directory of its own, in which the compiled
// drivers and the roots are the user's.
func setup(e *testscript.Env) error {
	e.Values[benchKey{}] = &bench{t: e.T()}
	cache := filepath.Join(e.WorkDir, ".cache")
	program, err := exec.LookPath("shakedown")
	if err != nil {
		return err
	}
	e.Setenv("XDG_CACHE_HOME", cache)
	e.Setenv("SHAKEDOWN_ROOTS", strings.Join(stack.Roots(), string(filepath.ListSeparator)))
	e.Setenv("BIN", filepath.Dir(program))
	return shareDrivers(filepath.Join(cache, "shakedown"))
}

func shareDrivers(ours string) error {
	users, err := usersCache()
	if err != nil {
		return err
	}
	drivers := filepath.Join(users, "drivers")
	if err := errors.Join(os.MkdirAll(drivers, 0o700), os.MkdirAll(ours, 0o700)); err != nil {
		return err
	}
	return os.Symlink(drivers, filepath.Join(ours, "drivers"))
}

func usersCache() (string, error) {
	users, err := os.UserCacheDir()
	return filepath.Join(users, "shakedown"), err
}

// sharePeers lets a script that needs Caddy have the user's.
func sharePeers(ts *testscript.TestScript, what string) {
	if !strings.HasPrefix(what, "caddy") {
		return
	}
	users, err := usersCache()
	ts.Check(err)
	ts.Check(os.Symlink(filepath.Join(users, "peers"), filepath.Join(ts.Getenv("XDG_CACHE_HOME"), "shakedown", "peers")))
}

// status is `status N PROGRAM ARG...`.
func status(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: status N PROGRAM ARG...")
	}
	got := 0
	err := ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got, err = exit.ExitCode(), nil
	}
	ts.Check(err)
	if got != number(ts, args[0]) {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

// need is `need STACK|tmpfs`.
func need(ts *testscript.TestScript, _ bool, args []string) {
	for _, what := range args {
		sharePeers(ts, what)
		lack := lacks(what)
		switch {
		case lack == nil:
		case os.Getenv("CI") == "true" && what != "tmpfs" && what != "namespaces":
			ts.Fatalf("%v", lack)
		default:
			benchOf(ts).t.Skip(fmt.Sprintf("needs %s: %v", what, lack))
		}
	}
}

// lacks says why something is not here.
func lacks(what string) error {
	switch what {
	case "tmpfs":
		return mayMount()
	case "namespaces":
		return mayEmulate()
	}
	ref, err := spec.ParseStackRef(what)
	if err != nil {
		return err
	}
	self, err := exec.LookPath("shakedown")
	if err != nil {
		return err
	}
	_, err = stack.NewSet(self, func(string) {}).Resolve(context.Background(), ref)
	return err
}

// mayEmulate says why there can be no emulated links.
func mayEmulate() error {
	n, err := link.Open(link.Options{Emulator: []string{"/bin/false"}})
	if n != nil {
		n.Close()
	}
	var refused *space.RefusedError
	if errors.As(err, &refused) {
		return err
	}
	return nil
}

// await asks every few milliseconds until the answer is yes.
func await(ts *testscript.TestScript, what string, yes func() bool) {
	for deadline := time.Now().Add(patience / 4); !yes(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			ts.Fatalf("waited in vain for %s", what)
		}
	}
}

// number reads an argument.
func number(ts *testscript.TestScript, text string) int {
	n, err := strconv.Atoi(text)
	ts.Check(err)
	return n
}
