package cost

import (
	"fmt"
	"time"

	"shakedown/result"
	"shakedown/spec"
	"shakedown/wire"
	"shakedown/wire/transcript"
)

// Of draws up what the handshake of a case cost, from its transcript. Packets are
// composed: each flight is cut into packets of mss bytes, all full but the last. mss
// must have passed [CheckMSS].
//
// Offer and Fit are nil where there is no ClientHello that can be read; one in the
// form of SSL 2.0 has no extensions and is none.
func Of(c spec.Case, t *transcript.Transcript, mss int) result.Transcript {
	return drawn(c, t, mss, nil)
}

// OfSeen does so with packets that were seen, and are not composed but for Fit.
func OfSeen(c spec.Case, t *transcript.Transcript, mss int, seen Seen) result.Transcript {
	return drawn(c, t, mss, seen)
}

func drawn(c spec.Case, t *transcript.Transcript, mss int, seen Seen) result.Transcript {
	flights := flightsOf(t)
	flights.mss, flights.seen = mss, seen
	out := result.Transcript{
		Schema: result.Schema, ID: c.ID(), Label: result.Measured, Case: c, Decrypted: t.Opaque == 0,
		Messages: flights.messages(t), Flights: flights.list(t),
		Wire: flights.exchange(t), Proof: result.Proof{Wire: &t.Proof},
		Problem: t.Problem, Warnings: warnings(t),
	}
	if e := clientHello(t); e != nil {
		if m := parse(e.Message); m != nil {
			out.Hello, out.Fit = offerOf(m, e.Size), fitOf(m, e, mss)
		}
	}
	return out
}

// parse reads a ClientHello with its header; nil where it cannot be read, or has the
// form of SSL 2.0.
func parse(message []byte) *wire.ClientHello {
	var m wire.ClientHello
	in, _, err := wire.NextHandshake(message)
	if err != nil || in.Type != wire.TypeClientHello || m.Parse(in.Body) != nil {
		return nil
	}
	return &m
}

// clientHello returns the first ClientHello, nil for none.
func clientHello(t *transcript.Transcript) *transcript.Entry {
	return find(t, func(e *transcript.Entry) bool { return e.Type == wire.TypeClientHello })
}

// serverHello returns the ServerHello that is no HelloRetryRequest, nil for none.
func serverHello(t *transcript.Transcript) *transcript.Entry {
	retry := wire.TypeHelloRetryRequest.String()
	return find(t, func(e *transcript.Entry) bool { return e.Type == wire.TypeServerHello && e.Name != retry })
}

func find(t *transcript.Transcript, is func(*transcript.Entry) bool) *transcript.Entry {
	for i := range t.Entries {
		if e := &t.Entries[i]; e.Content == wire.ContentHandshake && is(e) {
			return e
		}
	}
	return nil
}

// messages lists the entries.
func (f *flights) messages(t *transcript.Transcript) []result.Message {
	list := make([]result.Message, 0, len(t.Entries))
	zero := zeroOf(t)
	for i := range t.Entries {
		e := &t.Entries[i]
		list = append(list, result.Message{
			From: e.From.String(), Name: e.Name, Epoch: string(e.Epoch),
			Size: e.Size, Record: e.Wire, Records: e.Records, Shared: e.Shared,
			Packets: f.packets(i, e), Flight: f.numbers[i],
			Counted: e.Counted, Post: e.Post, Time: (e.Time - zero).Seconds(),
		})
	}
	return list
}

// zeroOf is when the client's first byte was seen, or the server's where the client
// sent nothing.
func zeroOf(t *transcript.Transcript) time.Duration {
	for i := range t.Entries {
		if t.Entries[i].From == transcript.Client {
			return t.Entries[i].Seen
		}
	}
	if len(t.Entries) > 0 {
		return t.Entries[0].Seen
	}
	return 0
}

// exchange is the part that a row carries.
func (f *flights) exchange(t *transcript.Transcript) result.Exchange {
	return result.Exchange{
		Messages: t.Messages, MessagesPost: t.Post, MessagesPaper: t.PaperMessages(),
		Flights: t.Flights, RoundTrips: t.RoundTrips,
		ClientBytes: t.ClientBytes, ServerBytes: t.ServerBytes, EarlyBytes: t.EarlyBytes,
		ClientPackets: f.packetsUpTo(transcript.Client, t.ClientBytes),
		ServerPackets: f.packetsUpTo(transcript.Server, t.ServerBytes),
		MSS:           f.mss, PacketsLabel: f.label(),
		ClientHello: f.hello(t, clientHello(t)), ServerHello: f.hello(t, serverHello(t)),
		HelloRetry: t.HelloRetry,
	}
}

// hello is the size of an entry, which may be nil.
func (f *flights) hello(t *transcript.Transcript, e *transcript.Entry) result.Hello {
	for i := range t.Entries {
		if &t.Entries[i] == e {
			return result.Hello{Message: e.Size, Record: e.Wire, Packets: f.packets(i, e)}
		}
	}
	return result.Hello{}
}

// warnings says what keeps the counts from being those of a whole handshake.
func warnings(t *transcript.Transcript) []string {
	switch {
	case t.Complete:
		return nil
	case clientHello(t) == nil:
		return []string{"no ClientHello was seen"}
	case t.Opaque > 0:
		return []string{fmt.Sprintf("%d encrypted records stayed closed, so messages, flights and bytes of the "+
			"handshake are not all counted: the key log of an endpoint opens them", t.Opaque)}
	}
	return []string{"the handshake did not complete"}
}
