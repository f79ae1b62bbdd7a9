package accuracy

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"shakedown/link"
)

// throughput is what TCP brings over a link without limits.
func throughput(ctx context.Context, n *link.Network, c *check) error {
	b, err := begin(n)
	if err != nil {
		return err
	}
	defer b.end()
	rate, err := b.rate(ctx, c.long)
	if err != nil {
		return err
	}
	c.judge(rate)
	return nil
}

// cost is the processor time of the emulator for the time that passes, while TCP
// fills a link.
func cost(ctx context.Context, n *link.Network, c *check) error {
	b, err := begin(n)
	if err != nil {
		return err
	}
	defer b.end()
	before, err := n.Report(ctx)
	began := time.Now()
	if err != nil {
		return err
	}
	rate, err := b.rate(ctx, c.long)
	if err != nil {
		return err
	}
	after, err := n.Report(ctx)
	wall := time.Since(began)
	if err != nil {
		return err
	}
	c.judge((after.CPU - before.CPU).Seconds() / wall.Seconds())
	packets := after.Up.In - before.Up.In + after.Down.In - before.Down.In
	c.Note = fmt.Sprintf("of a processor, for %.2f Mbit/s of TCP in %.0f packets/s", rate/1e6, float64(packets)/wall.Seconds())
	return nil
}

// bulk is a TCP connection whose client sends as much as it can.
type bulk struct {
	client, server net.Conn
	came           atomic.Int64 // bytes
	over           chan error   // of both
}

// begin connects and sends.
func begin(n *link.Network) (b *bulk, err error) {
	var listener net.Listener
	err = n.AtServer(func() error {
		listener, err = net.Listen("tcp", n.ServerAddress())
		return err
	})
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	b = &bulk{over: make(chan error, 2)}
	err = n.AtClient(func() error {
		b.client, err = net.DialTimeout("tcp", listener.Addr().String(), connecting)
		return err
	})
	if err != nil {
		return nil, err
	}
	if b.server, err = listener.Accept(); err != nil {
		return nil, errors.Join(err, b.client.Close())
	}
	go func() { b.over <- b.write() }()
	go func() { b.over <- b.read() }()
	return b, nil
}

// connecting is how long a connection may take.
const connecting = 10 * time.Second

// chunk is how many bytes are written and read at once.
const chunk = 256 << 10

func (b *bulk) write() error {
	data := make([]byte, chunk)
	for {
		if _, err := b.client.Write(data); err != nil {
			return err
		}
	}
}

func (b *bulk) read() error {
	data := make([]byte, chunk)
	for {
		n, err := b.server.Read(data)
		b.came.Add(int64(n))
		if err != nil {
			return err
		}
	}
}

// end closes both ends, and waits until nothing uses them.
func (b *bulk) end() {
	_, _ = b.client.Close(), b.server.Close()
	_, _ = <-b.over, <-b.over
}

// rate is what the server reads in a time, in bit/s of payload, after a tenth of it
// for the connection to get going.
func (b *bulk) rate(ctx context.Context, long time.Duration) (float64, error) {
	if err := b.pause(ctx, long/10); err != nil {
		return 0, err
	}
	began, before := time.Now(), b.came.Load()
	if err := b.pause(ctx, long); err != nil {
		return 0, err
	}
	return 8 * float64(b.came.Load()-before) / time.Since(began).Seconds(), nil
}

// pause waits, as long as the connection does.
func (b *bulk) pause(ctx context.Context, long time.Duration) error {
	select {
	case err := <-b.over:
		b.over <- err // for end
		return fmt.Errorf("the connection broke: %w", err)
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(long):
		return nil
	}
}
