//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"shakedown/driver"
	"shakedown/pki"
	"shakedown/spec"
	"shakedown/stack/native"
)

// grace is how long a driver may take to end.
const grace = 5 * time.Second

// buildShakedown compiles the binary as the Makefile does.
func buildShakedown(e *env) (string, error) {
	program := filepath.Join(e.dir, "shakedown")
	cmd := exec.CommandContext(e.ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "./cmd/shakedown")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build ./cmd/shakedown: %w\n%s", err, said)
	}
	return program, nil
}

// buildDriver compiles the driver of this machine's library, or finds it
// compiled.
func buildDriver(e *env, lib native.Library) (driver.Command, error) {
	path, err := native.Build(e.ctx, lib, "", func(note string) { fmt.Fprintln(e.stderr, "bench:", note) })
	return driver.Command{Path: path}, err
}

// buildBare compiles the bare loop of a library, with the flags of its driver.
func buildBare(e *env, lib native.Library) (driver.Command, error) {
	program := filepath.Join(e.dir, "bare_"+lib.Name)
	source := filepath.Join("stack", "native", "bench", "bare_"+lib.Name+".c")
	argv := []string{"-O2", "-std=gnu11", "-o", program, source}
	for _, l := range lib.Link {
		argv = append(argv, "-l"+l)
	}
	if said, err := exec.CommandContext(e.ctx, compiler(), argv...).CombinedOutput(); err != nil {
		return driver.Command{}, fmt.Errorf("%s (run it from the root of the source tree): %w\n%s", source, err, said)
	}
	return driver.Command{Path: program}, nil
}

// compiler is the one that drivers are compiled with: $CC, else cc.
func compiler() string {
	if cc := os.Getenv("CC"); cc != "" {
		return cc
	}
	return "cc"
}

// newIdentity makes the server's chain of one ECDSA P-256 certificate.
func newIdentity(e *env) (pki.Files, error) {
	id, err := pki.New(pki.Options{Auth: string(spec.AuthECDSAP256)})
	if err != nil {
		return pki.Files{}, err
	}
	return id.WriteFiles(e.dir, "server")
}

// serve starts a driver's server for full handshakes on loopback.
func serve(e *env, c driver.Command, version string, id pki.Files) (*driver.Process, error) {
	cfg := driver.Config{
		Listen: "127.0.0.1:0", Version: version, Groups: []string{"x25519"}, Auth: string(spec.AuthECDSAP256),
		Cert: id.Chain, Key: id.Key, Mode: string(spec.ModeFull),
	}
	return driver.Start(e.ctx, c, "serve", cfg)
}

// clientConfig is that of a client of the server at an address.
func clientConfig(version, to string, id pki.Files) driver.Config {
	return driver.Config{
		To: to, Version: version, Groups: []string{"x25519"}, Auth: string(spec.AuthECDSAP256),
		CA: id.Root, Mode: string(spec.ModeFull),
	}
}
