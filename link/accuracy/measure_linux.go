package accuracy

import (
	"context"

	"shakedown/link"
	"shakedown/link/profile"
)

// Measure measures, and returns a row for each thing. What was measured before an
// error or the end of the context is returned with it. The error of a system that
// allows no emulated links is a *[space.RefusedError], which space.Enter, called
// before, may spare an ordinary user.
func Measure(ctx context.Context, o Options) (rows []Row, err error) {
	list := checks(o.Quick)
	for i, c := range list {
		if o.Begin != nil {
			o.Begin(c.Row, i, len(list))
		}
		if err := c.measure(ctx, o); err != nil {
			return rows, err
		}
		rows = append(rows, c.Row)
		if o.Tell != nil {
			o.Tell(c.Row)
		}
	}
	return rows, nil
}

// measure does it on a link of its own. What goes wrong on it is said in the row.
func (c *check) measure(ctx context.Context, o Options) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	p, err := profile.Find(c.Setting)
	if err != nil {
		return err
	}
	n, err := link.Open(link.Options{Profile: p, Seed: o.Seed, Emulator: o.Emulator, Quiet: true})
	if err != nil {
		return err
	}
	defer n.Close()
	if err := c.run(ctx, n, c); ctx.Err() != nil {
		return context.Cause(ctx)
	} else if err != nil {
		c.fail(err.Error())
	}
	return nil
}
