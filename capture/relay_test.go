package capture

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/netip"
	"os"
	"sync"
	"testing"
	"time"

	"shakedown/pki"
	"shakedown/wire/transcript"
)

// recording is a conversation of crypto/tls with itself and the client's key log.
type recording struct {
	Conversation
	keys []byte
}

// answerSize is what the server answers with, in bytes: some segments.
const answerSize = 20000

// record runs one connection through a relay on a loopback address: handshake, a
// request of four bytes, an answer, close.
func record(t *testing.T, host string, version uint16) *recording {
	t.Helper()
	server, relay := listen(t, host), listen(t, host)
	identity, err := pki.New(pki.Options{Auth: "ecdsa-p256"})
	if err != nil {
		t.Fatal(err)
	}
	r := &recording{}
	var both sync.WaitGroup
	both.Go(func() { answer(t, server, identity) })
	both.Go(func() { r.relay(t, relay, server.Addr()) })
	r.ask(t, relay.Addr(), identity, version)
	_, _ = server.Close(), relay.Close()
	both.Wait()
	return r
}

// ask is the client.
func (r *recording) ask(t *testing.T, to net.Addr, identity *pki.Identity, version uint16) {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(identity.RootPEM())
	var keys bytes.Buffer
	conn, err := tls.Dial("tcp", to.String(), &tls.Config{
		ServerName: "localhost", RootCAs: roots, MinVersion: version, MaxVersion: version, KeyLogWriter: &keys,
	})
	if err != nil {
		t.Error(err)
		return
	}
	if _, err := conn.Write([]byte("ping")); err != nil {
		t.Error(err)
	}
	if n, err := io.Copy(io.Discard, conn); err != nil || n != answerSize {
		t.Errorf("%d bytes came back, %v", n, err)
	}
	_ = conn.Close()
	r.keys = keys.Bytes()
}

func listen(t *testing.T, host string) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil && os.Getenv("CI") != "true" {
		t.Skip("this machine lacks a loopback address: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener
}

// answer is the server.
func answer(t *testing.T, listener net.Listener, identity *pki.Identity) {
	certificate, err := tls.X509KeyPair(identity.ChainPEM(), identity.KeyPEM())
	if err != nil {
		t.Error(err)
		return
	}
	raw, err := listener.Accept()
	if err != nil {
		t.Error(err)
		return
	}
	conn := tls.Server(raw, &tls.Config{Certificates: []tls.Certificate{certificate}})
	defer func() { _ = conn.Close() }()
	if _, err := io.ReadFull(conn, make([]byte, 4)); err != nil {
		t.Error(err)
		return
	}
	if _, err := conn.Write(make([]byte, answerSize)); err != nil {
		t.Error(err)
	}
}

// relay carries one connection and keeps what it reads.
func (r *recording) relay(t *testing.T, listener net.Listener, to net.Addr) {
	client, err := listener.Accept()
	if err != nil {
		t.Error(err)
		return
	}
	r.Began = time.Now()
	server, err := net.Dial("tcp", to.String())
	if err != nil {
		t.Error(err)
		_ = client.Close()
		return
	}
	r.Client, r.Server = addressOf(client.RemoteAddr()), addressOf(server.RemoteAddr())
	var mu sync.Mutex
	var both sync.WaitGroup
	both.Go(func() { r.carry(&mu, transcript.Client, client, server) })
	both.Go(func() { r.carry(&mu, transcript.Server, server, client) })
	both.Wait()
	r.Ended = time.Since(r.Began)
	_, _ = client.Close(), server.Close()
}

func (r *recording) carry(mu *sync.Mutex, side transcript.Side, from, to net.Conn) {
	buf := make([]byte, 1<<15)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			mu.Lock()
			r.Chunks = append(r.Chunks, transcript.Chunk{From: side, Time: time.Since(r.Began), Data: bytes.Clone(buf[:n])})
			mu.Unlock()
			_, _ = to.Write(buf[:n])
		}
		if err != nil {
			_ = to.(*net.TCPConn).CloseWrite()
			return
		}
	}
}

func addressOf(a net.Addr) netip.AddrPort { return a.(*net.TCPAddr).AddrPort() }

// stream joins what one side sent.
func (c Conversation) stream(from transcript.Side) []byte {
	var b []byte
	for _, chunk := range c.Chunks {
		if chunk.From == from {
			b = append(b, chunk.Data...)
		}
	}
	return b
}
