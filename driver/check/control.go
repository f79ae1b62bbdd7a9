package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"

	"shakedown/driver"
)

// wrongUse: unknown verbs and flags end with status 2 and nothing on standard
// output.
func (s *suite) wrongUse(ctx context.Context) {
	for _, args := range [][]string{{"dance"}, {"connect", "--to", "127.0.0.1:1", "--nonsense", "1"}, {"serve", "--version", "9.9"}, {}} {
		s.check(ctx, fmt.Sprintf("wrong use %q ends with status 2", args), func(ctx context.Context) error {
			cmd := exec.CommandContext(ctx, s.command.Path, append(append([]string{}, s.command.Args...), args...)...)
			cmd.Env = append(cmd.Environ(), s.command.Env...)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			err := cmd.Run()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 2 {
				return fmt.Errorf("ended with status %d", cmd.ProcessState.ExitCode())
			}
			if stdout.Len() > 0 || stderr.Len() == 0 {
				return fmt.Errorf("%d bytes on standard output and %d on standard error, want none and some", stdout.Len(), stderr.Len())
			}
			return nil
		})
	}
}

// control checks commands, counts, the key log, memory and the end of input.
func (s *suite) control(ctx context.Context) {
	s.check(ctx, "blocks and reports", s.blocks)
	if s.http() {
		s.skip("request and response of other lengths", "it speaks HTTP")
	} else {
		s.check(ctx, "request and response of other lengths", s.lengths)
	}
	if why := s.info.Cannot["keylog"]; why != "" {
		s.skip("key log", why)
	} else {
		s.check(ctx, "key log", s.keyLog)
	}
	s.check(ctx, "memory", s.memory)
	s.check(ctx, "a missing certificate is a set-up error", s.noCertificate)
	s.check(ctx, "a server is not trusted without its root", s.untrusted)
}

// blocks runs two blocks and expects exactly what was asked, once.
func (s *suite) blocks(ctx context.Context) error {
	server, client, err := s.flags(s.plain())
	if err != nil {
		return err
	}
	p, err := s.start(ctx, server, client)
	if err != nil {
		return err
	}
	for _, n := range []int{1, 25} {
		joined, block, report, err := p.run(ctx, n)
		if err != nil {
			return err
		}
		if block.Block.Count != n || report.Report.Count != n || len(report.ByPort) != n {
			return fmt.Errorf("run %d: block counts %d, report counts %d and has %d", n, block.Block.Count, report.Report.Count, len(report.ByPort))
		}
		if block.Block.CPU <= 0 || report.Report.CPU <= 0 {
			return fmt.Errorf("run %d took %v s of the client's processor time and %v s of the server's", n, block.Block.CPU, report.Report.CPU)
		}
		for _, h := range joined {
			if err := h.hold(s.plain()); err != nil {
				return err
			}
		}
	}
	return p.close()
}

func (s *suite) lengths(ctx context.Context) error {
	server, client, err := s.flags(s.plain())
	if err != nil {
		return err
	}
	server.Request, server.Response = 1, driver.MaxApp
	client.Request, client.Response = 1, driver.MaxApp
	return s.handshakesWith(ctx, s.plain(), several, server, client)
}

func (s *suite) keyLog(ctx context.Context) error {
	server, client, err := s.flags(s.plain())
	if err != nil {
		return err
	}
	server.KeyLog, client.KeyLog = s.path("server.keys"), s.path("client.keys")
	if err := s.handshakesWith(ctx, s.plain(), 1, server, client); err != nil {
		return err
	}
	return errors.Join(secret(server.KeyLog), secret(client.KeyLog))
}

func (s *suite) memory(ctx context.Context) error {
	server, client, err := s.flags(s.plain())
	if err != nil {
		return err
	}
	server.Memory, client.Memory = true, true
	p, err := s.start(ctx, server, client)
	if err != nil {
		return err
	}
	_, block, report, err := p.run(ctx, 1)
	if err != nil {
		return err
	}
	counted := map[string]*driver.Memory{"serve": report.Report.Memory}
	if s.connects() {
		counted["connect"] = block.Block.Memory
	}
	for side, m := range counted {
		if m == nil || m.What != s.info.Memory || m.Idle <= 0 || m.Peak < m.Idle {
			return fmt.Errorf("%s: memory %+v, want %s with 0 < idle <= peak", side, m, s.info.Memory)
		}
	}
	return p.close()
}

func (s *suite) noCertificate(ctx context.Context) error {
	server, _, err := s.flags(s.plain())
	if err != nil {
		return err
	}
	server.Cert = s.path("no-such-file")
	p, err := driver.Start(ctx, s.command, "serve", server)
	if err == nil {
		p.Kill()
		return errors.New("the server started all the same")
	}
	return refusal(err, "setup")
}

// untrusted gives the client another root: the handshake must fail there.
func (s *suite) untrusted(ctx context.Context) error {
	server, client, err := s.flags(s.plain())
	if err != nil {
		return err
	}
	other, err := s.identity("ecdsa-p384", false)
	if err != nil {
		return err
	}
	client.CA = other.Root
	p, err := s.start(ctx, server, client)
	if err != nil {
		return err
	}
	joined, _, _, err := p.run(ctx, 1)
	if err != nil {
		return err
	}
	if h := joined[0].client; h.OK || h.Reason != "verify" {
		return fmt.Errorf("ok %v, reason %q (%s): want it to fail with verify", h.OK, h.Reason, h.Detail)
	}
	return p.close()
}
