package wiretest

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"
)

// OpenSSL is a running `openssl s_server` behind a relay that keeps every byte.
type OpenSSL struct {
	tb      testing.TB
	dir     string
	address string // of the server
}

// StartOpenSSL starts a server with a certificate of [Certificate] and more
// arguments. It skips the test where there is no openssl.
func StartOpenSSL(tb testing.TB, args ...string) *OpenSSL {
	tb.Helper()
	path, err := exec.LookPath("openssl")
	if err != nil {
		tb.Skip("no openssl on PATH")
	}
	o := &OpenSSL{tb: tb, dir: tb.TempDir()}
	o.writePEM(Certificate(tb))
	args = append([]string{"s_server", "-accept", "127.0.0.1:0", "-cert", o.file("cert"), "-key", o.file("key")}, args...)
	cmd := exec.Command(path, args...)
	input, err := cmd.StdinPipe() // open as long as the server shall run
	if err != nil {
		tb.Fatal(err)
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = input.Close(); _ = cmd.Process.Kill(); _ = cmd.Wait() })
	o.address = accepting(tb, output)
	return o
}

var acceptLine = regexp.MustCompile(`^ACCEPT (127\.0\.0\.1:\d+)`)

// accepting reads the address from what the server says and drops the rest.
func accepting(tb testing.TB, output io.Reader) string {
	tb.Helper()
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if m := acceptLine.FindStringSubmatch(lines.Text()); m != nil {
			go func() { _, _ = io.Copy(io.Discard, output) }()
			return m[1]
		}
	}
	tb.Skip("openssl s_server did not start with these arguments")
	return ""
}

func (o *OpenSSL) file(name string) string { return filepath.Join(o.dir, name) }

func (o *OpenSSL) writePEM(certificate tls.Certificate) {
	key, err := x509.MarshalPKCS8PrivateKey(certificate.PrivateKey)
	if err != nil {
		o.tb.Fatal(err)
	}
	o.write("cert", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[0]}))
	o.write("key", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}))
	o.write("early", []byte("early request\n"))
}

func (o *OpenSSL) write(name string, data []byte) {
	if err := os.WriteFile(o.file(name), data, 0o600); err != nil {
		o.tb.Fatal(err)
	}
}

// Connect runs one `openssl s_client` through the relay. Where keep is set it
// stays until it has a session, which goes to the file "session"; arguments may
// name that file and the file "early" as "@session" and "@early".
func (o *OpenSSL) Connect(keep bool, args ...string) *Recording {
	o.tb.Helper()
	relay := startRelay(o.tb, o.address)
	_ = os.Remove(o.file("keys"))
	all := []string{"s_client", "-connect", relay.address, "-servername", "localhost", "-keylogfile", o.file("keys")}
	if keep {
		all = append(all, "-sess_out", o.file("session"))
	}
	for _, arg := range args {
		if arg[0] == '@' {
			arg = o.file(arg[1:])
		}
		all = append(all, arg)
	}
	said := o.run(keep, all)
	keys, _ := os.ReadFile(o.file("keys"))
	return &Recording{Chunks: relay.done(), KeyLog: keys, Said: said}
}

func (o *OpenSSL) run(keep bool, args []string) string {
	var said bytes.Buffer
	cmd := exec.Command("openssl", args...)
	cmd.Stdout, cmd.Stderr = &said, &said
	input, err := cmd.StdinPipe()
	if err != nil {
		o.tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		o.tb.Fatal(err)
	}
	if keep {
		o.wait("session")
	}
	_, _ = io.WriteString(input, "Q\n")
	if err := cmd.Wait(); err != nil {
		o.tb.Fatalf("openssl s_client: %v\n%s", err, said.String())
	}
	return said.String()
}

// wait returns when a file has something in it, or after a long time.
func (o *OpenSSL) wait(name string) {
	for range 1000 {
		if info, err := os.Stat(o.file(name)); err == nil && info.Size() > 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// relay passes one connection on and keeps what it sees.
type relay struct {
	address string
	tap     tap
	ended   sync.WaitGroup
}

func startRelay(tb testing.TB, to string) *relay {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	r := &relay{address: listener.Addr().String(), tap: tap{start: time.Now()}}
	r.ended.Go(func() {
		client, err := listener.Accept()
		_ = listener.Close()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", to)
		if err != nil {
			_ = client.Close()
			return
		}
		r.ended.Go(func() { r.pass(server, client, true) })
		r.pass(client, server, false)
	})
	return r
}

// pass copies in one direction, keeping each piece before it goes on.
func (r *relay) pass(to, from net.Conn, fromClient bool) {
	defer func() { _ = to.Close() }()
	buffer := make([]byte, 1<<15)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			r.tap.keep(fromClient, buffer[:n])
			_, _ = to.Write(buffer[:n])
		}
		if err != nil {
			return
		}
	}
}

func (r *relay) done() []Chunk {
	r.ended.Wait()
	return r.tap.chunks
}
