package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"shakedown/spec"
)

// infoDeadline bounds `info`: probing a library takes milliseconds, on a small
// board a second; a driver that needs longer hangs.
const infoDeadline = 30 * time.Second

// Describe asks a driver what its stack can do.
func Describe(ctx context.Context, c Command) (spec.Info, error) {
	ctx, cancel := context.WithTimeout(ctx, infoDeadline)
	defer cancel()
	p, err := launch(c, append(append([]string{}, c.Args...), "info"))
	if err != nil {
		return spec.Info{}, err
	}
	defer p.Kill()
	var info spec.Info
	err = p.read(ctx, func(kind string, line []byte) (bool, error) {
		if kind != KindInfo {
			return false, nil
		}
		return true, json.Unmarshal(line, &info)
	})
	if err == nil && info.Protocol != Protocol {
		err = fmt.Errorf("driver speaks protocol %d, this is %d", info.Protocol, Protocol)
	}
	return info, err
}

// ClientBlock is a client's answer to one `run N`.
type ClientBlock struct {
	Handshakes []Handshake // N, in order
	Primes     []Handshake // full handshakes made to obtain a session
	Block      Block
}

// Run makes a client driver do n handshakes.
func (p *Process) Run(ctx context.Context, n int) (ClientBlock, error) {
	if err := p.send(fmt.Sprintf("run %d", n)); err != nil {
		return ClientBlock{}, err
	}
	return p.block(ctx, n)
}

// Once runs a client driver from its start to its end, for one handshake.
func Once(ctx context.Context, c Command, cfg Config) (Handshake, error) {
	cfg.Count = 1
	p, err := launch(c, append(append(slices.Clone(c.Args), "connect"), cfg.Args()...))
	if err != nil {
		return Handshake{}, err
	}
	b, err := p.block(ctx, 1)
	if err != nil {
		p.Kill()
		return Handshake{}, err
	}
	return b.Handshakes[0], p.Close(closing)
}

// closing is how long a driver that has done its work gets to end.
const closing = 10 * time.Second

// block reads the lines of n handshakes.
func (p *Process) block(ctx context.Context, n int) (ClientBlock, error) {
	var b ClientBlock
	err := p.read(ctx, func(kind string, line []byte) (bool, error) {
		switch kind {
		case KindHandshake:
			return false, b.add(line)
		case KindBlock:
			return true, json.Unmarshal(line, &b.Block)
		}
		return false, nil
	})
	if err == nil && len(b.Handshakes) != n {
		err = fmt.Errorf("driver did %d handshakes of %d", len(b.Handshakes), n)
	}
	return b, err
}

func (b *ClientBlock) add(line []byte) error {
	var h Handshake
	if err := json.Unmarshal(line, &h); err != nil {
		return err
	}
	if h.Prime {
		b.Primes = append(b.Primes, h)
		return nil
	}
	if len(b.Handshakes) >= MaxBlock {
		return errors.New("driver printed more handshakes than it was asked for")
	}
	b.Handshakes = append(b.Handshakes, h)
	return nil
}

// ServerReport is a server's answer to one `report`.
type ServerReport struct {
	ByPort map[int]Handshake // by the client's port; the last one wins
	Report Report
}

// Report asks a server driver for the connections since the last report.
func (p *Process) Report(ctx context.Context) (ServerReport, error) {
	r := ServerReport{ByPort: map[int]Handshake{}}
	if err := p.send("report"); err != nil {
		return r, err
	}
	err := p.read(ctx, func(kind string, line []byte) (bool, error) {
		switch kind {
		case KindHandshake:
			var h Handshake
			err := json.Unmarshal(line, &h)
			r.ByPort[h.Port] = h
			return false, err
		case KindReport:
			return true, json.Unmarshal(line, &r.Report)
		}
		return false, nil
	})
	return r, err
}

// OpBlock is an operation driver's answer to one `run N`.
type OpBlock struct {
	Samples map[string]Samples // by metric
	Block   Block
}

// RunOp makes an operation driver take n samples.
func (p *Process) RunOp(ctx context.Context, n int) (OpBlock, error) {
	b := OpBlock{Samples: map[string]Samples{}}
	if err := p.send(fmt.Sprintf("run %d", n)); err != nil {
		return b, err
	}
	err := p.read(ctx, func(kind string, line []byte) (bool, error) {
		switch kind {
		case KindSamples:
			var s Samples
			err := json.Unmarshal(line, &s)
			b.Samples[s.Metric] = s
			return false, err
		case KindBlock:
			return true, json.Unmarshal(line, &b.Block)
		}
		return false, nil
	})
	return b, err
}
