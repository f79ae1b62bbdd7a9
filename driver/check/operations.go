package check

import (
	"context"
	"fmt"
	"slices"

	"shakedown/driver"
	"shakedown/spec"
)

// operations checks `op record` with every TLS 1.3 suite, or the default of 1.2.
func (s *suite) operations(ctx context.Context) {
	if !slices.Contains(s.info.Ops, "record") {
		s.skip("op record", "not claimed")
		return
	}
	s.check(ctx, "op record of 14 bytes", func(ctx context.Context) error { return s.records(ctx, s.plain(), 14) })
	s.check(ctx, "op record of 16384 bytes", func(ctx context.Context) error { return s.records(ctx, s.plain(), driver.MaxApp) })
	for _, name := range s.info.Suites {
		suite, err := spec.ParseSuite(name)
		if err != nil || !suite.TLS13 {
			continue
		}
		c := s.plain()
		c.Suite = name
		s.check(ctx, "op record with "+name, func(ctx context.Context) error { return s.records(ctx, c, 14) })
	}
}

func (s *suite) records(ctx context.Context, c spec.Case, size int) error {
	flags, client, err := s.flags(c)
	if err != nil {
		return err
	}
	flags.Listen, flags.Op, flags.Size, flags.CA = "", "record", size, client.CA
	p, err := driver.Start(ctx, s.command, "op", flags)
	if err != nil {
		return err
	}
	ready := p.Ready
	if ready.Batch < 1 || ready.RecordBytes <= size+5 || ready.Proof == nil {
		p.Kill()
		return fmt.Errorf("ready line: batch %d, record_bytes %d for %d, proof %v", ready.Batch, ready.RecordBytes, size, ready.Proof)
	}
	if m := c.Judge("client", &ready.Proof.Client); m != "" {
		p.Kill()
		return fmt.Errorf("%s", m)
	}
	block, err := p.RunOp(ctx, 4)
	if err != nil {
		p.Kill()
		return err
	}
	for _, metric := range []string{"encrypt", "decrypt"} {
		if err := plausible(block.Samples[metric]); err != nil {
			p.Kill()
			return fmt.Errorf("%s: %w", metric, err)
		}
	}
	return p.Close(quit)
}

// plausible: four samples of a time that a record can take.
func plausible(s driver.Samples) error {
	if len(s.Values) != 4 || s.Unit != "s" || s.Batch < 1 {
		return fmt.Errorf("%d values in %q with batch %d, want 4 in s", len(s.Values), s.Unit, s.Batch)
	}
	for _, v := range s.Values {
		if v <= 0 || v > 1 {
			return fmt.Errorf("%v s for a record", v)
		}
	}
	return nil
}
