package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"shakedown/driver"
	"shakedown/link"
	"shakedown/link/emulate"
	"shakedown/link/seen"
	"shakedown/result"
	"shakedown/spec"
	"shakedown/stack"
	"shakedown/wire/cost"
	"shakedown/wire/protect"
	"shakedown/wire/transcript"
)

// Traced is one handshake that ran through a tap or over an emulated link, in
// processes of its own. None of its times are figures.
type Traced struct {
	Transcript   result.Transcript
	Conversation link.Conversation
	Seen         *seen.Connection // its packets, on an emulated link
	Packets      []emulate.Packet // all of the link meanwhile
	Keys         []byte           // key log of both ends
	Complete     bool             // the wire shows the handshake to its end
	Mismatch     string           // client, server and wire contradict the label, or each other: how
	Failure      string           // it did not complete: why
}

// tapGrace is how long both ends get to close their connection: what they say
// last belongs to the recording.
const tapGrace = 300 * time.Millisecond

// TraceOptions are how a handshake is traced.
type TraceOptions struct {
	Set      result.Settings
	Timeout  time.Duration // of the handshake
	Emulator []string      // program and arguments of the link emulator
	Seed     uint64        // of the chances of an emulated link
}

// Trace runs a case once through a tap, or over its emulated link. The error says
// that a driver broke; a handshake that failed is no error.
func Trace(ctx context.Context, p Planned, o TraceOptions) (Traced, error) {
	ids, err := newIdentities()
	if err != nil {
		return Traced{}, err
	}
	defer ids.close()
	b := newBench(ids, o.Set, o.Timeout)
	b.emulator, b.seed = o.Emulator, o.Seed
	r := &handshakeRig{bench: b, c: p.Case, clientStack: p.Client, serverStack: p.Server}
	if r.network, err = b.emulation(p.Case); err != nil {
		return Traced{}, err
	}
	defer func() { _ = r.close() }()
	t, err := r.trace(ctx)
	if ctx.Err() != nil {
		return t, interrupted(ctx)
	}
	return t, err
}

// trace runs the case once in fresh processes that tell their secrets, and records
// what goes between them.
func (r *handshakeRig) trace(ctx context.Context) (t Traced, err error) {
	ctx, cancel := r.bench.within(ctx, r.c, 1)
	defer cancel()
	keyLog := filepath.Join(r.bench.ids.dir, r.c.ID()+".keys")
	defer func() { _ = os.Remove(keyLog) }()
	twin, tape := r.twin(), r.recorder()
	defer func() { _ = twin.stop(); tape.close() }()
	detour := func(target string) (string, error) { return tape.begin(ctx, target) }
	if err := twin.start(ctx, purpose{keyLog: keyLog, detour: detour}); err != nil {
		return t, err
	}
	client, servers, err := twin.one(ctx)
	if err != nil {
		return t, err
	}
	port, err := tape.take(ctx, &t, client)
	if err != nil {
		return t, err
	}
	if t.Keys, err = os.ReadFile(keyLog); err != nil && !errors.Is(err, os.ErrNotExist) {
		return t, err
	}
	t.read(r.c, tape.mss())
	t.judge(r.c, client, servers.ByPort[port], r.serverStack)
	return t, nil
}

// recorder records what goes between client and server.
type recorder interface {
	// begin gives the address that a client is sent to instead of the server's.
	begin(ctx context.Context, target string) (address string, err error)
	// take puts the connection of a handshake into t, and returns the port from which
	// the server saw the client come.
	take(ctx context.Context, t *Traced, client driver.Handshake) (port int, err error)
	mss() int // B of payload in a packet
	close()
}

// recorder is the emulated link, or else a tap.
func (r *handshakeRig) recorder() recorder {
	if r.network != nil {
		return &linkTape{emulation: r.network}
	}
	return &tapTape{size: r.bench.mss}
}

// tapTape is a relay on loopback.
type tapTape struct {
	tap  *link.Tap
	size int
}

func (r *tapTape) begin(_ context.Context, target string) (string, error) {
	tap, err := link.NewTap(target)
	if err != nil {
		return "", err
	}
	r.tap = tap
	return tap.Address(), nil
}

func (r *tapTape) take(_ context.Context, t *Traced, client driver.Handshake) (int, error) {
	r.tap.Wait(tapGrace)
	t.Conversation = conversationOf(r.tap.Close(), client)
	return int(t.Conversation.Relay.Port()), nil
}

func (r *tapTape) mss() int { return r.size }

func (r *tapTape) close() {
	if r.tap != nil {
		r.tap.Close()
	}
}

// one is one handshake that counts, as both ends tell it.
func (r *handshakeRig) one(ctx context.Context) (driver.Handshake, driver.ServerReport, error) {
	got, err := r.client.Run(ctx, 1)
	if err != nil {
		return driver.Handshake{}, driver.ServerReport{}, fmt.Errorf("client %s: %w", r.clientStack.Name, err)
	}
	report, err := r.report(ctx)
	return got.Handshakes[0], report, err
}

// conversationOf picks the connection of a handshake among those that the tap
// saw, where there may have been others to obtain a session. A client that could
// not connect knows no port; its connection is the last one.
func conversationOf(all []link.Conversation, client driver.Handshake) link.Conversation {
	for i, c := range all {
		if int(c.Client.Port()) == client.Port || client.Port == 0 && i == len(all)-1 {
			return c
		}
	}
	return link.Conversation{}
}

// read makes the transcript of what was recorded.
func (t *Traced) read(c spec.Case, mss int) {
	keys, err := protect.ParseKeyLog(t.Keys)
	if err != nil {
		t.Transcript.Warnings = append(t.Transcript.Warnings, err.Error())
	}
	read := transcript.Read(transcript.Connection{Chunks: t.Conversation.Chunks, Keys: keys})
	if t.Seen != nil {
		t.Transcript = cost.OfSeen(c, read, mss, t.Seen)
		t.Transcript.Wire.Packets = packetsOf(t.Seen, read)
	} else {
		t.Transcript = cost.Of(c, read, mss)
	}
	t.Complete = read.Complete
	if err := t.Conversation.Err; err != nil {
		t.Transcript.Warnings = append(t.Transcript.Warnings, "tap: "+err.Error())
	}
}

// judge adds what the ends say, and holds it all against the label.
func (t *Traced) judge(c spec.Case, client, server driver.Handshake, serverStack *stack.Stack) {
	t.Transcript.Proof.Client = client.Proof
	witnesses := []spec.Witness{{Name: "client", Proof: client.Proof}}
	if serverStack != nil {
		t.Transcript.Proof.Server = server.Proof
		witnesses = append(witnesses, spec.Witness{Name: "server", Proof: server.Proof})
	}
	switch {
	case t.Conversation.Err != nil && !errors.Is(t.Conversation.Err, link.ErrFull):
		t.Failure = t.Conversation.Err.Error()
	case !client.OK:
		t.Failure = told(failureOf(client))
	case serverStack != nil && !server.OK:
		t.Failure = told(failureOf(server))
	default:
		t.Mismatch = judge(c, append(witnesses, spec.Witness{Name: "wire", Proof: t.Transcript.Proof.Wire})...)
	}
}

// block is what the journal keeps of it.
func (t *Traced) block() result.Block {
	b := result.Block{Mismatch: t.Mismatch, Proof: result.Proof{Wire: t.Transcript.Proof.Wire}}
	switch {
	case t.Failure != "":
		b.Warnings = []string{"the handshake behind the tap failed: " + t.Failure}
	case !t.Complete:
		b.Warnings = []string{"the wire does not show the handshake to its end" + because(t.Transcript.Problem)}
	default:
		b.Wire = &t.Transcript.Wire
	}
	return b
}

func because(problem string) string {
	if problem == "" {
		return ": neither end tells the secrets to read it with"
	}
	return ": " + problem
}
