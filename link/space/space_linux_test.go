package space

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The test program plays both ends of a connection, and all of it inside a user
// namespace.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 || strings.HasPrefix(os.Args[1], "-") {
		os.Exit(m.Run())
	}
	err := map[string]func() error{"serve": serveEcho, "dial": dialEcho, "enter": enter}[os.Args[1]]()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(inTheStead)
}

// inTheStead is how the process ended that ran inside a user namespace.
var inTheStead int

const patience = 60 * time.Second

func serveEcho() error {
	l, err := net.Listen("tcp", os.Args[2])
	if err != nil {
		return err
	}
	fmt.Println("ready")
	conn, err := l.Accept()
	if err != nil {
		return err
	}
	_, err = io.Copy(conn, conn)
	return err
}

func dialEcho() error {
	conn, err := net.DialTimeout("tcp", os.Args[2], patience)
	if err != nil {
		return err
	}
	_ = conn.SetDeadline(time.Now().Add(patience))
	sent := bytes.Repeat([]byte("0123456789"), 10000)
	go func() { _, _ = conn.Write(sent) }()
	got := make([]byte, len(sent))
	if _, err := io.ReadFull(conn, got); err != nil {
		return err
	}
	if !bytes.Equal(sent, got) {
		return errors.New("came back changed")
	}
	return nil
}

// enter does the echo as whoever runs it, in a user namespace where that is needed.
func enter() error {
	status, ran, err := Enter()
	if err != nil {
		return err
	}
	if ran {
		inTheStead = status
		return nil
	}
	longest, err := echo("10.64.0.1", "10.64.0.2")
	fmt.Println("longest packet", longest, "uid", os.Getuid())
	return err
}

// echo sends 100 kB from one namespace to another and back, and returns the
// longest packet that went over.
func echo(a, b string) (longest int, err error) {
	client, server := netip.MustParseAddr(a), netip.MustParseAddr(b)
	var tuns []*os.File
	var spaces []*Space
	for _, d := range []Device{{Local: client, Far: server, MTU: 1400}, {Local: server, Far: client, MTU: 1400}} {
		s, err := New()
		if err != nil {
			return 0, err
		}
		defer s.Close()
		tun, _, err := s.Connect(d)
		if err != nil {
			return 0, err
		}
		defer tun.Close()
		spaces, tuns = append(spaces, s), append(tuns, tun)
	}
	sizes := make(chan int, 1<<16)
	go forward(tuns[0], tuns[1], sizes)
	go forward(tuns[1], tuns[0], sizes)
	err = talk(spaces, net.JoinHostPort(b, "4433"))
	for len(sizes) > 0 {
		longest = max(longest, <-sizes)
	}
	return longest, err
}

func forward(from, to *os.File, sizes chan<- int) {
	packet := make([]byte, 1<<16)
	for {
		n, err := from.Read(packet)
		if err != nil {
			return
		}
		sizes <- n
		_, _ = to.Write(packet[:n])
	}
}

func talk(spaces []*Space, address string) error {
	server := exec.Command("/proc/self/exe", "serve", address)
	said, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	server.Stderr = os.Stderr
	if err := spaces[1].Start(server); err != nil {
		return err
	}
	if _, err := said.Read(make([]byte, 16)); err != nil {
		return fmt.Errorf("the server does not listen: %w", err)
	}
	client := exec.Command("/proc/self/exe", "dial", address)
	client.Stderr = os.Stderr
	if err := spaces[0].Start(client); err != nil {
		return err
	}
	return errors.Join(client.Wait(), server.Wait())
}

// refused skips where the system allows no namespaces; the reason must be a named
// one.
func refused(t *testing.T, err error) {
	t.Helper()
	var r *RefusedError
	if errors.As(err, &r) && r.Hint != "" {
		t.Skip(err, r.Hint)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestEcho: TCP from one namespace to the other, in packets of the MTU at most,
// over either family.
func TestEcho(t *testing.T) {
	for _, pair := range [][2]string{{"10.64.0.1", "10.64.0.2"}, {"fd00:64::1", "fd00:64::2"}} {
		longest, err := echo(pair[0], pair[1])
		refused(t, err)
		if longest != 1400 {
			t.Errorf("%s: the longest packet has %d bytes, want the MTU", pair[0], longest)
		}
	}
}

// TestSettings: a namespace has its own settings, and the host keeps its.
func TestSettings(t *testing.T) {
	const name = "net/ipv4/tcp_timestamps"
	before, err := os.ReadFile(filepath.Join("/proc/sys", name))
	if err != nil {
		t.Skip(err)
	}
	s, err := New()
	refused(t, err)
	defer s.Close()
	tun, warnings, err := s.Connect(Device{Local: netip.MustParseAddr("10.64.0.1"), Far: netip.MustParseAddr("10.64.0.2"), MTU: 1500, Window: 4})
	refused(t, err)
	defer tun.Close()
	got, err := s.Sysctl(name)
	if err != nil || strings.TrimSpace(got) != "0" && len(warnings) == 0 {
		t.Errorf("timestamps are %q, %v, without a warning", got, err)
	}
	if after, _ := os.ReadFile(filepath.Join("/proc/sys", name)); !bytes.Equal(before, after) {
		t.Errorf("the host's setting changed from %q to %q", before, after)
	}
}

// TestOrdinaryUser: the same for a user without any rights, where the system
// allows user namespaces.
func TestOrdinaryUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root, to become somebody else")
	}
	program := filepath.Join(t.TempDir(), "space.test")
	copyProgram(t, program)
	out, err := exec.Command("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", program, "enter").CombinedOutput()
	if err != nil && (strings.Contains(string(out), "no user namespace") || strings.Contains(err.Error()+string(out), "ermission denied")) {
		t.Skipf("%v: %s", err, out)
	}
	if err != nil || !strings.Contains(string(out), "longest packet 1400 uid 0") {
		t.Errorf("%v: %s", err, out)
	}
}

// copyProgram puts the test program where anybody may run it.
func copyProgram(t *testing.T, to string) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, text, 0o755); err != nil {
		t.Fatal(err)
	}
	for dir := filepath.Dir(to); strings.HasPrefix(dir, os.TempDir()+"/"); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil { // those of the test alone
			t.Fatal(err)
		}
	}
}
