package packet

import (
	"bytes"
	"fmt"
	"net"
	"net/netip"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
)

// ip is a header of IPv4 or IPv6.
type ip interface {
	gopacket.NetworkLayer
	gopacket.SerializableLayer
}

func ip4(protocol layers.IPProtocol, options ...layers.IPv4Option) *layers.IPv4 {
	return &layers.IPv4{
		Version: 4, TTL: 64, Protocol: protocol, Options: options,
		SrcIP: net.IPv4(192, 0, 2, 1).To4(), DstIP: net.IPv4(198, 51, 100, 2).To4(),
	}
}

func ip6(protocol layers.IPProtocol) *layers.IPv6 {
	return &layers.IPv6{
		Version: 6, HopLimit: 64, NextHeader: protocol,
		SrcIP: net.ParseIP("2001:db8::1"), DstIP: net.ParseIP("2001:db8::2"),
	}
}

// serialised puts layers together, lengths and checksums as they must be.
func serialised(tb testing.TB, parts ...gopacket.SerializableLayer) []byte {
	tb.Helper()
	if network, ok := parts[0].(ip); ok {
		for _, p := range parts {
			if t, ok := p.(interface {
				SetNetworkLayerForChecksum(gopacket.NetworkLayer) error
			}); ok {
				_ = t.SetNetworkLayerForChecksum(network)
			}
		}
	}
	buf := gopacket.NewSerializeBuffer()
	if err := gopacket.SerializeLayers(buf, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}, parts...); err != nil {
		tb.Fatal(err)
	}
	return bytes.Clone(buf.Bytes())
}

func tcp(flags uint8, options ...layers.TCPOption) *layers.TCP {
	return &layers.TCP{
		SrcPort: 50123, DstPort: 4434, Seq: 0xfedcba98, Ack: 0x01234567, Window: 1000, Options: options,
		FIN: flags&FIN != 0, SYN: flags&SYN != 0, RST: flags&RST != 0, PSH: flags&PSH != 0, ACK: flags&ACK != 0,
	}
}

func udp() *layers.UDP { return &layers.UDP{SrcPort: 50123, DstPort: 4434} }

// sound are packets that can be read.
func sound(tb testing.TB) map[string][]byte {
	text := gopacket.Payload("sixteen bytes ab")
	mss := layers.TCPOption{OptionType: layers.TCPOptionKindMSS, OptionData: []byte{5, 180}}
	scale := layers.TCPOption{OptionType: layers.TCPOptionKindWindowScale, OptionData: []byte{7}}
	router := layers.IPv4Option{OptionType: 148, OptionLength: 4, OptionData: []byte{0, 0}}
	out := map[string][]byte{
		"IPv4 with options, TCP": serialised(tb, ip4(layers.IPProtocolTCP, router, router), tcp(ACK), text),
		"IPv4 with options, UDP": serialised(tb, ip4(layers.IPProtocolUDP, router), udp(), text),
		"link padding":           append(serialised(tb, ip4(layers.IPProtocolTCP), tcp(ACK)), 0, 0, 0, 0, 0, 0),
	}
	for name, network := range map[string]func(layers.IPProtocol) ip{
		"IPv4": func(p layers.IPProtocol) ip { return ip4(p) },
		"IPv6": func(p layers.IPProtocol) ip { return ip6(p) },
	} {
		out[name+", SYN with options"] = serialised(tb, network(layers.IPProtocolTCP), tcp(SYN, mss, scale))
		out[name+", SYN ACK"] = serialised(tb, network(layers.IPProtocolTCP), tcp(SYN|ACK, mss))
		out[name+", data"] = serialised(tb, network(layers.IPProtocolTCP), tcp(ACK|PSH), text)
		out[name+", data with options"] = serialised(tb, network(layers.IPProtocolTCP), tcp(ACK, scale), text)
		out[name+", FIN"] = serialised(tb, network(layers.IPProtocolTCP), tcp(FIN|ACK))
		out[name+", RST"] = serialised(tb, network(layers.IPProtocolTCP), tcp(RST))
		out[name+", UDP"] = serialised(tb, network(layers.IPProtocolUDP), udp(), text)
		out[name+", UDP without payload"] = serialised(tb, network(layers.IPProtocolUDP), udp())
	}
	return out
}

// reference is what gopacket reads out of a packet.
func reference(t *testing.T, b []byte) Packet {
	t.Helper()
	first := gopacket.Decoder(layers.LayerTypeIPv4)
	if b[0]>>4 == 6 {
		first = layers.LayerTypeIPv6
	}
	p := gopacket.NewPacket(b, first, gopacket.DecodeStreamsAsDatagrams)
	if p.ErrorLayer() != nil || p.TransportLayer() == nil {
		t.Fatalf("gopacket does not read it: %v", p.ErrorLayer())
	}
	from, to := p.NetworkLayer().NetworkFlow().Endpoints()
	address := func(ip gopacket.Endpoint, port uint16) netip.AddrPort {
		a, _ := netip.AddrFromSlice(ip.Raw())
		return netip.AddrPortFrom(a, port)
	}
	out := Packet{Payload: p.TransportLayer().LayerPayload()}
	switch t := p.TransportLayer().(type) {
	case *layers.TCP:
		out.Protocol, out.Seq, out.Ack = TCP, t.Seq, t.Ack
		out.From, out.To = address(from, uint16(t.SrcPort)), address(to, uint16(t.DstPort))
		for flag, set := range map[uint8]bool{FIN: t.FIN, SYN: t.SYN, RST: t.RST, PSH: t.PSH, ACK: t.ACK} {
			if set {
				out.Flags |= flag
			}
		}
	case *layers.UDP:
		out.Protocol = UDP
		out.From, out.To = address(from, uint16(t.SrcPort)), address(to, uint16(t.DstPort))
	}
	return out
}

// said is a packet in words, payload and all.
func said(p Packet) string {
	return fmt.Sprintf("%d %s %s %x %x %05b %q", p.Protocol, p.From, p.To, p.Seq, p.Ack, p.Flags, p.Payload)
}

// What is read is what gopacket reads.
func TestSameAsGopacket(t *testing.T) {
	for name, b := range sound(t) {
		got, ok := Parse(b)
		if want := said(reference(t, b)); !ok || said(got) != want {
			t.Errorf("%s: %v %s, want %s", name, ok, said(got), want)
		}
		for _, flag := range []uint8{FIN, SYN, RST, PSH, ACK} {
			if got.Has(flag) != (got.Flags&flag != 0) {
				t.Errorf("%s: flag %d of %05b", name, flag, got.Flags)
			}
		}
	}
}

// A packet that was cut anywhere is refused; padding that was cut is none of it.
func TestTruncated(t *testing.T) {
	for name, b := range sound(t) {
		if name == "link padding" {
			continue
		}
		for n := range b {
			if p, ok := Parse(b[:n]); ok {
				t.Errorf("%s: %d of %d bytes are read as %s", name, n, len(b), said(p))
			}
		}
	}
}

// changed is a packet with other bytes at a place.
func changed(b []byte, at int, to ...byte) []byte {
	out := bytes.Clone(b)
	copy(out[at:], to)
	return out
}

// What is no whole packet of TCP or UDP is refused.
func TestRefused(t *testing.T) {
	text := gopacket.Payload("sixteen bytes ab")
	tcp4, tcp6 := serialised(t, ip4(layers.IPProtocolTCP), tcp(ACK), text), serialised(t, ip6(layers.IPProtocolTCP), tcp(ACK), text)
	udp4 := serialised(t, ip4(layers.IPProtocolUDP), udp(), text)
	for name, b := range map[string][]byte{
		"nothing":                             {},
		"version 0":                           changed(tcp4, 0, 0x05),
		"version 5":                           changed(tcp4, 0, 0x55),
		"first fragment":                      changed(tcp4, 6, 0x20, 0),
		"later fragment":                      changed(tcp4, 6, 0, 1),
		"fragment far behind":                 changed(tcp4, 6, 0x10, 0),
		"header of 16 bytes":                  changed(tcp4, 0, 0x44),
		"header longer than the packet":       changed(tcp4, 2, 0, 24, 0, 0, 0, 0, 64, 6)[:24],
		"total length below the header":       changed(tcp4, 2, 0, 19),
		"total length beyond the packet":      changed(tcp4, 2, 0, byte(len(tcp4)+1)),
		"total length that cuts TCP":          changed(tcp4, 2, 0, 39),
		"payload length beyond the packet":    changed(tcp6, 4, 0, byte(len(tcp6)-40+1)),
		"payload length that cuts TCP":        changed(tcp6, 4, 0, 19),
		"payload length 0":                    changed(tcp6, 4, 0, 0),
		"TCP header of 16 bytes":              changed(tcp4, 20+12, 0x40),
		"TCP header longer than the packet":   changed(tcp4, 20+12, 0xf0),
		"UDP length below its header":         changed(udp4, 20+4, 0, 7),
		"UDP length beyond the packet":        changed(udp4, 20+4, 0, 25),
		"ICMP":                                changed(tcp4, 9, 1),
		"ICMPv6":                              changed(tcp6, 6, 58),
		"IPv6 with hop-by-hop options":        changed(tcp6, 6, 0),
		"IPv6 fragment":                       changed(tcp6, 6, 44),
		"UDP, which a TCP header is not":      changed(tcp4, 9, 17),
		"IPv6 header with nothing behind it":  tcp6[:40],
		"IPv4 header of 60 bytes, 20 of them": changed(tcp4, 0, 0x4f)[:20],
	} {
		if p, ok := Parse(b); ok {
			t.Errorf("%s: read as %s", name, said(p))
		}
	}
	if _, ok := Parse(changed(tcp4, 6, 0x40, 0)); !ok {
		t.Error("don't fragment is no fragment")
	}
	if got, ok := Parse(changed(udp4, 20+4, 0, 12)); !ok || string(got.Payload) != "sixt" {
		t.Errorf("UDP that is shorter than IP says: %v %q", ok, got.Payload)
	}
}

// Whatever comes, the payload is a part of it that ends with the packet at the latest.
func FuzzParse(f *testing.F) {
	for _, b := range sound(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, ok := Parse(b)
		if !ok {
			return
		}
		if p.Protocol != TCP && p.Protocol != UDP || !p.From.IsValid() || !p.To.IsValid() {
			t.Errorf("read as %s", said(p))
		}
		if len(p.Payload) > len(b)-header4-headerUDP {
			t.Fatalf("payload of %d bytes in a packet of %d", len(p.Payload), len(b))
		}
		if !within(b, p.Payload) {
			t.Error("the payload lies outside the packet")
		}
	})
}

// within tells whether one slice is a part of the memory of another.
func within(b, part []byte) bool {
	if len(part) == 0 {
		return true
	}
	for i := range b {
		if &b[i] == &part[0] {
			return len(part) <= len(b)-i
		}
	}
	return false
}
