package capture

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"shakedown/wire/transcript"
)

var began = time.Date(2026, 11, 30, 12, 0, 0, 123456789, time.UTC)

// empty is a conversation without a byte, of IPv4 or IPv6.
func empty(ip6 bool) Conversation {
	client, server := "192.0.2.1:50123", "198.51.100.2:4434"
	if ip6 {
		client, server = "[2001:db8::1]:50123", "[2001:db8::2]:4434"
	}
	return Conversation{
		Client: netip.MustParseAddrPort(client), Server: netip.MustParseAddrPort(server),
		Began: began, Ended: 5 * time.Second,
	}
}

// talk is a conversation of random bytes: chunks of the sizes, from each side.
func talk(ip6 bool, sizes ...int) Conversation {
	c := empty(ip6)
	random := rand.NewChaCha8([32]byte{})
	for i, size := range sizes {
		for from := range transcript.Server + 1 {
			data := make([]byte, size)
			_, _ = random.Read(data)
			c.Chunks = append(c.Chunks, transcript.Chunk{From: from, Time: time.Duration(1001*len(c.Chunks) + i), Data: data})
		}
	}
	return c
}

func written(t *testing.T, c Conversation, o Options) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := WriteTCP(&file, c, o); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// packet is one packet out of a file.
type packet struct {
	layers.TCP
	from transcript.Side
	at   time.Duration
}

// packets reads a file and checks the checksums, lengths and addresses of its
// packets.
func packets(t *testing.T, file []byte, c Conversation) []packet {
	t.Helper()
	reader := open(t, file)
	var all []packet
	for {
		data, info, err := reader.ReadPacketData()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		p := gopacket.NewPacket(data, reader.LinkType(), gopacket.DecodeStreamsAsDatagrams)
		tcp, ok := p.TransportLayer().(*layers.TCP)
		if !ok || p.Metadata().Truncated {
			t.Fatalf("no whole TCP segment: %v", p)
		}
		if err := tcp.SetNetworkLayerForChecksum(p.NetworkLayer()); err != nil {
			t.Fatal(err)
		}
		if err, wrong := p.VerifyChecksums(); err != nil || len(wrong) != 0 {
			t.Fatalf("checksums of %v: %v, %v", p, wrong, err)
		}
		all = append(all, packet{*tcp, sender(t, p, tcp, c), info.Timestamp.Sub(c.Began)})
	}
}

func open(t *testing.T, file []byte) *pcapgo.NgReader {
	t.Helper()
	reader, err := pcapgo.NewNgReader(bytes.NewReader(file), pcapgo.DefaultNgReaderOptions)
	if err != nil {
		t.Fatal(err)
	}
	return reader
}

func sender(t *testing.T, p gopacket.Packet, tcp *layers.TCP, c Conversation) transcript.Side {
	t.Helper()
	flow := p.NetworkLayer().NetworkFlow()
	source, _ := netip.AddrFromSlice(flow.Src().Raw())
	to, _ := netip.AddrFromSlice(flow.Dst().Raw())
	got := [2]netip.AddrPort{netip.AddrPortFrom(source, uint16(tcp.SrcPort)), netip.AddrPortFrom(to, uint16(tcp.DstPort))}
	want := c.ends()
	switch {
	case got == want:
		return transcript.Client
	case got[0] == want[1] && got[1] == want[0]:
		return transcript.Server
	}
	t.Fatalf("a packet from %s to %s", got[0], got[1])
	return 0
}

// follow checks numbers and times of packets, as a receiver would, and returns the
// streams.
func follow(t *testing.T, all []packet, c Conversation, mss int) (streams [2][]byte) {
	t.Helper()
	var next, acked [2]uint32
	pending := 0
	window := uint32(all[0].Window) << all[0].Options[2].OptionData[0]
	for i, p := range all {
		to := 1 - p.from
		if p.Seq != next[p.from] || p.ACK && p.Ack != next[to] {
			t.Fatalf("packet %d: sequence %d and acknowledgement %d, want %d and %d", i, p.Seq, p.Ack, next[p.from], next[to])
		}
		if len(p.Payload) > mss {
			t.Fatalf("packet %d holds %d bytes, the MSS is %d", i, len(p.Payload), mss)
		}
		if len(p.Payload) > 0 {
			pending++
			streams[p.from] = append(streams[p.from], p.Payload...)
		} else {
			if pending == 1 && !all[i-1].PSH {
				t.Fatalf("packet %d: acknowledges a single segment in the middle of a chunk", i)
			}
			pending = 0
		}
		if pending > 2 {
			t.Fatalf("packet %d: a third segment without acknowledgement", i)
		}
		acked[to] = p.Ack
		next[p.from] += uint32(len(p.Payload))
		if inFlight := next[p.from] - acked[p.from]; inFlight > window {
			t.Fatalf("packet %d: %d bytes in flight, the window is %d", i, inFlight, window)
		}
		if p.SYN || p.FIN {
			next[p.from]++
		}
	}
	for side := range streams {
		if !bytes.Equal(streams[side], c.stream(transcript.Side(side))) {
			t.Errorf("the %s's stream is not the recorded one", transcript.Side(side))
		}
	}
	return streams
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	sizes := []int{1, 0, 1459, 1460, 1461, 2920, 1 << 20, 7}
	for _, ip6 := range []bool{false, true} {
		for _, mss := range []int{0, 53, 1200, MaxMSS} {
			c := talk(ip6, sizes...)
			limit := mss
			if mss == 0 {
				limit = 1460
				if ip6 {
					limit = 1440
				}
			}
			all := packets(t, written(t, c, Options{MSS: mss}), c)
			follow(t, all, c, limit)
			opened(t, all, limit)
			closed(t, all, c)
			timed(t, all, c)
		}
	}
	c := talk(false, 100)
	follow(t, packets(t, written(t, c, Options{MSS: 1}), c), c, 1)
}

// opened checks the three packets that open.
func opened(t *testing.T, all []packet, mss int) {
	t.Helper()
	if !all[0].SYN || all[0].ACK || !all[1].SYN || !all[1].ACK || all[2].SYN || !all[2].ACK ||
		all[0].from != transcript.Client || all[1].from != transcript.Server || all[2].from != transcript.Client {
		t.Fatal("the connection is not opened by SYN, SYN and ACK, ACK")
	}
	for _, p := range all[:2] {
		if value := p.Options[0].OptionData; int(value[0])<<8|int(value[1]) != mss {
			t.Errorf("the MSS option says %v, want %d", value, mss)
		}
	}
	for i, p := range all[:3] {
		if p.at != 0 {
			t.Errorf("packet %d is %s after the beginning", i, p.at)
		}
	}
}

// closed checks the three packets that close.
func closed(t *testing.T, all []packet, c Conversation) {
	t.Helper()
	last := all[len(all)-3:]
	if !last[0].FIN || !last[1].FIN || last[2].FIN || last[0].from != transcript.Client || last[1].from != transcript.Server {
		t.Error("the connection is not closed from both sides")
	}
	for _, p := range last {
		if p.at != c.Ended {
			t.Errorf("closed after %s, want %s", p.at, c.Ended)
		}
	}
}

// timed checks that each segment has the time of its chunk, and that a chunk ends
// with PSH.
func timed(t *testing.T, all []packet, c Conversation) {
	t.Helper()
	i := 0
	for _, chunk := range c.Chunks {
		for n := 0; n < len(chunk.Data); i++ {
			p := all[3+i]
			n += len(p.Payload)
			if p.at != chunk.Time {
				t.Fatalf("packet %d is %s after the beginning, its chunk %s", 3+i, p.at, chunk.Time)
			}
			if len(p.Payload) > 0 && p.PSH != (n == len(chunk.Data)) {
				t.Fatalf("packet %d: PSH is %t after %d of %d bytes", 3+i, p.PSH, n, len(chunk.Data))
			}
		}
		if len(chunk.Data) > 0 {
			i++ // its last acknowledgement
		}
	}
}

func TestEmptyConversation(t *testing.T) {
	for _, ip6 := range []bool{false, true} {
		c := empty(ip6)
		all := packets(t, written(t, c, Options{}), c)
		if len(all) != 6 {
			t.Errorf("%d packets, want 6", len(all))
		}
		follow(t, all, c, 0)
		closed(t, all, c)
	}
}

// The file says of itself what it is.
func TestComment(t *testing.T) {
	reader := open(t, written(t, talk(false, 10), Options{MSS: 1234, Command: "shakedown trace go openssl"}))
	info := reader.SectionInfo()
	if info.Application != "shakedown" || !strings.HasPrefix(info.Comment, "shakedown trace go openssl: composed from") ||
		!strings.Contains(info.Comment, "MSS 1234") {
		t.Errorf("%+v", info)
	}
	if relay, err := reader.Interface(0); err != nil || relay.TimestampResolution != 9 || relay.LinkType != layers.LinkTypeRaw {
		t.Errorf("interface %+v, %v", relay, err)
	}
	long := open(t, written(t, empty(false), Options{Command: strings.Repeat("é\xff", 1<<16)})).SectionInfo()
	if len(long.Comment) > 1<<14 || !strings.Contains(long.Comment, "...: composed") || strings.ToValidUTF8(long.Comment, "") != long.Comment {
		t.Errorf("the comment of a long command has %d bytes", len(long.Comment))
	}
}

// A connection from IPv4 to IPv6 through the relay is written in one family.
func TestTwoFamilies(t *testing.T) {
	c := talk(true, 3000)
	c.Client = netip.MustParseAddrPort("127.0.0.1:40000")
	follow(t, packets(t, written(t, c, Options{}), c), c, 1440)
	if got := c.ends()[0].String(); got != "[::ffff:127.0.0.1]:40000" {
		t.Error(got)
	}
	c.Server = netip.MustParseAddrPort("[::ffff:192.0.2.1%eth0]:443")
	follow(t, packets(t, written(t, c, Options{}), c), c, 1460)
}

// An end before the last chunk is none.
func TestEndIsNotBeforeTheLastChunk(t *testing.T) {
	c := talk(false, 10)
	c.Ended = 0
	all := packets(t, written(t, c, Options{}), c)
	if got := all[len(all)-1].at; got != c.Chunks[1].Time {
		t.Errorf("closed after %s, want %s", got, c.Chunks[1].Time)
	}
}

func TestRefused(t *testing.T) {
	change := func(f func(*Conversation)) Conversation {
		c := talk(false, 10)
		f(&c)
		return c
	}
	for _, c := range []struct {
		name string
		c    Conversation
		o    Options
		want string
	}{
		{"MSS -1", talk(false, 10), Options{MSS: -1}, "an MSS of -1 bytes is not from 1 to 65495"},
		{"MSS 65496", talk(false, 10), Options{MSS: MaxMSS + 1}, "an MSS of 65496 bytes"},
		{"nothing", Conversation{}, Options{}, "the client has no address"},
		{"no server", change(func(c *Conversation) { c.Server = netip.AddrPort{} }), Options{}, "the server has no address"},
		{"itself", change(func(c *Conversation) { c.Server = c.Client }), Options{}, "are both 192.0.2.1:50123"},
		{"no begin", change(func(c *Conversation) { c.Began = time.Time{} }), Options{}, "began at 0001-01-01 00:00:00"},
		{"no side", change(func(c *Conversation) { c.Chunks[1].From = 2 }), Options{}, "chunk 1: from 2"},
		{"no time", change(func(c *Conversation) { c.Chunks[1].Time = -1 }), Options{}, "chunk 1: from 1 at -1ns"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var file bytes.Buffer
			err := WriteTCP(&file, c.c, c.o)
			if err == nil || !strings.HasPrefix(err.Error(), "capture: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if file.Len() != 0 {
				t.Errorf("%d bytes were written", file.Len())
			}
		})
	}
}

var errFull = errors.New("disk is full")

// full takes so many bytes and no more; most is the largest write it was given.
type full struct{ room, most int }

func (f *full) Write(b []byte) (int, error) {
	f.most = max(f.most, len(b))
	if f.room -= len(b); f.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// An error of the writer comes back, wherever it happens, and the file goes out
// packet by packet.
func TestWriterFails(t *testing.T) {
	c := talk(false, 10000)
	size := len(written(t, c, Options{}))
	for room := 0; room < size; room += 100 {
		if err := WriteTCP(&full{room: room}, c, Options{}); !errors.Is(err, errFull) {
			t.Fatalf("with room for %d of %d bytes: %v", room, size, err)
		}
	}
	w := full{room: 1 << 30}
	if err := WriteTCP(&w, talk(false, 1<<20), Options{}); err != nil || w.most > 8192 {
		t.Errorf("%v, a write of %d bytes", err, w.most)
	}
}
