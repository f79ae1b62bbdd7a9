package check

import (
	"context"
	"fmt"
	"time"

	"shakedown/driver"
	"shakedown/spec"
)

// pair is a server of the driver that is checked and the client that calls it.
type pair struct {
	server, client *driver.Process
	markless       bool // the server is a program of others, with no marks to give
}

// quit is how long a driver may take to end when its input ends.
const quit = 5 * time.Second

// start starts both ends.
func (s *suite) start(ctx context.Context, server, client driver.Config) (*pair, error) {
	p := &pair{markless: s.http()}
	var err error
	if p.server, err = driver.Start(ctx, s.command, "serve", server); err != nil {
		return nil, fmt.Errorf("serve: %w", err)
	}
	if p.server.Ready.Address == "" {
		p.server.Kill()
		return nil, fmt.Errorf("serve: the ready line has no address")
	}
	client.To = p.server.Ready.Address
	if p.client, err = driver.Start(ctx, s.client, "connect", client); err != nil {
		p.server.Kill()
		return nil, fmt.Errorf("connect: %w", err)
	}
	return p, nil
}

// close ends both by the end of their input, client first.
func (p *pair) close() error {
	if err := p.client.Close(quit); err != nil {
		p.server.Kill()
		return fmt.Errorf("connect, at the end of its input: %w", err)
	}
	if err := p.server.Close(quit); err != nil {
		return fmt.Errorf("serve, at the end of its input: %w", err)
	}
	return nil
}

// both is one handshake from both sides.
type both struct {
	client, server driver.Handshake
	markless       bool
}

// run does n handshakes and joins the accounts of both sides.
func (p *pair) run(ctx context.Context, n int) ([]both, driver.ClientBlock, driver.ServerReport, error) {
	block, err := p.client.Run(ctx, n)
	if err != nil {
		return nil, block, driver.ServerReport{}, fmt.Errorf("connect: %w", err)
	}
	report, err := p.server.Report(ctx)
	if err != nil {
		return nil, block, report, fmt.Errorf("serve: %w", err)
	}
	joined := make([]both, len(block.Handshakes))
	for i, h := range block.Handshakes {
		joined[i] = both{h, report.ByPort[h.Port], p.markless}
	}
	return joined, block, report, nil
}

// handshakes runs a case and holds every handshake against it.
func (s *suite) handshakes(ctx context.Context, c spec.Case, n int) error {
	server, client, err := s.flags(c)
	if err != nil {
		return err
	}
	return s.handshakesWith(ctx, c, n, server, client)
}

func (s *suite) handshakesWith(ctx context.Context, c spec.Case, n int, server, client driver.Config) error {
	p, err := s.start(ctx, server, client)
	if err != nil {
		return err
	}
	joined, _, _, err := p.run(ctx, n)
	if err != nil {
		p.client.Kill()
		p.server.Kill()
		return err
	}
	for i, h := range joined {
		if err := h.hold(c); err != nil {
			p.client.Kill()
			p.server.Kill()
			return fmt.Errorf("handshake %d: %w", i+1, err)
		}
	}
	return p.close()
}

// hold checks one handshake: completed, proved, marked in order.
func (h both) hold(c spec.Case) error {
	for _, side := range []driver.Handshake{h.client, h.server} {
		if !side.OK {
			return fmt.Errorf("%s: %s %s %s", cmpSide(side), side.Reason, side.Alert, side.Detail)
		}
	}
	if m := c.Judge("client", h.client.Proof); m != "" {
		return fmt.Errorf("%s", m)
	}
	if m := c.Judge("server", h.server.Proof); m != "" {
		return fmt.Errorf("%s", m)
	}
	if m := spec.Disagree(spec.Witness{Name: "client", Proof: h.client.Proof}, spec.Witness{Name: "server", Proof: h.server.Proof}); m != "" {
		return fmt.Errorf("%s", m)
	}
	return h.order(c)
}

// cmpSide names a side, also when no account of it exists.
func cmpSide(h driver.Handshake) string {
	if h.Side == "" {
		return "server (no line for the client's port)"
	}
	return h.Side
}

// order checks that the marks follow each other on one clock.
func (h both) order(c spec.Case) error {
	cl, sv := h.client, h.server
	marks := []struct {
		name string
		at   int64
	}{
		{"dial", cl.Dial},
		{"connected", cl.Connected},
		{"start", cl.Start},
		{"complete", cl.Complete},
		{"response", cl.Response},
	}
	for i, m := range marks {
		if m.at == 0 {
			return fmt.Errorf("client: no mark %s", m.name)
		}
		if i > 0 && m.at < marks[i-1].at && m.name != "response" {
			return fmt.Errorf("client: %s comes before %s", m.name, marks[i-1].name)
		}
	}
	if h.markless && sv.Accepted == 0 && sv.Complete == 0 && sv.Request == 0 {
		return nil
	}
	if sv.Accepted == 0 || sv.Complete == 0 || sv.Request == 0 {
		return fmt.Errorf("server: a mark is missing: accepted %d, complete %d, request %d", sv.Accepted, sv.Complete, sv.Request)
	}
	if sv.Accepted < cl.Dial || sv.Request < cl.Start || cl.Response < sv.Request {
		return fmt.Errorf("the clocks of the two sides do not agree: dial %d, accepted %d, start %d, request %d, response %d",
			cl.Dial, sv.Accepted, cl.Start, sv.Request, cl.Response)
	}
	return nil
}
