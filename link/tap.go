package link

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"sync"
	"time"

	"shakedown/wire/transcript"
)

// Limits of what a tap keeps of one connection. What comes beyond them passes
// unrecorded, so that a hostile peer costs a bounded amount of memory.
const (
	maxBytes  = 8 << 20 // of both directions
	maxChunks = 1 << 16
	// maxConversations bounds what waits to be taken.
	maxConversations = 1 << 12
)

// dialTimeout bounds the tap's own connect to the server.
const dialTimeout = 10 * time.Second

// ErrFull says that a connection was longer than a tap records.
var ErrFull = errors.New("the connection is longer than the tap records")

// Conversation is one TCP connection as a tap saw it.
type Conversation struct {
	Client netip.AddrPort // from where the client came
	Relay  netip.AddrPort // whom the server took for the client
	Server netip.AddrPort
	Began  time.Time
	Chunks []transcript.Chunk // times are since Began
	Ended  time.Duration      // since Began
	Err    error              // the server was not reached, or [ErrFull]
}

// Tap is a relay on loopback in front of a server. It hands on what it reads, at
// once and unchanged, and records it with the time of its reading. Nothing that
// is timed may run through it: it adds two copies and two wake-ups.
type Tap struct {
	target   string
	listener net.Listener
	open     sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool // to be closed with the tap
	done  []Conversation
	shut  bool
}

// NewTap listens on a free port of loopback and connects on to target, a
// HOST:PORT, for each connection that comes.
func NewTap(target string) (*Tap, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("tap: %w", err)
	}
	t := &Tap{target: target, listener: listener, conns: map[net.Conn]bool{}}
	t.open.Add(1)
	go t.accept()
	return t, nil
}

// Address is where clients connect to.
func (t *Tap) Address() string { return t.listener.Addr().String() }

// Close ends the tap with all connections that run through it, and returns the
// conversations in the order in which they ended.
func (t *Tap) Close() []Conversation {
	_ = t.listener.Close()
	t.mu.Lock()
	t.shut = true
	for conn := range t.conns {
		_ = conn.Close()
	}
	t.mu.Unlock()
	t.open.Wait()
	return t.done
}

// Wait lets the connections that are open end by themselves, for so long at most.
func (t *Tap) Wait(limit time.Duration) {
	for end := time.Now().Add(limit); time.Now().Before(end) && !t.idle(); {
		time.Sleep(time.Millisecond)
	}
}

func (t *Tap) idle() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.conns) == 0
}

func (t *Tap) accept() {
	defer t.open.Done()
	for {
		client, err := t.listener.Accept()
		if err != nil {
			return
		}
		if t.keep(client) {
			t.open.Add(1)
			go t.relay(client)
		}
	}
}

// keep notes a connection that Close has to close; false when that is over.
func (t *Tap) keep(conn net.Conn) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.shut || len(t.done) >= maxConversations {
		_ = conn.Close()
		return false
	}
	t.conns[conn] = true
	return true
}

// finish keeps what was recorded, and lets go of the connections.
func (t *Tap) finish(c Conversation, conns ...net.Conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done = append(t.done, c)
	for _, conn := range conns {
		delete(t.conns, conn)
		_ = conn.Close()
	}
}

// relay carries one connection.
func (t *Tap) relay(client net.Conn) {
	defer t.open.Done()
	r := recorder{Conversation: Conversation{Began: time.Now(), Client: addressOf(client.RemoteAddr())}}
	server, err := net.DialTimeout("tcp", t.target, dialTimeout)
	if err != nil {
		r.Err = err
		reset(client)
		t.finish(r.Conversation, client)
		return
	}
	if !t.keep(server) {
		t.finish(r.Conversation, client)
		return
	}
	r.Relay, r.Server = addressOf(server.LocalAddr()), addressOf(server.RemoteAddr())
	var both sync.WaitGroup
	both.Go(func() { r.carry(transcript.Client, client, server) })
	both.Go(func() { r.carry(transcript.Server, server, client) })
	both.Wait()
	r.Ended = time.Since(r.Began)
	t.finish(r.Conversation, client, server)
}

// recorder records both directions of a connection.
type recorder struct {
	mu sync.Mutex
	Conversation
	bytes int
}

// carry copies one direction until its end, and hands the end on as it came: a
// half-close as one, a reset as a reset.
func (r *recorder) carry(side transcript.Side, from, to net.Conn) {
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			r.record(side, buf[:n])
			if _, failed := to.Write(buf[:n]); failed != nil {
				reset(from)
				return
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			_ = to.(*net.TCPConn).CloseWrite()
			return
		case err != nil:
			reset(to)
			return
		}
	}
}

// record keeps a chunk before it is handed on, so that what answers it always
// stands behind it.
func (r *recorder) record(side transcript.Side, data []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Err != nil {
		return
	}
	if r.bytes += len(data); r.bytes > maxBytes || len(r.Chunks) >= maxChunks {
		r.Err = ErrFull
		return
	}
	r.Chunks = append(r.Chunks, transcript.Chunk{From: side, Time: time.Since(r.Began), Data: append([]byte(nil), data...)})
}

// reset closes a connection so that its peer sees a reset.
func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

func addressOf(a net.Addr) netip.AddrPort {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	addr := tcp.AddrPort()
	return netip.AddrPortFrom(addr.Addr().Unmap(), addr.Port())
}
