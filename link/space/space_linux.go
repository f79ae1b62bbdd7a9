package space

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// Space is a network namespace. It lasts as long as its thread and the processes
// in it.
type Space struct {
	calls   chan func()
	netlink *netlink.Handle
}

// New makes a namespace with nothing in it but a loopback device that is down.
// The error is a *[RefusedError].
func New() (*Space, error) {
	s := &Space{calls: make(chan func())}
	ready := make(chan error)
	go s.hold(ready)
	return s, <-ready
}

// hold is the thread of the namespace, which it never leaves: it ends with the
// goroutine. The main thread must not become one, or /proc/net would change.
func (s *Space) hold(ready chan error) {
	runtime.LockOSThread()
	if unix.Gettid() == unix.Getpid() {
		go s.hold(ready)
		select {}
	}
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		ready <- refusedNetwork(err)
		return
	}
	var err error
	s.netlink, err = netlink.NewHandle(unix.NETLINK_ROUTE)
	ready <- err
	for call := range s.calls {
		call()
	}
}

// Do runs a function on the thread of the namespace and returns its error.
func (s *Space) Do(f func() error) error {
	done := make(chan error)
	s.calls <- func() { done <- f() }
	return <-done
}

// Start starts a process in the namespace. It dies with this process.
func (s *Space) Start(cmd *exec.Cmd) error {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	return s.Do(cmd.Start)
}

// Close lets go of the namespace.
func (s *Space) Close() {
	if s.netlink != nil {
		s.netlink.Close()
	}
	close(s.calls)
}

// sysctl writes below /proc/sys, as the thread of the namespace sees it.
func (s *Space) sysctl(name, value string) error {
	return s.Do(func() error { return os.WriteFile(filepath.Join("/proc/sys", name), []byte(value), 0) })
}

// Sysctl reads a setting below /proc/sys, such as "net/ipv4/tcp_timestamps".
func (s *Space) Sysctl(name string) (value string, err error) {
	err = s.Do(func() error {
		text, err := os.ReadFile(filepath.Join("/proc/sys", name))
		value = string(text)
		return err
	})
	return value, err
}
