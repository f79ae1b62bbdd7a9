package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"shakedown/capture"
	"shakedown/lab"
	"shakedown/plan"
	"shakedown/report"
	"shakedown/report/ladder"
	"shakedown/result"
	"shakedown/wire/cost"
)

// traceCmd is `shakedown trace`.
type traceCmd struct {
	Client string `arg:"" help:"Stack of the client: go, openssl, openssl@3.5, openssl:/opt/openssl-3.5."`
	Server string `arg:"" help:"Stack of the server, or HOST:PORT."`

	parameterFlags

	MSS      int           `default:"1448" help:"Bytes of payload in a packet, for the composed packets of loopback: 1448 is Ethernet, 1348 a tunnel of MTU 1400, 1228 MTU 1280."`
	Seed     uint64        `default:"1" help:"Seed of what is left to chance on an emulated link."`
	JSON     bool          `help:"Print the transcript as JSON."`
	KeyLog   string        `name:"keylog" type:"path" placeholder:"FILE" help:"Append the secrets of the connection, in NSS key log format (mode 0600)."`
	Pcap     string        `type:"path" placeholder:"FILE" help:"Write the connection as a capture file (pcapng), for Wireshark."`
	Timeout  time.Duration `default:"10s" help:"Deadline of the handshake."`
	CA       string        `type:"existingfile" placeholder:"FILE" help:"Root (PEM) to verify a HOST:PORT server against. Default: the system's."`
	Insecure bool          `help:"Do not verify a HOST:PORT server."`
	Fault    string        `enum:",skip-ticket" default:"" help:"Let the client misbehave (skip-ticket: forget the ticket), to see that the lab notices."`
}

// Help shows an example.
func (traceCmd) Help() string {
	return `Examples:
  shakedown trace openssl go --version 1.2
  shakedown trace go example.org:443
  shakedown trace openssl@3.5 openssl@3.5 --pcap hs.pcapng --keylog hs.keys
  wireshark -o tls.keylog_file:hs.keys hs.pcapng
  shakedown trace openssl go --link satellite-geo`
}

// Run traces.
func (c *traceCmd) Run(e *env) error {
	if err := errors.Join(checkMSS(c.MSS), checkTimeout(c.Timeout)); err != nil {
		return usage(err, "shakedown trace --help")
	}
	p, err := c.plan()
	if err != nil {
		return usage(err, "shakedown trace --help")
	}
	planned, err := c.planned(e.ctx, p, newSet(e))
	if err != nil {
		return err
	}
	if done, err := enterNamespace([]lab.Planned{planned}); done || err != nil {
		return err
	}
	t, err := lab.Trace(e.ctx, planned, c.options())
	if err != nil {
		return err
	}
	return c.show(e, t)
}

// checkMSS refuses a segment size that no TCP uses.
func checkMSS(mss int) error {
	if err := cost.CheckMSS(mss); err != nil {
		return fmt.Errorf("--mss: %w", err)
	}
	return nil
}

func (c *traceCmd) options() lab.TraceOptions {
	return lab.TraceOptions{
		Set:      result.Settings{Fault: c.Fault, CA: c.CA, Insecure: c.Insecure, MSS: c.MSS},
		Timeout:  c.Timeout,
		Emulator: []string{self(), emulatorVerb}, Seed: c.Seed,
	}
}

// plan makes the plan of the one case.
func (c *traceCmd) plan() (*plan.Plan, error) {
	m, err := handshakeFlags{Client: c.Client, Server: c.Server, parameterFlags: c.parameterFlags}.matrix()
	if err != nil {
		return nil, err
	}
	for field, values := range m.Axes {
		if len(values) > 1 || values[0] == plan.Here {
			return nil, fmt.Errorf("--%s: trace shows one handshake: name one value", field)
		}
	}
	return fromFlags(m), nil
}

// planned finds the stacks. The error says what they lack.
func (c *traceCmd) planned(ctx context.Context, p *plan.Plan, stacks lab.Stacks) (lab.Planned, error) {
	cases, err := lab.Cases(ctx, p, stacks)
	if err != nil {
		return lab.Planned{}, err
	}
	if why := cases[0].Cannot; why != "" {
		return cases[0], fmt.Errorf("cannot trace %s: %s", cases[0].Case, why)
	}
	return cases[0], nil
}

// show writes the files that were asked for, and prints the handshake. One that
// failed, or is not what was asked for, is shown and then is an error.
func (c *traceCmd) show(e *env, t lab.Traced) error {
	if err := errors.Join(c.keepKeys(t.Keys), c.keepPackets(t)); err != nil {
		return err
	}
	if err := c.print(e, t.Transcript); err != nil {
		return err
	}
	switch {
	case t.Failure != "":
		return errors.New("the handshake failed: " + t.Failure)
	case t.Mismatch != "":
		return errors.New("not what was asked for: " + t.Mismatch)
	}
	return nil
}

func (c *traceCmd) print(e *env, t result.Transcript) error {
	if c.JSON {
		return report.JSON(e.stdout, []result.Transcript{t})
	}
	return ladder.Text(e.stdout, t, widthOf(e.stdout))
}

// widthOf is how wide a ladder may be, in columns.
func widthOf(w io.Writer) int {
	const readable = 100
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			return min(width, readable)
		}
	}
	return readable
}

// keepKeys appends the secrets, as programs do that know $SSLKEYLOGFILE.
func (c *traceCmd) keepKeys(keys []byte) error {
	if c.KeyLog == "" {
		return nil
	}
	f, err := os.OpenFile(c.KeyLog, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		err = errors.New("neither stack tells its secrets: the key log stays empty")
	}
	_, written := f.Write(keys)
	return errors.Join(err, f.Chmod(0o600), written, f.Close())
}

// keepPackets writes the capture file.
func (c *traceCmd) keepPackets(t lab.Traced) error {
	if c.Pcap == "" {
		return nil
	}
	f, err := os.Create(c.Pcap)
	if err != nil {
		return err
	}
	return errors.Join(c.write(f, t), f.Close())
}

func (c *traceCmd) write(w io.Writer, t lab.Traced) error {
	command := "shakedown trace " + c.Client + " " + c.Server
	if t.Seen != nil {
		return capture.WritePackets(w, t.AtClient(), "client", command+" --link "+c.Link)
	}
	seen := t.Conversation
	return capture.WriteTCP(w, capture.Conversation{
		Client: seen.Client, Server: seen.Server, Began: seen.Began, Chunks: seen.Chunks, Ended: seen.Ended,
	}, capture.Options{MSS: c.MSS, Command: command})
}
