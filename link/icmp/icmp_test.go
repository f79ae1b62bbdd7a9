package icmp

import (
	"bytes"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
)

// packet makes a packet of UDP with so much payload.
func packet(t *testing.T, family, payload int) []byte {
	t.Helper()
	buf := gopacket.NewSerializeBuffer()
	var ip gopacket.SerializableLayer = &layers.IPv4{Version: 4, TTL: 9, Protocol: layers.IPProtocolUDP, SrcIP: []byte{10, 0, 0, 1}, DstIP: []byte{10, 0, 0, 2}}
	if family == 6 {
		ip = &layers.IPv6{
			Version: 6, HopLimit: 9, NextHeader: layers.IPProtocolUDP,
			SrcIP: append(bytes.Repeat([]byte{1}, 15), 1), DstIP: append(bytes.Repeat([]byte{1}, 15), 2),
		}
	}
	err := gopacket.SerializeLayers(buf, gopacket.SerializeOptions{FixLengths: true}, ip,
		&layers.UDP{SrcPort: 5000, DstPort: 443}, gopacket.Payload(make([]byte, payload)))
	if err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// TestTooBig: an independent decoder reads the message, its checksums are those that
// it would write itself, it goes back to the sender, and quotes the packet.
func TestTooBig(t *testing.T) {
	for _, payload := range []int{1, 100, 501, 1400} {
		for family, first := range map[int]gopacket.LayerType{4: layers.LayerTypeIPv4, 6: layers.LayerTypeIPv6} {
			sent := packet(t, family, payload)
			got := TooBig(sent, 1280)
			decoded := gopacket.NewPacket(got, first, gopacket.Default)
			if fail := decoded.ErrorLayer(); fail != nil {
				t.Fatal(fail.Error())
			}
			back := decoded.NetworkLayer().NetworkFlow()
			if forth := gopacket.NewPacket(sent, first, gopacket.Default).NetworkLayer().NetworkFlow(); back != forth.Reverse() {
				t.Errorf("IPv%d: from and to %v", family, back)
			}
			if !bytes.Equal(got, rewritten(t, decoded)) {
				t.Errorf("IPv%d, %d bytes: lengths or checksums are wrong", family, payload)
			}
			quote := got[len(got)-min(len(sent), 500):]
			if !bytes.Contains(sent, quote[:28]) || len(got) > 1280 {
				t.Errorf("IPv%d: %d bytes quote something else", family, len(got))
			}
		}
	}
}

// rewritten writes the message again, with lengths and checksums worked out anew.
func rewritten(t *testing.T, p gopacket.Packet) []byte {
	t.Helper()
	buf := gopacket.NewSerializeBuffer()
	options := gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}
	var err error
	if m, ok := p.Layer(layers.LayerTypeICMPv4).(*layers.ICMPv4); ok {
		if m.TypeCode != layers.CreateICMPv4TypeCode(layers.ICMPv4TypeDestinationUnreachable, layers.ICMPv4CodeFragmentationNeeded) || m.Seq != 1280 {
			t.Errorf("%v, next hop's MTU %d", m.TypeCode, m.Seq)
		}
		err = gopacket.SerializeLayers(buf, options, p.NetworkLayer().(*layers.IPv4), m, gopacket.Payload(m.Payload))
	} else {
		m := p.Layer(layers.LayerTypeICMPv6).(*layers.ICMPv6)
		if m.TypeCode.Type() != layers.ICMPv6TypePacketTooBig || !bytes.Equal(m.Payload[:4], []byte{0, 0, 5, 0}) {
			t.Errorf("%v, %x", m.TypeCode, m.Payload[:4])
		}
		ip := p.NetworkLayer().(*layers.IPv6)
		if err := m.SetNetworkLayerForChecksum(ip); err != nil {
			t.Fatal(err)
		}
		err = gopacket.SerializeLayers(buf, options, ip, m, gopacket.Payload(m.Payload))
	}
	if err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// TestNoPacket: what is no packet is not answered.
func TestNoPacket(t *testing.T) {
	for _, b := range [][]byte{nil, {0x45}, make([]byte, 100), make([]byte, 19)} {
		if got := TooBig(b, 1280); got != nil {
			t.Errorf("%x is answered", b)
		}
	}
}
