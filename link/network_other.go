//go:build !linux

package link

import (
	"context"
	"errors"
	"os/exec"
	"runtime"

	"shakedown/link/emulate"
	"shakedown/link/profile"
	"shakedown/link/space"
)

// Network is an emulated link at work, which only Linux has.
type Network struct{ Warnings []string }

// Options are how a network is made.
type Options struct {
	Profile  profile.Profile
	Seed     uint64
	Emulator []string
	Quiet    bool
}

// Open refuses.
func Open(Options) (*Network, error) {
	return nil, &space.RefusedError{What: "network namespace", Err: errors.New("not on " + runtime.GOOS), Hint: "emulated links need Linux"}
}

// StartClient, StartServer, ServerAddress, Report and Close are never called: there
// is no network.
func (*Network) StartClient(cmd *exec.Cmd) error { return cmd.Start() }

// StartServer is never called.
func (*Network) StartServer(cmd *exec.Cmd) error { return cmd.Start() }

// Settings is never called.
func (*Network) Settings() map[string]string { return nil }

// Profile is never called.
func (*Network) Profile() profile.Profile { return profile.Profile{} }

// AtClient is never called.
func (*Network) AtClient(f func() error) error { return f() }

// AtServer is never called.
func (*Network) AtServer(f func() error) error { return f() }

// ServerAddress is never called.
func (*Network) ServerAddress() string { return "" }

// Report is never called.
func (*Network) Report(context.Context) (emulate.Report, error) { return emulate.Report{}, nil }

// Reseed is never called.
func (*Network) Reseed(uint64) error { return nil }

// Close is never called.
func (*Network) Close() {}
