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

// TestNoEcho: the message fits through the hop, however narrow that is, and where it
// does not it is not answered with another: nothing goes back and forth for ever.
func TestNoEcho(t *testing.T) {
	for family, mtus := range map[int][]int{4: {68, 100, 575, 576, 1400}, 6: {1280, 1400}} {
		for _, mtu := range mtus {
			word := TooBig(packet(t, family, 1401), mtu)
			if len(word) == 0 || len(word) > mtu {
				t.Errorf("IPv%d: %d bytes for a hop of %d", family, len(word), mtu)
			}
			if again := TooBig(word, mtu); again != nil {
				t.Errorf("IPv%d: an error is answered with %x", family, again)
			}
		}
	}
}

// FuzzTooBig: nothing that claims to be a packet makes it panic or answer an answer.
func FuzzTooBig(f *testing.F) {
	f.Add([]byte{4<<4 | 5, 0, 0, 20, 0, 0, 0, 0, 64, 1, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2}, 68)
	f.Add(append([]byte{6 << 4, 0, 0, 0, 0, 1, 58}, make([]byte, 40)...), 1280)
	f.Fuzz(func(t *testing.T, b []byte, mtu int) {
		if word := TooBig(b, mtu); word != nil && TooBig(word, mtu) != nil {
			t.Error("an error is answered with an error")
		}
	})
}
