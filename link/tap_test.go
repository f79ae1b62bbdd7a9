package link

import (
	"bytes"
	"errors"
	"io"
	"net"
	"syscall"
	"testing"
	"time"

	"shakedown/wire/transcript"
)

// patience is how long a test waits for what must come at once.
const patience = 30 * time.Second

// serve answers each connection with a handler, on loopback.
func serve(t *testing.T, handle func(*net.TCPConn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go handle(conn.(*net.TCPConn))
		}
	}()
	return l.Addr().String()
}

func dial(t *testing.T, address string) *net.TCPConn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(patience))
	return conn.(*net.TCPConn)
}

func newTap(t *testing.T, target string) *Tap {
	t.Helper()
	tap, err := NewTap(target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tap.Close() })
	return tap
}

// echo sends back what it reads, and ends when the client has.
func echo(conn *net.TCPConn) {
	_, _ = io.Copy(conn, conn)
	_ = conn.Close()
}

func stream(c Conversation, side transcript.Side) []byte {
	var all []byte
	for _, chunk := range c.Chunks {
		if chunk.From == side {
			all = append(all, chunk.Data...)
		}
	}
	return all
}

// TestRelay: both directions arrive unchanged and are recorded, the question
// before its answer; a half-close passes.
func TestRelay(t *testing.T) {
	tap := newTap(t, serve(t, echo))
	conn := dial(t, tap.Address())
	for _, word := range []string{"one", "two", "three"} {
		if _, err := io.WriteString(conn, word); err != nil {
			t.Fatal(err)
		}
		back := make([]byte, len(word))
		if _, err := io.ReadFull(conn, back); err != nil || string(back) != word {
			t.Fatalf("came back as %q, %v", back, err)
		}
	}
	_ = conn.CloseWrite()
	if rest, err := io.ReadAll(conn); err != nil || len(rest) > 0 {
		t.Fatalf("after the half-close: %q, %v", rest, err)
	}
	tap.Wait(patience)
	all := tap.Close()
	if len(all) != 1 {
		t.Fatalf("%d conversations, want 1", len(all))
	}
	c := all[0]
	if c.Err != nil || c.Client.String() != conn.LocalAddr().String() || c.Relay == c.Client {
		t.Errorf("conversation %v from %v, relayed from %v", c.Err, c.Client, c.Relay)
	}
	for _, side := range []transcript.Side{transcript.Client, transcript.Server} {
		if got := stream(c, side); string(got) != "onetwothree" {
			t.Errorf("%v: %q", side, got)
		}
	}
	ordered(t, c)
}

// ordered: an echo never stands before what it answers, and time does not run
// backwards.
func ordered(t *testing.T, c Conversation) {
	t.Helper()
	ahead, last := 0, time.Duration(0)
	for _, chunk := range c.Chunks {
		if chunk.From == transcript.Client {
			ahead += len(chunk.Data)
		} else {
			ahead -= len(chunk.Data)
		}
		if ahead < 0 || chunk.Time < last || chunk.Time > c.Ended {
			t.Fatalf("chunk of %v at %v after %v, %d bytes ahead", chunk.From, chunk.Time, last, ahead)
		}
		last = chunk.Time
	}
}

// TestReset: a server that resets is one that resets for the client too.
func TestReset(t *testing.T) {
	tap := newTap(t, serve(t, func(conn *net.TCPConn) {
		_, _ = conn.Read(make([]byte, 1))
		reset(conn)
	}))
	conn := dial(t, tap.Address())
	_, _ = conn.Write([]byte("x"))
	if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the client sees %v, want a reset", err)
	}
}

// TestNobodyThere: a server that is not there is told, and the client reset.
func TestNobodyThere(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	tap := newTap(t, l.Addr().String())
	if conn, err := net.Dial("tcp", tap.Address()); err == nil { // it may come back as a reset at once
		_ = conn.SetDeadline(time.Now().Add(patience))
		if _, err := conn.Read(make([]byte, 1)); err == nil {
			t.Error("the client was not told")
		}
		_ = conn.Close()
	}
	tap.Wait(patience)
	all := tap.Close()
	if len(all) != 1 || !errors.Is(all[0].Err, syscall.ECONNREFUSED) {
		t.Errorf("conversations %+v, want one that was refused", all)
	}
}

// TestFull: beyond the limit the bytes pass, but are not kept.
func TestFull(t *testing.T) {
	const more = maxBytes + 1<<20
	tap := newTap(t, serve(t, func(conn *net.TCPConn) {
		n, _ := io.Copy(io.Discard, conn)
		if n == more {
			_, _ = conn.Write([]byte("all"))
		}
		_ = conn.Close()
	}))
	conn := dial(t, tap.Address())
	if _, err := conn.Write(bytes.Repeat([]byte{'x'}, more)); err != nil {
		t.Fatal(err)
	}
	_ = conn.CloseWrite()
	if got, err := io.ReadAll(conn); err != nil || string(got) != "all" {
		t.Errorf("the server says %q, %v", got, err)
	}
	tap.Wait(patience)
	c := tap.Close()[0]
	if kept := len(stream(c, transcript.Client)); !errors.Is(c.Err, ErrFull) || kept > maxBytes {
		t.Errorf("%d bytes kept, %v", kept, c.Err)
	}
}

// TestClose: connections that never end do not keep the tap.
func TestClose(t *testing.T) {
	tap := newTap(t, serve(t, func(conn *net.TCPConn) { _, _ = io.Copy(io.Discard, conn) }))
	conn := dial(t, tap.Address())
	_, _ = conn.Write([]byte("x"))
	for tap.idle() { // until it is relayed
		time.Sleep(time.Millisecond)
	}
	tap.Close()
	if _, err := conn.Read(make([]byte, 1)); err == nil {
		t.Error("the connection outlived the tap")
	}
	if _, err := net.Dial("tcp", tap.Address()); err == nil {
		t.Error("the tap still listens")
	}
}
