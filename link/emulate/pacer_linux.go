package emulate

import (
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// pacer waits for packets and deadlines. A sleep of this system ends late, by tens
// of microseconds; the pacer learns by how much, wakes earlier, and spins for the
// rest where that is worth a processor.
type pacer struct {
	began   time.Time
	spins   bool
	slop    time.Duration // packets may leave so early
	margin  float64       // ns before a deadline at which to be awake: a high quantile of what sleeps overslept
	median  float64       // ns, of the same
	learned int           // sleeps
	ready   [2]bool       // which devices had a packet at the last look, as far as is known
}

// newPacer makes one for a link of a one-way delay.
func newPacer(delay time.Duration) pacer {
	p := pacer{began: time.Now(), margin: 50_000, median: 20_000}
	p.spins = delay < spinBelow && runtime.NumCPU() > 1
	if !p.spins {
		p.slop = slop
	}
	return p
}

// now is the time since the pacer began.
func (p *pacer) now() time.Duration { return time.Since(p.began) }

// waking is how long it takes until a thread that was woken runs.
func (p *pacer) waking() time.Duration { return time.Duration(p.median) }

// wait returns when one of the devices has a packet, or in time for what is due.
// It reports whether it slept until a packet came.
func (p *pacer) wait(devices [2]int, due time.Duration, waiting bool) (woken bool) {
	early := p.median
	if p.spins {
		early = p.margin
	}
	begin, limit := p.now(), longestWait
	if waiting {
		limit = min(limit, due-begin-time.Duration(early))
	}
	if limit <= 0 {
		p.ready = [2]bool{true, true}
		return false
	}
	n, errno := p.poll(devices, limit)
	if n == 0 && errno == 0 && limit < longestWait {
		p.learn(float64(p.now() - begin - limit))
	}
	return n > 0 && errno == 0
}

// learn follows the median and the 80th percentile of what sleeps overslept, by
// steps whose sizes are as the shares on both sides: large ones at first, so that
// some ten sleeps are enough.
func (p *pacer) learn(over float64) {
	const most = 150_000 // ns
	p.learned++
	step := max(2000, 100_000/float64(p.learned))
	if over > p.margin {
		p.margin += min(0.8*step, over-p.margin)
	} else {
		p.margin -= 0.2 * step
	}
	if over > p.median {
		p.median += 0.25 * step
	} else {
		p.median -= 0.25 * step
	}
	p.margin, p.median = min(max(p.margin, 0), most), min(max(p.median, 0), most)
}

// prepareThread asks for timers without slack and for short turns before others on
// a busy machine, and keeps the runtime's preemption signals from ending sleeps.
// With a real-time policy instead, both the emulator and the endpoints wake later.
// What the system refuses is left: the emulator measures how late it is.
func prepareThread() {
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	turns := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_NORMAL, Nice: -20, Runtime: 100_000}
	if unix.SchedSetAttr(0, &turns, 0) != nil { // only root goes before others
		turns.Nice = 0
		_ = unix.SchedSetAttr(0, &turns, 0)
	}
	var blocked unix.Sigset_t
	blocked.Val[0] = 1 << (unix.SIGURG - 1)
	_ = unix.PthreadSigmask(unix.SIG_BLOCK, &blocked, nil)
}

// poll, rawRead and rawWrite do without the runtime's bookkeeping, which costs as
// much as the calls: the process has nothing else to do meanwhile.
func (p *pacer) poll(devices [2]int, wait time.Duration) (int, unix.Errno) {
	fds := [2]unix.PollFd{{Fd: int32(devices[0]), Events: unix.POLLIN}, {Fd: int32(devices[1]), Events: unix.POLLIN}}
	limit := unix.NsecToTimespec(int64(wait))
	n, _, errno := unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&fds)), 2, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	p.ready = [2]bool{fds[0].Revents != 0, fds[1].Revents != 0}
	return int(n), errno
}

func rawRead(fd int, b []byte) (int, unix.Errno) {
	n, _, errno := unix.RawSyscall(unix.SYS_READ, uintptr(fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)))
	return int(n), errno
}

func rawWrite(fd int, b []byte) unix.Errno {
	_, _, errno := unix.RawSyscall(unix.SYS_WRITE, uintptr(fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)))
	return errno
}
