package virtual

import (
	"bytes"
	"net"
	"sync"
	"time"

	"github.com/quic-go/quic-go/testutils/simnet"

	"shakedown/link/profile"
	"shakedown/link/shape"
)

// Direction is one of the two of a link.
type Direction struct {
	from, to *net.UDPAddr
	receiver simnet.PacketReceiver
	began    time.Time
	header   int // bytes of a packet in front of the datagram

	mu     sync.Mutex
	line   *shape.Line
	timer  *time.Timer // of the line's next event
	packet []byte      // that enters, with headers whose bytes nobody reads
	closed bool
}

func newDirection(began time.Time, d profile.Direction, f profile.Frames, seed uint64, header int) *Direction {
	n := &Direction{began: began, header: header, line: shape.New(d, f, seed), packet: make([]byte, header)}
	n.timer = time.AfterFunc(time.Hour, n.leave)
	n.timer.Stop()
	return n
}

// Filter drops the datagrams for which a function returns true, from now on; nil
// drops none. The function sees every datagram that is sent and no longer than the
// MTU allows, in order and before any other fate, so that it serves to watch as
// well. It must not keep the slice, nor use the direction.
func (d *Direction) Filter(drop func(datagram []byte) bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.line.Filter = nil
	if drop != nil {
		d.line.Filter = func(packet []byte) bool { return drop(packet[d.header:]) }
	}
}

// Counts returns the totals so far. Their bytes are those of IP packets.
func (d *Direction) Counts() shape.Counts {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.line.Counts()
}

// enter puts a datagram on the link.
func (d *Direction) enter(datagram []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.packet = append(d.packet[:d.header], datagram...)
	d.line.Enter(time.Since(d.began), d.packet)
	d.advance()
}

// leave is called when something is due.
func (d *Direction) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.advance()
}

// advance hands over what is due, and sets the timer for what comes next.
func (d *Direction) advance() {
	if d.closed {
		return
	}
	now := time.Since(d.began)
	for p, ok := d.line.Leave(now); ok; p, ok = d.line.Leave(now) {
		d.receiver.RecvPacket(simnet.Packet{From: d.from, To: d.to, Data: bytes.Clone(p.Data[d.header:])})
	}
	if due, any := d.line.Due(); any {
		d.timer.Reset(due - now)
	}
}

func (d *Direction) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	d.timer.Stop()
}
