package space

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// inside is set in the environment of the process that [Enter] started again.
const inside = "SHAKEDOWN_USER_NAMESPACE"

// Enter makes sure that this process may create network namespaces. Root just
// may; for anyone else the program is started again as root of a new user
// namespace, in the same network and with the same arguments, and runs there in
// its stead: then ran is true, and status is how it ended. The error is a
// *[RefusedError]. The main thread must call it.
func Enter() (status int, ran bool, err error) {
	if mayUnshare() == nil {
		return 0, false, nil
	}
	if os.Getenv(inside) != "" {
		return 0, false, refusedNetwork(mayUnshare())
	}
	runtime.LockOSThread() // the child dies with the thread that forked it
	cmd := again()
	if err := cmd.Start(); err != nil {
		return 0, false, refusedUser(err)
	}
	defer pass(cmd.Process)()
	if err := cmd.Wait(); err != nil && cmd.ProcessState == nil {
		return 0, false, err
	}
	return statusOf(cmd.ProcessState.Sys().(syscall.WaitStatus)), true, nil
}

// mayUnshare tries it, on a thread that ends with the attempt. The main thread would
// not end, and is left alone, see [Space].
func mayUnshare() error {
	result := make(chan error)
	go tryUnshare(result)
	return <-result
}

func tryUnshare(result chan<- error) {
	runtime.LockOSThread()
	if unix.Gettid() == unix.Getpid() {
		go tryUnshare(result)
		select {}
	}
	result <- unix.Unshare(unix.CLONE_NEWNET)
}

// again is this program once more, as root of a user namespace whose only user
// is this one.
func again() *exec.Cmd {
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Args[0] = os.Args[0]
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), inside+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	return cmd
}

// pass hands signals on that only this process gets. Ctrl-C reaches the whole
// group by itself. The returned function ends it.
func pass(to *os.Process) func() {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		for s := range signals {
			if s != syscall.SIGINT {
				_ = to.Signal(s)
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
	}
}

// statusOf is the exit status, 128 and the number of a signal as shells have it.
func statusOf(s syscall.WaitStatus) int {
	if s.Signaled() {
		return 128 + int(s.Signal())
	}
	return s.ExitStatus()
}

func refusedUser(err error) error {
	r := &RefusedError{"user namespace for a user who is not root", err, "run as root, or in a container with the capability SYS_ADMIN"}
	switch {
	case errors.Is(err, unix.ENOSPC):
		r.Hint = "sysctl user.max_user_namespaces allows none; set it, or run as root"
	case errors.Is(err, unix.EPERM):
		r.Hint = "sysctl kernel.unprivileged_userns_clone or the container forbids it; run as root, or with --cap-add SYS_ADMIN --cap-add NET_ADMIN"
	}
	return r
}

func refusedNetwork(err error) error {
	r := &RefusedError{"network namespace", err, "run as root, or in a container with the capabilities SYS_ADMIN and NET_ADMIN"}
	switch {
	case errors.Is(err, unix.ENOSPC):
		r.Hint = "sysctl user.max_net_namespaces allows none"
	case errors.Is(err, unix.EPERM) && os.Getenv(inside) != "":
		r.Hint = "sysctl kernel.apparmor_restrict_unprivileged_userns forbids it; run as root"
	}
	return r
}

func refusedTUN(err error) error {
	return &RefusedError{"TUN device", fmt.Errorf("/dev/net/tun: %w", err), "modprobe tun; in a container --device /dev/net/tun and --cap-add NET_ADMIN"}
}
