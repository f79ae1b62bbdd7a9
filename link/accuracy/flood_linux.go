package accuracy

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"shakedown/link"
)

// rate fills the queue, and looks how fast it empties. Every packet has its place
// in the order, so that those whose reader came late still count.
func rate(ctx context.Context, n *link.Network, c *check) error {
	client, server, err := ends(n)
	if err != nil {
		return err
	}
	defer client.close()
	defer server.close()
	size := packetSize(c.Want)
	sent := make(chan error, 1)
	go func() { sent <- client.flood(c.count, size-headers) }()
	first, last, read, err := server.drain(ctx, c.count, size-headers)
	if err := errors.Join(<-sent, err); err != nil {
		return err
	}
	report, err := n.Report(ctx)
	if err != nil {
		return err
	}
	if up := report.Up; up.In != c.count || up.Full > 0 || last.number == first.number {
		return fmt.Errorf("of %d packets %d came to the emulator, and %d found its queue full", c.count, up.In, up.Full)
	}
	bits := float64(8 * size * (last.number - first.number))
	c.judge(bits / last.at.Sub(first.at).Seconds())
	c.Note = fmt.Sprintf("%d packets of %d bytes", c.count, size)
	if read < c.count {
		c.Note += fmt.Sprintf(", of which the reader missed %d", c.count-read)
	}
	return nil
}

// arrival is when a packet came to the socket.
type arrival struct {
	number int
	at     time.Time
}

// flood sends numbered packets.
func (s *socket) flood(count, size int) error {
	data := make([]byte, size)
	for i := range count {
		binary.BigEndian.PutUint32(data, uint32(i))
		if err := s.send(data); err != nil {
			return err
		}
	}
	return nil
}

// quiet is after what time without a packet no more are expected. It is far above
// what a packet takes at the lowest rate.
const quiet = 2 * time.Second

// drain reads numbered packets until the last one, or until no more come.
func (s *socket) drain(ctx context.Context, count, size int) (first, last arrival, read int, err error) {
	data := make([]byte, size)
	heard := time.Now()
	for read == 0 || last.number != count-1 {
		_, waking, err := s.receive(data)
		switch {
		case ctx.Err() != nil:
			return first, last, read, context.Cause(ctx)
		case errors.Is(err, errNothing) && time.Since(heard) > quiet:
			return first, last, read, nil
		case errors.Is(err, errNothing):
			continue
		case err != nil:
			return first, last, read, err
		}
		heard = time.Now()
		last = arrival{int(binary.BigEndian.Uint32(data)), heard.Add(-waking)}
		if read == 0 {
			first = last
		}
		read++
	}
	return first, last, read, nil
}

// burst is how many packets are sent before their reader's turn. They fit into any
// socket's buffer, so that only the link loses some.
const burst = 100

// loss sends packets over a link that loses some of one direction. What the emulator
// says that it lost must be what is missing.
func loss(ctx context.Context, n *link.Network, c *check, up bool) error {
	client, server, err := ends(n)
	if err != nil {
		return err
	}
	defer client.close()
	defer server.close()
	if !up {
		client, server = server, client
	}
	came, err := pass(ctx, client, server, c.count)
	if err != nil {
		return err
	}
	report, err := n.Report(ctx)
	if err != nil {
		return err
	}
	counts := report.Down
	if up {
		counts = report.Up
	}
	c.judge(float64(counts.Lost) / float64(c.count))
	c.Note = fmt.Sprintf("%d of %d packets", counts.Lost, c.count)
	if counts.In != c.count || came+counts.Lost != c.count {
		return fmt.Errorf("of %d packets %d came to the emulator, which lost %d, and %d arrived", c.count, counts.In, counts.Lost, came)
	}
	return nil
}

// pass sends packets in bursts, and reads each before the next. It returns how many
// came.
func pass(ctx context.Context, from, to *socket, count int) (came int, err error) {
	if err := to.wait(20 * time.Millisecond); err != nil {
		return 0, err
	}
	data := make([]byte, leastPacket-headers)
	for sent := 0; sent < count && ctx.Err() == nil; {
		for range min(burst, count-sent) {
			binary.BigEndian.PutUint32(data, uint32(sent))
			if err := from.send(data); err != nil {
				return came, err
			}
			sent++
		}
		n, err := to.read(sent - 1)
		if came += n; err != nil {
			return came, err
		}
	}
	n, err := to.read(count) // what was late
	return came + n, err
}

// read reads packets until the one of a number, or until none comes, as when that
// one is lost.
func (s *socket) read(until int) (came int, err error) {
	var data [leastPacket]byte
	for number := -1; number != until; came++ {
		_, _, err := s.receive(data[:])
		switch {
		case errors.Is(err, errNothing):
			return came, nil
		case err != nil:
			return came, err
		}
		number = int(binary.BigEndian.Uint32(data[:]))
	}
	return came, nil
}
