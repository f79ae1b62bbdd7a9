//go:build unix

package main

import (
	"errors"
	"fmt"
	"slices"

	"shakedown/driver"
	"shakedown/pki"
	"shakedown/stack/native"
)

// overheadLimit is how much CPU a driver may need, of what a bare loop needs.
const overheadLimit = 1.02

// overheadCmd is `bench overhead`.
type overheadCmd struct {
	Library []string `arg:"" optional:"" enum:"openssl,wolfssl,mbedtls,gnutls" help:"openssl, wolfssl, mbedtls, gnutls. Default: all that are here."`
	Version []string `default:"1.3,1.2" enum:"1.2,1.3" help:"Versions of TLS."`
	Block   int      `default:"5" help:"Handshakes in a block."`
	effort  `set:"pairs=40"`
}

// Run measures each library in each version.
func (c *overheadCmd) Run(e *env) error {
	id, err := newIdentity(e)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "CPU per handshake of the client (user and system), driver / bare loop, limit %.2f\n\n", overheadLimit)
	fmt.Fprintf(e.stdout, "%-8s %-4s %9s %9s %7s  %s\n", "library", "TLS", "bare", "driver", "ratio", "95 % interval")
	var verdicts []verdict
	for _, lib := range native.Libraries() {
		if len(c.Library) > 0 && !slices.Contains(c.Library, lib.Name) {
			continue
		}
		vs, err := c.library(e, lib, id)
		if err != nil {
			return fmt.Errorf("%s: %w", lib.Name, err)
		}
		verdicts = append(verdicts, vs...)
	}
	return outcome(verdicts)
}

// library measures one library; one that is not here is told and left out.
func (c *overheadCmd) library(e *env, lib native.Library, id pki.Files) ([]verdict, error) {
	var missing *native.MissingError
	ours, err := buildDriver(e, lib)
	if errors.As(err, &missing) {
		fmt.Fprintf(e.stdout, "%-8s not here: %s (%s)\n", lib.Name, missing.What, missing.Hint)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	bare, err := buildBare(e, lib)
	if err != nil {
		return nil, err
	}
	var out []verdict
	for _, version := range c.Version {
		v, err := c.version(e, lib.Name, rivals{bare, ours, version, id})
		if err != nil {
			return nil, fmt.Errorf("TLS %s: %w", version, err)
		}
		out = append(out, v...)
	}
	return out, nil
}

// rivals are two clients before a server of the second one's program.
type rivals struct {
	bare, ours driver.Command
	version    string
	id         pki.Files
}

// version measures one version and prints a line.
func (c *overheadCmd) version(e *env, name string, r rivals) ([]verdict, error) {
	server, err := serve(e, r.ours, r.version, r.id)
	var cannot *driver.CannotError
	if errors.As(err, &cannot) {
		fmt.Fprintf(e.stdout, "%-8s %-4s cannot: %v\n", name, r.version, err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = server.Close(grace) }()
	var cpu [2][]float64 // s, of each block
	result, err := c.measure(func() (float64, error) { return c.round(e, r, server, &cpu) })
	if err != nil {
		return nil, err
	}
	v := atMost(result.Low, result.High, overheadLimit)
	fmt.Fprintf(e.stdout, "%-8s %-4s %6.0f µs %6.0f µs %7.4f  %.4f – %.4f  %s\n", name, r.version,
		1e6*median(cpu[0]), 1e6*median(cpu[1]), result.Ratio, result.Low, result.High, v)
	return []verdict{v}, nil
}

// round starts both clients, warms them up with a block each, and returns the
// median ratio of pairs of blocks.
func (c *overheadCmd) round(e *env, r rivals, server *driver.Process, cpu *[2][]float64) (float64, error) {
	var blocks [2]func() (float64, error)
	for i, program := range []driver.Command{r.bare, r.ours} {
		client, err := driver.Start(e.ctx, program, "connect", clientConfig(r.version, server.Ready.Address, r.id))
		if err != nil {
			return 0, err
		}
		defer func() { _ = client.Close(grace) }()
		blocks[i] = func() (float64, error) { return c.block(e, client, server) }
		if _, err := blocks[i](); err != nil {
			return 0, err
		}
	}
	var ratios []float64
	for k := range c.Pairs {
		p, err := pair(k, blocks)
		if err != nil {
			return 0, err
		}
		cpu[0], cpu[1] = append(cpu[0], p[0]), append(cpu[1], p[1])
		ratios = append(ratios, p[1]/p[0])
	}
	return median(ratios), nil
}

// block makes some handshakes and returns the CPU of one, in seconds.
func (c *overheadCmd) block(e *env, client, server *driver.Process) (float64, error) {
	b, err := client.Run(e.ctx, c.Block)
	if err != nil {
		return 0, err
	}
	if err := allOK(b.Handshakes); err != nil {
		return 0, err
	}
	_, err = server.Report(e.ctx)
	return b.Block.CPU / float64(c.Block), err
}

// allOK tells of the first handshake that failed.
func allOK(handshakes []driver.Handshake) error {
	for _, h := range handshakes {
		if !h.OK {
			return fmt.Errorf("a handshake failed: %s %s", h.Reason, h.Detail)
		}
	}
	return nil
}
