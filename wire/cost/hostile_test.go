package cost

import (
	"encoding/json"
	"strings"
	"testing"

	"shakedown/result"
	"shakedown/wire"
	"shakedown/wire/transcript"
)

func TestNothing(t *testing.T) {
	for name, c := range map[string]transcript.Connection{
		"empty":   {},
		"no TLS":  {Chunks: []transcript.Chunk{{Data: []byte("GET / HTTP/1.1\r\n\r\n")}}},
		"server":  {Chunks: []transcript.Chunk{{From: transcript.Server, Time: 5, Data: []byte("\x15\x03\x03\x00\x02\x02\x28")}}},
		"garbled": {Chunks: []transcript.Chunk{{Data: stream([]byte("\x01\x00\x00\x02\x03\x03"), 100)}}},
	} {
		out := of(t, transcript.Read(c), MSSEthernet)
		if out.Hello != nil || out.Fit != nil || len(out.Warnings) != 1 || out.Wire.ServerPackets != 0 {
			t.Errorf("%s: %+v", name, out)
		}
		text, err := json.Marshal(out)
		if err != nil || !strings.Contains(string(text), `"flights":[`) || strings.Contains(string(text), "null") {
			t.Errorf("%s: %v %s", name, err, text)
		}
	}
}

// A ClientHello that is answered with an alert is a handshake of one flight.
func TestRefused(t *testing.T) {
	c := trace(t, "rfc8448-4.txt")
	c.Chunks = append(c.Chunks[:2:2], transcript.Chunk{From: transcript.Server, Data: []byte("\x15\x03\x03\x00\x02\x02\x28")})
	out := of(t, transcript.Read(c), MSSEthernet)
	if len(out.Flights) != 1 || out.Wire.ServerBytes != 0 || out.Wire.ServerHello != (result.Hello{}) || out.Fit == nil {
		t.Errorf("%+v", out)
	}
	alert := out.Messages[len(out.Messages)-1]
	if alert.Name != "alert handshake_failure" || alert.Flight != 0 || alert.Packets != 1 || len(out.Warnings) != 1 {
		t.Errorf("%+v, warnings %q", alert, out.Warnings)
	}
}

// Its warning before the ServerHello goes with it: a name that the server does not
// know.
func TestWarning(t *testing.T) {
	hello := wire.ServerHello{Version: wire.VersionTLS12, Random: make([]byte, 32), Suite: 0xC02B}
	c := trace(t, "rfc8448-4.txt")
	c.Chunks = append(c.Chunks[:1:1],
		transcript.Chunk{From: transcript.Server, Data: []byte("\x15\x03\x03\x00\x02\x01\x70")},
		transcript.Chunk{From: transcript.Server, Data: stream(wire.AppendMessage(nil, &hello), 500)})
	out := of(t, transcript.Read(c), MSSEthernet)
	if len(out.Flights) != 2 || out.Flights[1].Bytes != out.Wire.ServerBytes || out.Messages[1].Flight != 2 {
		t.Errorf("%+v", out.Flights)
	}
}

func TestSSLv2(t *testing.T) {
	v2 := wire.SSLv2ClientHello{Version: wire.VersionTLS10, Suites: []byte{0, 0, 0x2f}, Challenge: make([]byte, 16)}
	out := of(t, sent(v2.Append(nil)), MSSEthernet)
	if out.Hello != nil || out.Fit != nil || (out.Wire.ClientHello != result.Hello{Message: 28, Record: 30, Packets: 1}) {
		t.Errorf("%+v", out)
	}
}

// FuzzOf draws up whatever a connection can be read as. Sums hold, and the exchange
// has no more packets than bytes.
func FuzzOf(f *testing.F) {
	for _, name := range []string{"rfc8448-3.txt", "rfc8448-4.txt"} {
		c := trace(f, name)
		f.Add(sideStream(c, transcript.Client), sideStream(c, transcript.Server), uint16(100), uint16(MSSEthernet))
	}
	f.Add(stream(everything().message(), wire.MaxPlaintext), []byte{}, uint16(50), uint16(500))
	keys := trace(f, "rfc8448-4.txt").Keys
	f.Fuzz(func(t *testing.T, client, server []byte, piece, mss uint16) {
		c := transcript.Connection{Keys: keys, Limit: 1 << 16}
		for len(client)+len(server) > 0 {
			c.Chunks, client = cut(c.Chunks, transcript.Client, client, int(piece)+1)
			c.Chunks, server = cut(c.Chunks, transcript.Server, server, int(piece)+1)
		}
		out := of(t, transcript.Read(c), max(int(mss), minMSS))
		if w := out.Wire; w.ClientPackets > w.ClientBytes || w.ServerPackets > w.ServerBytes {
			t.Errorf("wire %+v", w)
		}
	})
}

func cut(chunks []transcript.Chunk, from transcript.Side, data []byte, size int) (all []transcript.Chunk, rest []byte) {
	n := min(size, len(data))
	return append(chunks, transcript.Chunk{From: from, Data: data[:n]}), data[n:]
}

func sideStream(c transcript.Connection, from transcript.Side) (b []byte) {
	for _, chunk := range c.Chunks {
		if chunk.From == from {
			b = append(b, chunk.Data...)
		}
	}
	return b
}
