package lab

import (
	"context"
	"errors"
	"fmt"

	"shakedown/driver"
	"shakedown/result"
	"shakedown/spec"
	"shakedown/stack"
)

// recordRig is one driver that encrypts and decrypts records in memory.
type recordRig struct {
	bench    *bench
	c        spec.Case
	stack    *stack.Stack
	process  *driver.Process
	mismatch string
}

func (b *bench) newRecordRig(ctx context.Context, c spec.Case, s *stack.Stack) (*recordRig, error) {
	r := &recordRig{bench: b, c: c, stack: s}
	return r, r.start(ctx)
}

func (r *recordRig) start(ctx context.Context) error {
	flags := r.bench.side(r.c)
	flags.Op, flags.Size, flags.Mode = "record", r.c.Size, ""
	err := r.bench.ids.fillBoth(r.c, &flags)
	if err != nil {
		return err
	}
	if r.process, err = driver.Start(ctx, r.stack.Command, "op", flags); err != nil {
		return fmt.Errorf("%s: %w", r.stack.Name, err)
	}
	r.mismatch = r.judge()
	return nil
}

func (r *recordRig) renew(ctx context.Context) error {
	ctx, cancel := r.bench.within(ctx, r.c, 0)
	defer cancel()
	if err := r.close(); err != nil {
		return err
	}
	return r.start(ctx)
}

// judge holds the handshake that made the keys against the case.
func (r *recordRig) judge() string {
	proof := r.process.Ready.Proof
	if proof == nil {
		return "the driver gave no proof of its handshake"
	}
	return judge(r.c, spec.Witness{Name: "client", Proof: &proof.Client}, spec.Witness{Name: "server", Proof: &proof.Server})
}

func (r *recordRig) block(ctx context.Context, _, n int) (result.Block, error) {
	ctx, cancel := r.bench.within(ctx, r.c, 0)
	defer cancel()
	got, err := r.process.RunOp(ctx, n)
	if err != nil {
		return result.Block{}, fmt.Errorf("%s: %w", r.stack.Name, err)
	}
	b := result.Block{
		Attempted: n, Completed: n, Metrics: map[string][]float64{}, What: map[string]string{},
		Record: r.process.Ready.RecordBytes, Mismatch: r.mismatch, CPU: got.Block.CPU,
	}
	if proof := r.process.Ready.Proof; proof != nil {
		b.Proof = result.Proof{Client: &proof.Client, Server: &proof.Server}
	}
	for metric, s := range got.Samples {
		b.Metrics[metric] = s.Values
		b.What[metric] = fmt.Sprintf("mean of %d records", s.Batch)
	}
	return b, nil
}

// memory is not measured for records, and nothing of them goes over a wire.
func (r *recordRig) memory(context.Context) (result.Block, error) {
	return result.Block{}, errors.ErrUnsupported
}

func (r *recordRig) trace(context.Context) (Traced, error) {
	return Traced{}, errors.ErrUnsupported
}

func (r *recordRig) processes(context.Context, int) (result.Block, error) {
	return result.Block{}, errors.ErrUnsupported
}

func (r *recordRig) close() error {
	p := r.process
	if p == nil {
		return nil
	}
	r.process = nil
	return ended("driver", r.stack, p)
}
