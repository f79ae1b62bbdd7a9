package cost

import (
	"crypto/tls"
	"encoding/hex"
	"os"
	"strings"
	"testing"
	"time"

	"shakedown/result"
	"shakedown/spec"
	"shakedown/wire"
	"shakedown/wire/internal/wiretest"
	"shakedown/wire/protect"
	"shakedown/wire/transcript"
)

// connect runs a handshake of crypto/tls and returns its transcript.
func connect(tb testing.TB, client, server *tls.Config) *transcript.Transcript {
	tb.Helper()
	return transcript.Read(recorded(tb, wiretest.Handshake(tb, client, server)))
}

func recorded(tb testing.TB, rec *wiretest.Recording) transcript.Connection {
	tb.Helper()
	keys, err := protect.ParseKeyLog(rec.KeyLog)
	if err != nil {
		tb.Fatal(err)
	}
	c := transcript.Connection{Keys: keys}
	for _, chunk := range rec.Chunks {
		from := transcript.Server
		if chunk.FromClient {
			from = transcript.Client
		}
		c.Chunks = append(c.Chunks, transcript.Chunk{From: from, Time: chunk.Time, Data: chunk.Data})
	}
	return c
}

func serverConfig(tb testing.TB) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{wiretest.Certificate(tb)}}
}

// trace reads a connection of the testdata of transcript, a record each millisecond.
func trace(tb testing.TB, name string) transcript.Connection {
	tb.Helper()
	text, err := os.ReadFile("../transcript/testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	keys, err := protect.ParseKeyLog(text)
	if err != nil {
		tb.Fatal(err)
	}
	c := transcript.Connection{Keys: keys}
	for line := range strings.Lines(string(text)) {
		side, data, _ := strings.Cut(strings.TrimSpace(line), " ")
		raw, err := hex.DecodeString(data)
		from, ok := map[string]transcript.Side{"client": transcript.Client, "server": transcript.Server}[side]
		if err != nil || !ok {
			continue
		}
		at := time.Second + time.Duration(len(c.Chunks))*time.Millisecond
		c.Chunks = append(c.Chunks, transcript.Chunk{From: from, Time: at, Data: raw})
	}
	return c
}

// records cuts the stream of a side into one chunk a record.
func records(tb testing.TB, c transcript.Connection, side transcript.Side) (chunks []transcript.Chunk) {
	tb.Helper()
	for rest := sideStream(c, side); len(rest) > 0; {
		record, after, err := wire.NextRecord(rest)
		if err != nil {
			tb.Fatal(err)
		}
		chunks = append(chunks, transcript.Chunk{From: side, Data: rest[:record.Size()]})
		rest = after
	}
	return chunks
}

// of is Of with all that must hold of any transcript.
func of(tb testing.TB, t *transcript.Transcript, mss int) result.Transcript {
	tb.Helper()
	c := spec.Case{Kind: spec.KindHandshake, Client: "go", Server: "go"}
	out := Of(c, t, mss)
	if out.Schema != result.Schema || out.ID != c.ID() || out.Case != c || out.Label != result.Measured ||
		out.Proof.Wire == nil || *out.Proof.Wire != t.Proof || out.Problem != t.Problem || out.Wire.MSS != mss {
		tb.Errorf("head: %+v", out)
	}
	checkFlights(tb, t, &out, mss)
	checkHello(tb, &out, mss)
	return out
}

func checkFlights(tb testing.TB, t *transcript.Transcript, out *result.Transcript, mss int) {
	tb.Helper()
	if len(out.Flights) != t.Flights || len(out.Messages) != len(t.Entries) {
		tb.Fatalf("%d flights, %d messages", len(out.Flights), len(out.Messages))
	}
	for i, f := range out.Flights {
		if f.Number != i+1 || f.Packets != (f.Bytes+mss-1)/mss || f.Packets == 0 || f.End < f.Start {
			tb.Errorf("flight %+v", f)
		}
		if i > 0 && f.From == out.Flights[i-1].From {
			tb.Errorf("flights %d and %d both come from the %s", i, i+1, f.From)
		}
	}
	starts := startsOf(t, out)
	for i, m := range out.Messages {
		base := t.Entries[i].Start
		if m.Flight > 0 {
			f := out.Flights[m.Flight-1]
			if base = starts[m.Flight]; f.From != m.From || m.Packets > f.Packets {
				tb.Errorf("%+v in flight %+v", m, f)
			}
		}
		if want := touched(t.Entries[i].Start-base, t.Entries[i].End-base, mss); m.Packets != want {
			tb.Errorf("%s: %d packets, want %d", m.Name, m.Packets, want)
		}
	}
}

// startsOf is where each flight starts in the stream of its sender.
func startsOf(t *transcript.Transcript, out *result.Transcript) map[int]int {
	starts := map[int]int{}
	for i, m := range out.Messages {
		if at, ok := starts[m.Flight]; !ok || t.Entries[i].Start < at {
			starts[m.Flight] = t.Entries[i].Start
		}
	}
	return starts
}

// touched counts packets one by one.
func touched(start, end, mss int) (n int) {
	for at := 0; at < end; at += mss {
		if at+mss > start {
			n++
		}
	}
	return n
}

func checkHello(tb testing.TB, out *result.Transcript, mss int) {
	tb.Helper()
	if out.Hello == nil || out.Fit == nil {
		return
	}
	sum := out.Hello.Other
	for _, ext := range out.Hello.Extensions {
		parts := 0
		for _, p := range ext.Parts {
			parts += p.Bytes
		}
		if sum += ext.Bytes; parts > ext.Bytes-4 {
			tb.Errorf("%s: parts of %d in %d bytes", ext.Name, parts, ext.Bytes)
		}
	}
	if sum != out.Wire.ClientHello.Message || out.Hello.Other < 41 {
		tb.Errorf("parts of the ClientHello add up to %d of %d bytes", sum, out.Wire.ClientHello.Message)
	}
	f := out.Fit
	if f.Bytes != out.Wire.ClientHello.Record || f.Spare != mss-f.Bytes || f.MSS != mss || f.Label != result.Composed {
		tb.Errorf("fit %+v", f)
	}
	for _, w := range f.Ways {
		if w.Saves <= 0 || w.Saves+w.Bytes != f.Bytes || w.Fits != (w.Bytes <= mss) || w.Price == "" {
			tb.Errorf("way %+v", w)
		}
	}
	if f.Spare >= 0 && len(f.Enough) > 0 {
		tb.Errorf("it fits, yet %q is to be done", f.Enough)
	}
}

// checkSums holds flights and row together, for a handshake that was read whole.
func checkSums(tb testing.TB, out *result.Transcript) {
	tb.Helper()
	bytes, packets := map[string]int{}, map[string]int{}
	for _, f := range out.Flights {
		bytes[f.From] += f.Bytes
		packets[f.From] += f.Packets
	}
	w := out.Wire
	if bytes["client"] != w.ClientBytes || bytes["server"] != w.ServerBytes {
		tb.Errorf("flights have %v bytes, the row %d and %d", bytes, w.ClientBytes, w.ServerBytes)
	}
	if packets["client"] != w.ClientPackets || packets["server"] != w.ServerPackets {
		tb.Errorf("flights have %v packets, the row %d and %d", packets, w.ClientPackets, w.ServerPackets)
	}
	if len(out.Warnings) > 0 || out.Problem != "" {
		tb.Errorf("warnings %q, problem %q", out.Warnings, out.Problem)
	}
}

func way(tb testing.TB, out *result.Transcript, name string) result.Way {
	tb.Helper()
	for _, w := range out.Fit.Ways {
		if w.Name == name {
			return w
		}
	}
	tb.Fatalf("no way %q among %+v", name, out.Fit.Ways)
	return result.Way{}
}

// flightsAndNames prints the messages as "1 client ClientHello".
func flightsAndNames(out *result.Transcript) string {
	var b strings.Builder
	for _, m := range out.Messages {
		b.WriteString(string(rune('0'+m.Flight)) + " " + m.From + " " + m.Name + "\n")
	}
	return b.String()
}
