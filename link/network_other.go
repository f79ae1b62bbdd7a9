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

// ServerAddress is never called.
func (*Network) ServerAddress() string { return "" }

// Report is never called.
func (*Network) Report(context.Context) (emulate.Report, error) { return emulate.Report{}, nil }

// Close is never called.
func (*Network) Close() {}
