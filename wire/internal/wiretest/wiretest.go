// Package wiretest is what the tests of wire and of the packages below it share: real
// handshakes of crypto/tls and openssl over loopback, every byte kept in the order in
// which the client saw it; hellos of known bytes; and what fuzz targets hold a parser
// against.
package wiretest

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"math/big"
	"net"
	"sync"
	"testing"
	"time"
)

// Chunk is what one read or write of the client carried.
type Chunk struct {
	FromClient bool
	Time       time.Duration // since the connection was made
	Data       []byte
}

// Recording is one connection.
type Recording struct {
	Chunks []Chunk
	KeyLog []byte              // of the client
	State  tls.ConnectionState // of crypto/tls
	Said   string              // by openssl s_client
}

// Stream joins what one side sent.
func (r *Recording) Stream(fromClient bool) []byte {
	var b []byte
	for _, c := range r.Chunks {
		if c.FromClient == fromClient {
			b = append(b, c.Data...)
		}
	}
	return b
}

// Certificate makes a self-signed ECDSA P-256 certificate for localhost.
func Certificate(tb testing.TB) tls.Certificate {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"},
		DNSNames:  []string{"localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		tb.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// Handshake runs one connection: handshake, a request, an answer, close. The
// client does not verify the server.
func Handshake(tb testing.TB, client, server *tls.Config) *Recording {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	served := make(chan error, 1)
	go func() { served <- answer(listener, server) }()
	raw, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		tb.Fatal(err)
	}
	tap := &tap{Conn: raw, start: time.Now()}
	state, keys, err := ask(tap, client)
	if err != nil {
		tb.Fatal("client: ", err)
	}
	if err := <-served; err != nil {
		tb.Fatal("server: ", err)
	}
	return &Recording{Chunks: tap.chunks, KeyLog: keys, State: state}
}

func answer(listener net.Listener, config *tls.Config) error {
	raw, err := listener.Accept()
	if err != nil {
		return err
	}
	conn := tls.Server(raw, config)
	defer func() { _ = conn.Close() }()
	request := make([]byte, 4)
	if _, err := io.ReadFull(conn, request); err != nil {
		return err
	}
	_, err = conn.Write([]byte("pong"))
	return err
}

func ask(raw net.Conn, config *tls.Config) (tls.ConnectionState, []byte, error) {
	var keys bytes.Buffer
	config = config.Clone()
	config.InsecureSkipVerify, config.KeyLogWriter = true, &keys
	if config.ServerName == "" {
		config.ServerName = "localhost"
	}
	conn := tls.Client(raw, config)
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write([]byte("ping")); err != nil {
		return tls.ConnectionState{}, nil, err
	}
	_, err := io.ReadFull(conn, make([]byte, 4))
	return conn.ConnectionState(), keys.Bytes(), err
}

// tap keeps what passes through a connection.
type tap struct {
	net.Conn
	start  time.Time
	mu     sync.Mutex
	chunks []Chunk
}

func (t *tap) keep(fromClient bool, b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.chunks = append(t.chunks, Chunk{fromClient, time.Since(t.start), bytes.Clone(b)})
}

// Read reads from the server.
func (t *tap) Read(b []byte) (int, error) {
	n, err := t.Conn.Read(b)
	if n > 0 {
		t.keep(false, b[:n])
	}
	return n, err
}

// Write writes to the server.
func (t *tap) Write(b []byte) (int, error) {
	t.keep(true, b)
	return t.Conn.Write(b)
}
