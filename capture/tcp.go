package capture

import (
	"encoding/binary"
	"fmt"
	"io"
	"net/netip"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"shakedown/wire/transcript"
)

// WriteTCP writes a conversation as a pcapng file (draft-ietf-opsawg-pcapng) of
// raw IP packets with times in nanoseconds. Nothing is retransmitted, lost or
// reordered: the client opens and, once both have said all, closes first; each
// chunk is cut at the MSS; the other side acknowledges every second segment (RFC
// 9293 3.8.6.3) and the end of a chunk. Sequence numbers begin at 0, so the first
// byte of either stream has number 1. A packet has the time of the chunk that it
// belongs to; what opens and closes has the times of beginning and end.
//
// With the key log of either endpoint Wireshark decrypts the file. It finds TLS by
// itself unless it gives one of the ports to another protocol, as it does with
// 8080; then it must be told: tshark -d tcp.port==8080,tls.
//
// Errors are those of a conversation or options that cannot be written, before
// anything is, and those of w.
func WriteTCP(w io.Writer, c Conversation, o Options) error {
	if err := write(w, c, o); err != nil {
		return fmt.Errorf("capture: %w", err)
	}
	return nil
}

func write(w io.Writer, c Conversation, o Options) error {
	if err := c.check(); err != nil {
		return err
	}
	ends := c.ends()
	mss, err := o.mss(ends[0].Addr().Is4())
	if err != nil {
		return err
	}
	out, err := newWriter(w, "relay", o.comment(mss))
	if err != nil {
		return err
	}
	f := flow{out: out, buf: gopacket.NewSerializeBuffer(), mss: mss, ends: [2]end{{AddrPort: ends[0]}, {AddrPort: ends[1]}}}
	f.write(c)
	if f.err != nil {
		return f.err
	}
	return out.Flush()
}

// newWriter begins the file. The packets have no link layer: nothing is known of it.
func newWriter(w io.Writer, point, comment string) (*pcapgo.NgWriter, error) {
	return pcapgo.NewNgWriterInterface(w,
		pcapgo.NgInterface{Name: point, LinkType: layers.LinkTypeRaw},
		pcapgo.NgWriterOptions{SectionInfo: pcapgo.NgSectionInfo{Application: "shakedown", Comment: comment}})
}

// flow turns byte streams into packets, one at a time.
type flow struct {
	out  *pcapgo.NgWriter
	buf  gopacket.SerializeBuffer
	ends [2]end
	mss  int
	err  error // the first; nothing is written after it
}

// end is one side of a flow.
type end struct {
	netip.AddrPort
	next    uint32 // sequence number of what it sends next
	pending int    // segments that it has not acknowledged
}

func (f *flow) write(c Conversation) {
	const client, server = transcript.Client, transcript.Server
	f.send(client, c.Began, layers.TCP{SYN: true, Options: f.options()}, nil)
	f.send(server, c.Began, layers.TCP{SYN: true, ACK: true, Options: f.options()}, nil)
	f.send(client, c.Began, layers.TCP{ACK: true}, nil)
	for _, chunk := range c.Chunks {
		f.chunk(chunk.From, c.Began.Add(chunk.Time), chunk.Data)
	}
	closed := c.Began.Add(c.end())
	f.send(client, closed, layers.TCP{FIN: true, ACK: true}, nil)
	f.send(server, closed, layers.TCP{FIN: true, ACK: true}, nil)
	f.send(client, closed, layers.TCP{ACK: true}, nil)
}

// windowScale makes the window of 65,535 units one of 8 MB, so that it is never
// full (RFC 7323 2).
const windowScale = 7

// options are those of a SYN.
func (f *flow) options() []layers.TCPOption {
	return []layers.TCPOption{
		{OptionType: layers.TCPOptionKindMSS, OptionData: binary.BigEndian.AppendUint16(nil, uint16(f.mss))},
		{OptionType: layers.TCPOptionKindNop},
		{OptionType: layers.TCPOptionKindWindowScale, OptionData: []byte{windowScale}},
	}
}

// chunk sends the bytes of a chunk and what acknowledges them.
func (f *flow) chunk(from transcript.Side, at time.Time, data []byte) {
	to := 1 - from
	for len(data) > 0 && f.err == nil {
		n := min(f.mss, len(data))
		f.send(from, at, layers.TCP{ACK: true, PSH: n == len(data)}, data[:n])
		data = data[n:]
		if f.ends[to].pending == 2 || len(data) == 0 {
			f.send(to, at, layers.TCP{ACK: true}, nil)
		}
	}
}

// send writes one packet, whose flags and options are set.
func (f *flow) send(from transcript.Side, at time.Time, tcp layers.TCP, data []byte) {
	if f.err != nil {
		return
	}
	source, to := &f.ends[from], &f.ends[1-from]
	tcp.SrcPort, tcp.DstPort = layers.TCPPort(source.Port()), layers.TCPPort(to.Port())
	tcp.Seq, tcp.Window = source.next, 65535
	if tcp.ACK {
		tcp.Ack = to.next
	}
	source.next += uint32(len(data))
	if tcp.SYN || tcp.FIN {
		source.next++
	}
	source.pending = 0
	if len(data) > 0 {
		to.pending++
	}
	f.err = f.packet(at, network(source.Addr(), to.Addr()), &tcp, data)
}

// packet puts the layers together and adds them to the file.
func (f *flow) packet(at time.Time, ip networkLayer, tcp *layers.TCP, data []byte) error {
	if err := tcp.SetNetworkLayerForChecksum(ip); err != nil {
		return err
	}
	options := gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}
	if err := gopacket.SerializeLayers(f.buf, options, ip, tcp, gopacket.Payload(data)); err != nil {
		return err
	}
	packet := f.buf.Bytes()
	return f.out.WritePacket(gopacket.CaptureInfo{Timestamp: at, CaptureLength: len(packet), Length: len(packet)}, packet)
}

// networkLayer is IPv4 or IPv6.
type networkLayer interface {
	gopacket.NetworkLayer
	gopacket.SerializableLayer
}

const hopLimit = 64

// network returns the IP header; both addresses are of one family. A packet that
// must not be fragmented needs no identification (RFC 6864 4.1).
func network(from, to netip.Addr) networkLayer {
	if from.Is4() {
		return &layers.IPv4{
			Version: 4, Flags: layers.IPv4DontFragment, TTL: hopLimit, Protocol: layers.IPProtocolTCP,
			SrcIP: from.AsSlice(), DstIP: to.AsSlice(),
		}
	}
	return &layers.IPv6{
		Version: 6, HopLimit: hopLimit, NextHeader: layers.IPProtocolTCP,
		SrcIP: from.AsSlice(), DstIP: to.AsSlice(),
	}
}
