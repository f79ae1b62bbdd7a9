package caddy

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// memoryKind is what `--memory` measures of Caddy: the resident set.
const memoryKind = "rss"

// dieTogether makes the system kill Caddy when its driver dies, however.
func dieTogether(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// cpuOf is the processor time of a process so far, user and system, with that
// of threads that have ended: the clock that clock_getcpuclockid(3) names.
func cpuOf(pid int) time.Duration {
	const scheduled = 2 // CPUCLOCK_SCHED
	var t unix.Timespec
	if unix.ClockGettime(int32(^pid<<3|scheduled), &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// socketsOf counts the sockets that a process has open, -1 when it cannot tell.
func socketsOf(pid int) int {
	dir := filepath.Join("/proc", strconv.Itoa(pid), "fd")
	names, err := os.ReadDir(dir)
	if err != nil {
		return -1
	}
	sockets := 0
	for _, name := range names {
		target, _ := os.Readlink(filepath.Join(dir, name.Name()))
		if strings.HasPrefix(target, "socket:") {
			sockets++
		}
	}
	return sockets
}

// residentNow and residentPeak read proc(5), bytes.
func residentNow(pid int) int64  { return statusBytes(pid, "VmRSS:") }
func residentPeak(pid int) int64 { return statusBytes(pid, "VmHWM:") }

// resetPeak sets the peak back to what is resident now (proc(5), clear_refs).
func resetPeak(pid int) { _ = os.WriteFile(proc(pid, "clear_refs"), []byte("5"), 0) }

func proc(pid int, file string) string { return filepath.Join("/proc", strconv.Itoa(pid), file) }

// statusBytes reads a field of /proc/PID/status, 0 where there is none.
func statusBytes(pid int, field string) int64 {
	status, _ := os.ReadFile(proc(pid, "status"))
	_, after, _ := bytes.Cut(status, []byte(field))
	line, _, _ := bytes.Cut(after, []byte("kB"))
	n, _ := strconv.ParseInt(string(bytes.TrimSpace(line)), 10, 64)
	return n << 10
}

// widen lets a pipe hold thousands of lines, so that Caddy never waits for its
// reader: 1 MiB is what anybody may ask for (pipe(7)).
func widen(pipe *os.File) {
	if raw, err := pipe.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, 1<<20) })
	}
}
