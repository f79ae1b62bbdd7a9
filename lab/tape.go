package lab

import (
	"context"
	"errors"
	"slices"
	"time"

	"shakedown/capture"
	"shakedown/driver"
	"shakedown/link"
	"shakedown/link/emulate"
	"shakedown/link/seen"
	"shakedown/result"
	"shakedown/wire"
	"shakedown/wire/transcript"
)

// linkTape is the emulated link itself, which sees every packet.
type linkTape struct{ *emulation }

func (r *linkTape) begin(ctx context.Context, target string) (string, error) {
	return target, r.emulation.begin(ctx, tracePass)
}

// take waits until what closes the connection has come over the link.
func (r *linkTape) take(ctx context.Context, t *Traced, client driver.Handshake) (int, error) {
	select {
	case <-time.After(r.trip() + tapGrace/10):
	case <-ctx.Done():
	}
	report, err := r.report(ctx)
	if err != nil {
		return 0, err
	}
	all := r.connections(report)
	c := seen.Of(all, client.Port)
	if c == nil && len(all) > 0 {
		c = all[len(all)-1] // of a client that could not connect
	}
	if c == nil {
		return 0, errors.New("no packet of the connection was seen")
	}
	t.Seen, t.Packets, t.Conversation = c, report.Packets, conversation(c, report)
	return int(c.Client.Port()), nil
}

func (r *linkTape) close() {}

// conversation is a connection as a tap would tell it.
func conversation(c *seen.Connection, r emulate.Report) link.Conversation {
	out := link.Conversation{Client: c.Client, Relay: c.Client, Server: c.Server, Began: r.Began, Chunks: c.Chunks}
	for _, p := range c.Packets {
		out.Ended = max(out.Ended, p.Sent, p.Arrived)
	}
	if r.Unrecorded > 0 {
		out.Err = link.ErrFull
	}
	return out
}

// AtClient are the packets of an emulated link as the client sent and received
// them.
func (t *Traced) AtClient() (list []capture.Packet) {
	for _, p := range t.Packets {
		at := p.Sent
		if p.Down {
			at = p.Arrived
		}
		if at >= 0 {
			list = append(list, capture.Packet{Time: t.Conversation.Began.Add(at), Data: p.Data})
		}
	}
	slices.SortStableFunc(list, func(a, b capture.Packet) int { return a.Time.Compare(b.Time) })
	return list
}

// packetsOf is what the packets of a connection show beside its messages.
func packetsOf(c *seen.Connection, t *transcript.Transcript) *result.Packets {
	complete := completion(t)
	out := &result.Packets{
		ClientWireBytes: c.BytesUntil(transcript.Client, complete),
		ServerWireBytes: c.BytesUntil(transcript.Server, complete),
		Lost:            c.Lost(), Retransmissions: c.Retransmissions(), Connect: c.Connect.Seconds(),
	}
	if at, found := firstRequest(t); found {
		if trips := c.Trip(transcript.Client, at); trips > 2 {
			seen := float64(trips-3) / 2 // without the SYN, its answer, and the byte itself
			out.RoundTripsSeen = &seen
		}
	}
	return out
}

// completion is when the last counted message had arrived.
func completion(t *transcript.Transcript) (at time.Duration) {
	for i := range t.Entries {
		if e := &t.Entries[i]; e.Counted {
			at = max(at, e.Time)
		}
	}
	return at
}

// firstRequest is where the client's first application data begins in its stream.
func firstRequest(t *transcript.Transcript) (start int, found bool) {
	for i := range t.Entries {
		if e := &t.Entries[i]; e.From == transcript.Client && e.Content == wire.ContentApplicationData && e.Epoch != transcript.Closed {
			return e.Start, true
		}
	}
	return 0, false
}
