package link

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"syscall"
	"time"

	"shakedown/link/emulate"
	"shakedown/link/profile"
	"shakedown/link/space"
)

// Network is an emulated link at work: a namespace for the client, one for the
// server, and the emulator between them. It ends with this process.
type Network struct {
	Warnings []string // settings that the system refused

	profile  profile.Profile
	client   *space.Space
	server   *space.Space
	tuns     []*os.File
	emulator *exec.Cmd
	commands io.WriteCloser
	answers  *bufio.Scanner
}

// Options are how a network is made.
type Options struct {
	Profile  profile.Profile
	Seed     uint64
	Emulator []string // program and arguments of [emulate.Main]
	Quiet    bool     // the emulator keeps no packets
}

// Open makes a network. An error of a system that allows none is a
// *[space.RefusedError]; [space.Enter] must have been called.
func Open(o Options) (*Network, error) {
	if err := o.Profile.Check(); err != nil {
		return nil, err
	}
	n := &Network{profile: o.Profile}
	client, server := n.addresses()
	err := n.join(&n.client, space.Device{Local: client, Far: server})
	if err == nil {
		err = n.join(&n.server, space.Device{Local: server, Far: client})
	}
	if err == nil {
		err = n.emulate(o)
	}
	if err != nil {
		n.Close()
		return nil, err
	}
	return n, nil
}

// addresses are those of client and server, private ones of the family.
func (n *Network) addresses() (client, server netip.Addr) {
	if n.profile.Family == 6 {
		return netip.MustParseAddr("fd00:64::1"), netip.MustParseAddr("fd00:64::2")
	}
	return netip.MustParseAddr("10.64.0.1"), netip.MustParseAddr("10.64.0.2")
}

// StartClient starts a process on the client's side; it dies with this process.
func (n *Network) StartClient(cmd *exec.Cmd) error { return n.client.Start(cmd) }

// StartServer starts one on the server's side.
func (n *Network) StartServer(cmd *exec.Cmd) error { return n.server.Start(cmd) }

// Settings are what the kernel has in force on the client's side, as read back; what
// differs on the server's is told as "server.…".
func (n *Network) Settings() map[string]string {
	out := n.client.Settings()
	for name, value := range n.server.Settings() {
		if out[name] != value {
			out["server."+name] = value
		}
	}
	return out
}

// Profile is what the link does.
func (n *Network) Profile() profile.Profile { return n.profile }

// AtClient runs a function on the client's side: sockets that it opens belong there.
func (n *Network) AtClient(f func() error) error { return n.client.Do(f) }

// AtServer runs one on the server's side.
func (n *Network) AtServer(f func() error) error { return n.server.Do(f) }

// ServerAddress is where a server listens, on a port of its choice.
func (n *Network) ServerAddress() string {
	_, server := n.addresses()
	return netip.AddrPortFrom(server, 0).String()
}

// join makes the namespace of one side and its device.
func (n *Network) join(s **space.Space, d space.Device) (err error) {
	if *s, err = space.New(); err != nil {
		return err
	}
	d.MTU, d.Window = n.profile.MTU, n.profile.Window
	tun, warnings, err := (*s).Connect(d)
	if err != nil {
		return err
	}
	n.tuns, n.Warnings = append(n.tuns, tun), append(n.Warnings, warnings...)
	return nil
}

// emulate starts the emulator, which is ready when it says so.
func (n *Network) emulate(o Options) error {
	cmd := exec.Command(o.Emulator[0], o.Emulator[1:]...)
	cmd.ExtraFiles, cmd.Stderr = n.tuns, os.Stderr // files 3 and 4
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var err error
	if n.commands, err = cmd.StdinPipe(); err != nil {
		return err
	}
	answers, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	n.answers = bufio.NewScanner(answers)
	n.answers.Buffer(nil, maxAnswer)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("link emulator: %w", err)
	}
	n.emulator = cmd
	if err := json.NewEncoder(n.commands).Encode(emulate.Config{Profile: o.Profile, Seed: o.Seed, Quiet: o.Quiet}); err != nil {
		return n.gone(err)
	}
	var ready string
	return n.answer(&ready)
}

// maxAnswer bounds a report: the packets that the emulator keeps, in base64.
const maxAnswer = 96 << 20

// Report asks the emulator what it saw since the last time.
func (n *Network) Report(ctx context.Context) (emulate.Report, error) {
	var r emulate.Report
	if _, err := io.WriteString(n.commands, "report\n"); err != nil {
		return r, n.gone(err)
	}
	answered := make(chan error, 1)
	go func() { answered <- n.answer(&r) }()
	select {
	case err := <-answered:
		return r, err
	case <-ctx.Done():
		return emulate.Report{}, context.Cause(ctx)
	}
}

// Reseed makes the emulator's chances those of a seed, from the next packet on.
func (n *Network) Reseed(seed uint64) error {
	if _, err := fmt.Fprintf(n.commands, "reseed %d\n", seed); err != nil {
		return n.gone(err)
	}
	return nil
}

func (n *Network) answer(v any) error {
	if !n.answers.Scan() {
		return n.gone(errors.Join(io.ErrUnexpectedEOF, n.answers.Err()))
	}
	return json.Unmarshal(n.answers.Bytes(), v)
}

func (n *Network) gone(err error) error { return fmt.Errorf("the link emulator is gone: %w", err) }

// closing is how long the emulator gets to end.
const closing = 5 * time.Second

// Close ends emulator and namespaces. Processes in them must have ended.
func (n *Network) Close() {
	if n.emulator != nil {
		_ = n.commands.Close()
		late := time.AfterFunc(closing, func() { _ = n.emulator.Process.Kill() })
		_ = n.emulator.Wait()
		late.Stop()
	}
	for _, tun := range n.tuns {
		_ = tun.Close()
	}
	for _, s := range []*space.Space{n.client, n.server} {
		if s != nil {
			s.Close()
		}
	}
}
