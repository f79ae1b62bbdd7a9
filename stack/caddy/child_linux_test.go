package caddy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"shakedown/driver"
)

// TestDiesWithDriver: a driver that is killed takes its Caddy along.
func TestDiesWithDriver(t *testing.T) {
	needCaddy(t)
	dir := t.TempDir()
	p, caddy := started(t, dir)
	if caddy == p.PID() || !alive(caddy) {
		t.Fatalf("the ready line names %d, the driver is %d", caddy, p.PID())
	}
	p.Kill()
	eventually(t, func() bool { return !alive(caddy) })
}

// TestLeavesNothing: at the end of its input a driver ends Caddy first, no file
// of either is left, and the machine trusts whom it trusted before; an
// interruption ends it in the same way.
func TestLeavesNothing(t *testing.T) {
	needCaddy(t)
	before := trusted(t)
	for _, signal := range []syscall.Signal{0, syscall.SIGTERM} {
		dir := t.TempDir()
		p, caddy := started(t, dir)
		if signal != 0 {
			if err := syscall.Kill(p.PID(), signal); err != nil {
				t.Fatal(err)
			}
			eventually(t, func() bool { return !alive(caddy) })
		}
		if err := p.Close(time.Minute); err != nil {
			t.Error(err)
		}
		if alive(caddy) {
			t.Error("caddy is still there")
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v %v", left, err)
		}
	}
	if !slices.Equal(before, trusted(t)) {
		t.Error("what this machine trusts has changed")
	}
}

// started is a driver whose files lie in a directory, and its Caddy.
func started(t *testing.T, dir string) (*driver.Process, int) {
	t.Helper()
	ours := command(t, "caddy")
	ours.Env = append(ours.Env, "TMPDIR="+dir, "HOME="+dir, "PATH="+filepath.Dir(needCaddy(t).Path))
	p, err := driver.Start(patience(t), ours, "serve", driver.Config{Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	return p, p.Ready.PID
}

// TestCaddyEnds: a driver whose Caddy is gone says so and ends.
func TestCaddyEnds(t *testing.T) {
	needCaddy(t)
	p, caddy := started(t, t.TempDir())
	if err := syscall.Kill(caddy, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_, err := p.Report(patience(t))
	if err == nil || !strings.Contains(err.Error(), "caddy ended") {
		t.Errorf("%v", err)
	}
}

// alive tells whether a process is there and no zombie.
func alive(pid int) bool {
	status, err := os.ReadFile(proc(pid, "status"))
	return err == nil && !strings.Contains(string(status), "State:\tZ")
}

func eventually(t *testing.T, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it did not come to that")
		}
	}
}

// trusted is what this machine trusts: the names and times of Debian's files.
func trusted(t *testing.T) (list []string) {
	t.Helper()
	for _, dir := range []string{"/usr/local/share/ca-certificates", "/etc/ssl/certs"} {
		entries, _ := os.ReadDir(dir)
		for _, entry := range entries {
			if info, err := entry.Info(); err == nil {
				list = append(list, dir+"/"+entry.Name()+info.ModTime().String())
			}
		}
	}
	return list
}
