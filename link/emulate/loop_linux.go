package emulate

import (
	"errors"
	"runtime"
	"time"

	"golang.org/x/sys/unix"

	"shakedown/link/icmp"
	"shakedown/link/profile"
	"shakedown/link/shape"
)

// Times of the loop.
const (
	longestWait = 50 * time.Millisecond // before it looks for commands again
	slop        = 60 * time.Microsecond // packets may leave so early where the loop does not spin
	spinBelow   = 10 * time.Millisecond // of one-way delay: links that want better than the timer's precision
	batch       = 64                    // packets from one device before the other has its turn
	maxPacket   = 1 << 16
)

// emulator carries packets both ways. All of it runs on one thread.
type emulator struct {
	pacer
	lines    [2]*shape.Line // up, down
	path     profile.PathMTU
	devices  [2]int           // of the client's side, of the server's
	newest   [2]time.Duration // when the last packet of each was sent
	heard    [2]time.Duration // when each last had one
	log      log
	commands <-chan string
	obey     func(command string) error
	buf      []byte
}

// run carries packets until the commands end.
func (e *emulator) run() error {
	runtime.LockOSThread()
	prepareThread()
	e.buf = make([]byte, maxPacket)
	for {
		select {
		case command, more := <-e.commands:
			if !more {
				return nil
			}
			if err := e.obey(command); err != nil {
				return err
			}
		default:
		}
		due, waiting := e.due()
		woken := e.wait(e.devices, due, waiting)
		for direction := range e.lines {
			if !e.ready[direction] {
				continue
			}
			if err := e.take(direction, woken); err != nil {
				return err
			}
		}
		e.deliver()
	}
}

// due is when the next packet of either direction leaves.
func (e *emulator) due() (time.Duration, bool) {
	up, anyUp := e.lines[0].Due()
	down, anyDown := e.lines[1].Due()
	switch {
	case anyUp && anyDown:
		return min(up, down), true
	case anyUp:
		return up, true
	}
	return down, anyDown
}

// take reads what a side has sent. A packet for which the thread had to be woken
// was there before it was read, by what waking takes; but not before what its sender
// had last, which it may answer.
func (e *emulator) take(direction int, woken bool) error {
	for range batch {
		n, errno := rawRead(e.devices[direction], e.buf)
		switch {
		case errno == unix.EAGAIN || errno == unix.EINTR:
			return nil
		case errno != 0:
			return errors.Join(errors.New("reading a TUN device"), errno)
		case n == 0:
			return nil
		}
		at := e.now()
		if woken {
			at -= e.waking()
		}
		at = max(at, e.newest[direction], e.heard[direction])
		e.newest[direction] = at
		id, fate := e.lines[direction].Enter(at, e.buf[:n])
		e.log.sent(direction, id, at, e.buf[:n], fate != shape.Queued)
	}
	return nil
}

// deliver writes the packets that are due. A device that takes no more loses them,
// as a full receive ring does; the kernel counts that.
func (e *emulator) deliver() {
	for direction, line := range e.lines {
		for {
			now := e.now()
			packet, ok := line.Leave(now + e.slop)
			if !ok {
				break
			}
			late := max(now-packet.Due, 0)
			if e.path.Bytes > 0 && len(packet.Data) > e.path.Bytes {
				e.refuse(direction, now, packet, late)
				continue
			}
			e.heard[1-direction] = now
			_ = rawWrite(e.devices[1-direction], packet.Data)
			e.log.arrived(direction, packet.ID, now, late)
		}
	}
}

// refuse drops a packet at a hop that is too narrow for it, at the far end of the link,
// and sends word back to its sender, unless the hop is silent.
func (e *emulator) refuse(direction int, now time.Duration, packet shape.Departure, late time.Duration) {
	e.log.refused(direction, packet.ID, late)
	if e.path.Silent {
		return
	}
	if word := icmp.TooBig(packet.Data, e.path.Bytes); word != nil {
		at := max(now, e.newest[1-direction])
		e.newest[1-direction] = at
		id, fate := e.lines[1-direction].Enter(at, word)
		e.log.sent(1-direction, id, at, word, fate != shape.Queued)
	}
}
