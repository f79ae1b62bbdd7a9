package cost

import (
	"crypto/tls"
	"reflect"
	"testing"

	"shakedown/result"
	"shakedown/spec"
	"shakedown/wire/transcript"
)

// fake is a connection of small packets, 100 bytes from the client and 300 from the
// server, whose server waits for each tenth.
type fake struct{}

func (fake) size(side transcript.Side) int {
	return map[transcript.Side]int{transcript.Client: 100, transcript.Server: 300}[side]
}

func (f fake) Count(side transcript.Side, start, end int) int {
	return (end-1)/f.size(side) - start/f.size(side) + 1
}

func (f fake) Waits(side transcript.Side, start, end int) int {
	return int(side) * (f.Count(side, start, end) - 1) / 2
}

// TestOfSeen: packets and waits are those that were seen, and say so; nothing else
// changes, nor does what is composed.
func TestOfSeen(t *testing.T) {
	read := connect(t, &tls.Config{}, serverConfig(t))
	c := spec.Case{Kind: spec.KindHandshake, Client: "go", Server: "go"}
	composed, got, again := Of(c, read, MSSEthernet), OfSeen(c, read, MSSEthernet, fake{}), Of(c, read, MSSEthernet)
	if !reflect.DeepEqual(composed, again) || composed.Wire.PacketsLabel != result.Composed {
		t.Error("what is composed depends on what was seen before")
	}
	if got.Wire.PacketsLabel != result.Measured || got.Fit.Label != composed.Fit.Label || !reflect.DeepEqual(got.Fit, composed.Fit) {
		t.Errorf("packets are %s, the fit %+v", got.Wire.PacketsLabel, got.Fit)
	}
	starts := [2]int{}
	packets := [2]int{}
	for i, f := range got.Flights {
		side := transcript.Side(i % 2)
		start, end := starts[side], starts[side]+f.Bytes
		starts[side] = end
		if want := (fake{}).Count(side, start, end); f.Packets != want || f.Extra != (fake{}).Waits(side, start, end) {
			t.Errorf("flight %d from %d to %d: %+v, want %d packets", i+1, start, end, f, want)
		}
		packets[side] += f.Packets
	}
	if w := got.Wire; w.ClientPackets != packets[0] || w.ServerPackets != packets[1] || w.ClientPackets < 15 || w.ServerPackets < 5 {
		t.Errorf("%d and %d packets, want %v", w.ClientPackets, w.ServerPackets, packets)
	}
	if w := got.Wire; w.ClientHello.Packets != (fake{}).Count(transcript.Client, 0, w.ClientHello.Record) ||
		w.ServerHello.Packets != (fake{}).Count(transcript.Server, 0, w.ServerHello.Record) {
		t.Errorf("hellos %+v and %+v", w.ClientHello, w.ServerHello)
	}
	if got.Flights[1].Extra < 2 || composed.Flights[1].Extra != 0 {
		t.Errorf("the server's flight waits %d times, composed %d", got.Flights[1].Extra, composed.Flights[1].Extra)
	}
	sameButPackets(t, composed, got)
}

// sameButPackets compares two transcripts without what packets say.
func sameButPackets(t *testing.T, a, b result.Transcript) {
	t.Helper()
	for _, out := range []*result.Transcript{&a, &b} {
		for i := range out.Messages {
			out.Messages[i].Packets = 0
		}
		for i := range out.Flights {
			out.Flights[i].Packets, out.Flights[i].Extra = 0, 0
		}
		w := &out.Wire
		w.ClientPackets, w.ServerPackets, w.PacketsLabel = 0, 0, ""
		w.ClientHello.Packets, w.ServerHello.Packets = 0, 0
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("composed\n%+v\nseen\n%+v", a, b)
	}
}

// TestStartIsWhenItWasSent: where chunks tell when they left their sender, a flight
// starts then.
func TestStartIsWhenItWasSent(t *testing.T) {
	c := trace(t, "rfc8448-3.txt")
	var before, after result.Transcript
	before = of(t, transcript.Read(c), MSSEthernet)
	for i := range c.Chunks {
		c.Chunks[i].Sent = c.Chunks[i].Time - 400_000 // ns; a record comes each ms
	}
	after = of(t, transcript.Read(c), MSSEthernet)
	for i, f := range after.Flights {
		was := before.Flights[i]
		if !near(f.Start, was.Start) || !near(f.End, was.End+400e-6) || !near(f.End-f.Start, was.End-was.Start+400e-6) {
			t.Errorf("flight %d: %+v, as it came %+v", i+1, f, was)
		}
	}
}

func near(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }
