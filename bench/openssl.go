//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"shakedown/driver"
	"shakedown/pki"
)

// pageName is the file that s_server serves: 32 bytes, as a driver answers.
const pageName = "/page"

// opensslVersion is that of the openssl command's library: "3.0.19".
func opensslVersion(e *env) (string, error) {
	out, err := exec.CommandContext(e.ctx, "openssl", "version").Output()
	if err != nil {
		return "", fmt.Errorf("openssl version: %w (apt-get install openssl)", err)
	}
	// OpenSSL 3.0.19 27 Jan 2026 (Library: OpenSSL 3.0.19 27 Jan 2026)
	words := strings.Fields(string(out))
	if len(words) < 8 || words[5] != "(Library:" {
		return "", fmt.Errorf("openssl version: %q names no library", out)
	}
	return words[7], nil
}

// protocolFlag of s_server and s_time.
func protocolFlag(version string) string { return "-tls" + strings.ReplaceAll(version, ".", "_") }

// serveSServer starts openssl s_server, which answers a GET with a file and ends
// the connection.
func serveSServer(e *env, _ driver.Command, version string, id pki.Files) (arena, error) {
	if err := os.WriteFile(filepath.Join(e.dir, pageName), bytes.Repeat([]byte{'r'}, 32), 0o600); err != nil {
		return arena{}, err
	}
	address, err := freeAddress()
	if err != nil {
		return arena{}, err
	}
	cmd := exec.CommandContext(e.ctx, "openssl", "s_server", "-quiet", "-WWW", "-accept", address, protocolFlag(version),
		"-groups", "X25519:P-256", "-cert", id.Chain, "-key", id.Key)
	cmd.Dir = e.dir
	if err := cmd.Start(); err != nil {
		return arena{}, err
	}
	stop := func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	if err := awaitServer(e.ctx, address); err != nil {
		stop()
		return arena{}, fmt.Errorf("openssl s_server does not listen: %w", err)
	}
	return arena{address, func() error { return nil }, stop}, nil
}

// freeAddress is a loopback address that nobody listens on just now.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// awaitServer waits until somebody listens, up to 10 s.
func awaitServer(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var d net.Dialer
	for {
		conn, err := d.DialContext(ctx, "tcp", address)
		if err == nil {
			return conn.Close()
		}
		if pause(ctx, 20*time.Millisecond) != nil {
			return err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// sTime is openssl s_time with a server of its own. It makes full handshakes
// one after another and prints a character for each, here into a file. It goes
// on only while it is measured.
type sTime struct {
	e     *env
	arena arena
	cmd   *exec.Cmd
	out   *os.File
}

// newSTime starts s_time and stops it after its first handshakes.
func newSTime(e *env, m meeting) (*sTime, error) {
	a, err := m.serve(e, m.ours, m.version, m.id)
	if err != nil {
		return nil, err
	}
	s := &sTime{e: e, arena: a}
	if s.out, err = os.CreateTemp(e.dir, "s_time-"); err != nil {
		a.close()
		return nil, err
	}
	argv := []string{
		"s_time", "-new", "-time", "3600", "-connect", a.address, protocolFlag(m.version), "-verify", "1",
		"-CAfile", m.id.Root, "-no-CApath", "-no-CAstore",
	}
	if m.page != "" {
		argv = append(argv, "-www", m.page)
	}
	s.cmd = exec.CommandContext(e.ctx, "openssl", argv...)
	s.cmd.Stdout = s.out
	if err := s.cmd.Start(); err != nil {
		_ = s.out.Close()
		a.close()
		return nil, err
	}
	if err := s.warm(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *sTime) close() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	_ = s.out.Close()
	s.arena.close()
}

// warm waits for 20 handshakes, up to 10 s.
func (s *sTime) warm() error {
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); {
		if err := pause(s.e.ctx, 5*time.Millisecond); err != nil {
			return err
		}
		p, err := s.progress()
		if err != nil {
			return err
		}
		if p.count >= 20 {
			return s.cmd.Process.Signal(syscall.SIGSTOP)
		}
	}
	return errors.New("openssl s_time makes no handshakes")
}

// measure lets s_time go on for a slice, after some handshakes to get going.
func (s *sTime) measure() (speed, error) {
	if err := s.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		return speed{}, err
	}
	var at [2]progress
	for i, wait := range []time.Duration{slice / 10, slice} {
		if err := pause(s.e.ctx, wait); err != nil {
			return speed{}, err
		}
		var err error
		if at[i], err = s.progress(); err != nil {
			return speed{}, err
		}
	}
	if err := s.arena.settle(); err != nil { // not while it is held in a handshake
		return speed{}, err
	}
	if err := s.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		return speed{}, err
	}
	n := float64(at[1].count - at[0].count)
	if n < 2 {
		return speed{}, errors.New("openssl s_time came to a halt")
	}
	rate := n / at[1].time.Sub(at[0].time).Seconds()
	return speed{rate: rate, alone: rate, cpu: (at[1].cpu - at[0].cpu).Seconds() / n}, nil
}

// progress of s_time at one moment.
type progress struct {
	time  time.Time
	count int           // handshakes so far
	cpu   time.Duration // user and system
}

// progress reads all three at one moment: again, when this process was set
// aside in between.
func (s *sTime) progress() (progress, error) {
	for {
		p := progress{time: time.Now()}
		text, err := os.ReadFile(s.out.Name())
		if err != nil {
			return p, err
		}
		if p.cpu, err = cpuOf(s.cmd.Process.Pid); err != nil {
			return p, fmt.Errorf("openssl s_time ended: %w", err)
		}
		p.count = countHandshakes(text)
		if time.Since(p.time) < time.Millisecond {
			return p, nil
		}
	}
}

// countHandshakes counts the characters of s_time's second line.
func countHandshakes(text []byte) int {
	_, line, _ := bytes.Cut(text, []byte("\n"))
	line, _, _ = bytes.Cut(line, []byte("\n"))
	return len(line)
}

// cpuOf is the processor time of another process, by the clock that
// clock_getcpuclockid(3) names.
func cpuOf(pid int) (time.Duration, error) {
	const scheduler = 2
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|scheduler), &t); err != nil {
		return 0, err
	}
	return time.Duration(t.Nano()), nil
}
