package driver

import (
	"errors"
	"net"
	"sync"
	"time"
)

// pipe carries bytes one way, in memory. While two goroutines use it a reader
// waits for bytes; once it is alone, one goroutine uses both ends, nothing
// waits and nothing is locked.
type pipe struct {
	mu     sync.Mutex
	filled sync.Cond
	data   []byte
	head   int // data before it was read
	closed bool
	alone  bool
}

// errEmpty is a read of a pipe that would have to wait for its own goroutine,
// errGone the use of one that the other end has closed.
var (
	errEmpty = errors.New("no more bytes in memory")
	errGone  = errors.New("the other end is gone")
)

func newPipe(capacity int) *pipe {
	p := &pipe{data: make([]byte, capacity)}
	clear(p.data) // touches it: no page faults later
	p.data = p.data[:0]
	p.filled.L = &p.mu
	return p
}

// len is the number of bytes that wait to be read.
func (p *pipe) len() int { return len(p.data) - p.head }

func (p *pipe) Write(b []byte) (int, error) {
	if !p.alone {
		p.mu.Lock()
		defer p.mu.Unlock()
	}
	if p.closed {
		return 0, errGone
	}
	p.data = append(p.data, b...)
	if !p.alone {
		p.filled.Broadcast()
	}
	return len(b), nil
}

func (p *pipe) Read(b []byte) (int, error) {
	if p.alone {
		if p.len() == 0 {
			return 0, errEmpty
		}
		return p.take(b), nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.len() == 0 && !p.closed {
		p.filled.Wait()
	}
	if p.len() == 0 {
		return 0, errGone
	}
	return p.take(b), nil
}

func (p *pipe) take(b []byte) int {
	n := copy(b, p.data[p.head:])
	p.head += n
	if p.len() == 0 {
		p.data, p.head = p.data[:0], 0
	}
	return n
}

// close ends the writing; what is in the pipe can still be read.
func (p *pipe) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.filled.Broadcast()
}

// end is one end of two pipes, as a net.Conn. Deadlines do nothing.
type end struct{ in, out *pipe }

func (e end) Read(b []byte) (int, error)       { return e.in.Read(b) }
func (e end) Write(b []byte) (int, error)      { return e.out.Write(b) }
func (e end) LocalAddr() net.Addr              { return e }
func (e end) RemoteAddr() net.Addr             { return e }
func (e end) SetDeadline(time.Time) error      { return nil }
func (e end) SetReadDeadline(time.Time) error  { return nil }
func (e end) SetWriteDeadline(time.Time) error { return nil }
func (e end) Network() string                  { return "memory" }
func (e end) String() string                   { return "memory" }

// Close ends both directions, so that nobody waits for the other for ever.
func (e end) Close() error {
	e.in.close()
	e.out.close()
	return nil
}
