package accuracy

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"shakedown/link"
)

// ping is the payload of a packet that comes back: its number and by how much the
// far end woke late.
type ping [leastPacket - headers]byte

func (p *ping) number() uint32            { return binary.BigEndian.Uint32(p[:]) }
func (p *ping) waking() time.Duration     { return time.Duration(binary.BigEndian.Uint64(p[4:])) }
func (p *ping) ask(number uint32)         { binary.BigEndian.PutUint32(p[:], number) }
func (p *ping) answer(woke time.Duration) { binary.BigEndian.PutUint64(p[4:], uint64(woke)) }

// roundTrip sends one ping after another. The first tenth is to let the emulator
// learn how late this system wakes. What the threads at the ends took to wake is not
// the link's, but is in the figure: users have it in theirs.
func roundTrip(ctx context.Context, n *link.Network, c *check) error {
	client, server, err := ends(n)
	if err != nil {
		return err
	}
	defer client.close()
	defer server.close()
	defer echo(server)()
	first := 1 + c.count/10
	var took, woke []time.Duration
	for i := range first + c.count {
		trip, waking, err := client.ping(ctx, uint32(i), 2*time.Duration(c.Want*1e9)+time.Second)
		if err != nil {
			return err
		}
		if i >= first {
			took, woke = append(took, trip), append(woke, waking)
		}
	}
	c.judge(quantile(took, 0.5).Seconds())
	late := quantile(took, 0.9).Seconds() - c.Want
	c.Note = fmt.Sprintf("90 %% within %+.0f us; of the median %.0f us until both ends woke; %d pings",
		1e6*late, 1e6*quantile(woke, 0.5).Seconds(), c.count)
	return nil
}

// echo answers until the returned function is called.
func echo(s *socket) (stop func()) {
	var over atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		var p ping
		for !over.Load() {
			if _, waking, err := s.receive(p[:]); err == nil {
				p.answer(waking)
				_ = s.send(p[:])
			}
		}
	}()
	return func() {
		over.Store(true)
		<-done
	}
}

// ping measures one round trip, and how much of it passed until the threads at
// both ends woke.
func (s *socket) ping(ctx context.Context, number uint32, patience time.Duration) (trip, waking time.Duration, err error) {
	var p ping
	p.ask(number)
	began := time.Now()
	if err := s.send(p[:]); err != nil {
		return 0, 0, err
	}
	for {
		_, waking, err := s.receive(p[:])
		trip := time.Since(began)
		switch {
		case err == nil && p.number() == number:
			return trip, waking + p.waking(), nil
		case err != nil && !errors.Is(err, errNothing):
			return 0, 0, err
		case ctx.Err() != nil:
			return 0, 0, context.Cause(ctx)
		case trip > patience:
			return 0, 0, fmt.Errorf("no answer within %v", patience)
		}
	}
}

// quantile is of times in any order, which are sorted by it.
func quantile(times []time.Duration, share float64) time.Duration {
	slices.Sort(times)
	return times[int(share*float64(len(times)-1)+0.5)]
}
