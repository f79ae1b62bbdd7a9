package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"shakedown/pki"
)

// answers is what each kind of peer does with a connection that it accepted.
var answers = map[string]func(net.Conn){
	"silent":   func(c net.Conn) { _, _ = io.Copy(io.Discard, c) },
	"garbage":  sendGarbage,
	"reset":    reset,
	"closing":  func(net.Conn) {},
	"endless":  sendEndless,
	"huge":     sendHuge,
	"dripping": sendDripping,
}

// peer is `peer NAME KIND`. The kind "refusing" has no listener behind its port,
// "rsa" and "ecdsa" speak TLS and leave their root in NAME.pem.
func peer(ts *testscript.TestScript, _ bool, args []string) {
	name, kind := args[0], args[1]
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Setenv(name, fmt.Sprintf("localhost:%d", l.Addr().(*net.TCPAddr).Port))
	answer, plain := answers[kind]
	switch {
	case kind == "refusing":
		ts.Check(l.Close())
		return
	case !plain:
		answer = speakTLS(ts, name, kind)
	}
	ts.Defer(func() { _ = l.Close() })
	go accept(l, answer)
}

func accept(l net.Listener, answer func(net.Conn)) {
	for {
		c, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(time.Millisecond)
			continue
		}
		go func() {
			defer c.Close()
			answer(c)
		}()
	}
}

// sendGarbage answers the ClientHello with something that is no TLS.
func sendGarbage(c net.Conn) {
	_, _ = c.Read(make([]byte, 4096))
	_, _ = io.WriteString(c, "220 mail.example.org ESMTP ready\r\n")
	_, _ = io.Copy(io.Discard, c)
}

// sendEndless answers with handshake messages, as long as anybody reads them.
func sendEndless(c net.Conn) {
	_, _ = c.Read(make([]byte, 4096))
	helloRequest := []byte{22, 3, 3, 0, 4, 0, 0, 0, 0}
	for many := bytes.Repeat(helloRequest, 1000); ; {
		if _, err := c.Write(many); err != nil {
			return
		}
	}
}

// sendHuge announces a ServerHello of 2^24-1 bytes and begins to deliver it.
func sendHuge(c net.Conn) {
	_, _ = c.Read(make([]byte, 4096))
	_, _ = c.Write([]byte{22, 3, 3, 0x40, 0, 2, 0xff, 0xff, 0xff})
	record := make([]byte, 1<<14)
	for {
		if _, err := c.Write(record); err != nil {
			return
		}
	}
}

// sendDripping sends a handshake message of 64 KiB in records of one byte.
func sendDripping(c net.Conn) {
	_, _ = c.Read(make([]byte, 4096))
	for i, message := 0, append([]byte{2, 1, 0, 0}, make([]byte, 1<<16)...); i < len(message); i++ {
		if _, err := c.Write([]byte{22, 3, 3, 0, 1, message[i]}); err != nil {
			return
		}
	}
}

// reset ends in the middle of the handshake, without a word.
func reset(c net.Conn) {
	_, _ = c.Read(make([]byte, 16))
	_ = c.(*net.TCPConn).SetLinger(0)
}

// speakTLS makes a web server of sorts.
func speakTLS(ts *testscript.TestScript, name, kind string) func(net.Conn) {
	auth, known := map[string]string{"rsa": "rsa-2048", "ecdsa": "ecdsa-p256"}[kind]
	if !known {
		ts.Fatalf("unknown kind of peer %q", kind)
	}
	id, err := pki.New(pki.Options{Auth: auth})
	ts.Check(err)
	files, err := id.WriteFiles(ts.MkAbs(name), "peer")
	ts.Check(err)
	ts.Setenv(name+"_CA", files.Root)
	pair, err := tls.LoadX509KeyPair(files.Chain, files.Key)
	ts.Check(err)
	config := &tls.Config{Certificates: []tls.Certificate{pair}}
	return func(raw net.Conn) {
		c := tls.Server(raw, config)
		if line, err := bufio.NewReader(c).ReadString('\n'); err == nil && line == "GET / HTTP/1.1\r\n" {
			_, _ = io.WriteString(c, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
		}
		_ = c.Close()
	}
}
