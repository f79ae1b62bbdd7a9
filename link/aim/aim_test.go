package aim

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"shakedown/link/packet"
	"shakedown/link/profile"
	"shakedown/pki"
	"shakedown/wire"
	"shakedown/wire/dtls"
)

// segment makes a packet of TCP over IPv4 or IPv6 as far as it is read.
func segment(from, to netip.AddrPort, seq, ack uint32, flags uint8, payload []byte) []byte {
	tcp := make([]byte, 20, 20+len(payload))
	binary.BigEndian.PutUint16(tcp, from.Port())
	binary.BigEndian.PutUint16(tcp[2:], to.Port())
	binary.BigEndian.PutUint32(tcp[4:], seq)
	binary.BigEndian.PutUint32(tcp[8:], ack)
	tcp[12], tcp[13] = 5<<4, flags
	return ip(from, to, packet.TCP, append(tcp, payload...))
}

func datagram(from, to netip.AddrPort, payload []byte) []byte {
	udp := make([]byte, 8, 8+len(payload))
	binary.BigEndian.PutUint16(udp, from.Port())
	binary.BigEndian.PutUint16(udp[2:], to.Port())
	binary.BigEndian.PutUint16(udp[4:], uint16(8+len(payload)))
	return ip(from, to, packet.UDP, append(udp, payload...))
}

func ip(from, to netip.AddrPort, protocol packet.Protocol, payload []byte) []byte {
	if from.Addr().Is6() {
		h := make([]byte, 40, 40+len(payload))
		h[0], h[6] = 6<<4, byte(protocol)
		binary.BigEndian.PutUint16(h[4:], uint16(len(payload)))
		copy(h[8:], from.Addr().AsSlice())
		copy(h[24:], to.Addr().AsSlice())
		return append(h, payload...)
	}
	h := make([]byte, 20, 20+len(payload))
	h[0], h[9] = 4<<4|5, byte(protocol)
	binary.BigEndian.PutUint16(h[2:], uint16(20+len(payload)))
	copy(h[12:], from.Addr().AsSlice())
	copy(h[16:], to.Addr().AsSlice())
	return append(h, payload...)
}

// talk is one TCP connection whose packets an aim sees.
type talk struct {
	aim  *Aim
	ends [2]netip.AddrPort
	next [2]uint32
}

func newTalk(a *Aim, client, server string) *talk {
	t := &talk{a, [2]netip.AddrPort{netip.MustParseAddrPort(client), netip.MustParseAddrPort(server)}, [2]uint32{1<<32 - 100, 77}}
	return t
}

// send sends payload from a side at a place of its stream; what was it drops.
func (t *talk) at(side, start int, payload []byte) bool {
	const origin = 1<<32 - 100 // so that numbers wrap
	return t.aim.Drop(side == 1, segment(t.ends[side], t.ends[1-side], uint32(origin+1+start), 1, packet.ACK, payload))
}

func (t *talk) syn(side int) bool {
	flags := uint8(packet.SYN)
	if side == 1 {
		flags |= packet.ACK
	}
	const origin = 1<<32 - 100
	return t.aim.Drop(side == 1, segment(t.ends[side], t.ends[1-side], origin, 0, flags, nil))
}

// streams are what client and server of crypto/tls send in a handshake.
func streams(t *testing.T, change func(client, server *tls.Config)) (sent [2][]byte) {
	t.Helper()
	identity, err := pki.New(pki.Options{Auth: "ecdsa-p256"})
	if err != nil {
		t.Fatal(err)
	}
	pair, err := tls.X509KeyPair(identity.ChainPEM(), identity.KeyPEM())
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(identity.RootPEM())
	a, b := joined(t)
	client := &tls.Config{RootCAs: roots, ServerName: "localhost"}
	server := &tls.Config{Certificates: []tls.Certificate{pair}, SessionTicketsDisabled: true}
	change(client, server)
	var both sync.WaitGroup
	both.Go(func() {
		s := tls.Server(&taken{Conn: b, into: &sent[1]}, server)
		if _, err := s.Read(make([]byte, 1)); err != nil {
			t.Error(err)
		}
	})
	c := tls.Client(&taken{Conn: a, into: &sent[0]}, client)
	if _, err := c.Write([]byte{1}); err != nil {
		t.Error(err)
	}
	both.Wait()
	return sent
}

// joined is both ends of a connection over loopback.
func joined(t *testing.T) (a, b net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if a, err = net.Dial("tcp", l.Addr().String()); err == nil {
		b, err = l.Accept()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = a.Close(), b.Close() })
	return a, b
}

// taken keeps what is written.
type taken struct {
	net.Conn
	into *[]byte
}

func (c *taken) Write(b []byte) (int, error) {
	*c.into = append(*c.into, b...)
	return c.Conn.Write(b)
}

// names are what a finder finds when the stream comes in pieces of a size.
func names(stream []byte, size int) (all []string) {
	var f finder
	for piece := range slices.Chunk(stream, size) {
		all = append(all, f.feed(piece)...)
	}
	return all
}

// TestFinder: it finds the messages in the clear and nothing behind them, however
// the stream is cut.
func TestFinder(t *testing.T) {
	for _, c := range []struct {
		name           string
		change         func(client, server *tls.Config)
		client, server string
	}{
		{
			"1.2", func(c, _ *tls.Config) { c.MaxVersion = tls.VersionTLS12 },
			"ClientHello ClientKeyExchange ChangeCipherSpec",
			"ServerHello Certificate ServerKeyExchange ServerHelloDone ChangeCipherSpec",
		},
		{
			"1.3", func(*tls.Config, *tls.Config) {},
			"ClientHello ChangeCipherSpec", "ServerHello ChangeCipherSpec",
		},
		{
			"1.3 with a HelloRetryRequest", func(c, s *tls.Config) {
				c.CurvePreferences = []tls.CurveID{tls.X25519, tls.CurveP384}
				s.CurvePreferences = []tls.CurveID{tls.CurveP384}
			},
			"ClientHello ChangeCipherSpec ClientHello", "HelloRetryRequest ChangeCipherSpec ServerHello",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			sent := streams(t, c.change)
			for _, size := range []int{1 << 20, 1460, 400} {
				for side, want := range []string{c.client, c.server} {
					if got := strings.Join(names(sent[side], size), " "); got != want {
						t.Errorf("side %d in pieces of %d: %s, want %s", side, size, got, want)
					}
				}
			}
			if got := names(sent[0], 1); got[0] != "ClientHello" {
				t.Errorf("byte by byte: %q", got)
			}
		})
	}
}

// TestMessage: the packet with the first byte of a message is dropped when it is first
// sent on its connection, and no other; both families.
func TestMessage(t *testing.T) {
	sent := streams(t, func(c, _ *tls.Config) { c.MaxVersion = tls.VersionTLS12 })
	for _, ends := range [][2]string{{"10.0.0.1:5000", "10.0.0.2:443"}, {"[fd00::1]:5000", "[fd00::2]:443"}} {
		a := New([]profile.Target{{Message: "Certificate"}, {Message: "ClientHello"}})
		one := newTalk(a, ends[0], ends[1])
		other := newTalk(a, strings.Replace(ends[0], ":5000", ":5001", 1), ends[1])
		for _, c := range []*talk{one, other} { // in turns
			if c.syn(0) || c.syn(1) {
				t.Fatal("a SYN was dropped")
			}
		}
		for _, c := range []*talk{one, other} {
			const half = 100
			if !c.at(0, 0, sent[0][:half]) {
				t.Error("the first packet of the ClientHello passed")
			}
			if c.at(0, half, sent[0][half:200]) || c.at(0, 0, sent[0][:half]) {
				t.Error("more than its first packet, or the repetition, was dropped")
			}
			if !c.at(1, 0, sent[1][:600]) { // ServerHello and Certificate
				t.Error("the packet with the Certificate passed")
			}
			if c.at(1, 0, sent[1][:600]) || c.at(1, 600, sent[1][600:]) {
				t.Error("the repetition, or what follows, was dropped")
			}
		}
		if one.syn(0) {
			t.Error("a SYN that is sent again begins no connection")
		}
		if one.at(0, 0, sent[0][:100]) {
			t.Error("the ClientHello of a connection was dropped twice")
		}
	}
}

// TestNumber: packets are counted when they are first sent.
func TestNumber(t *testing.T) {
	a := New([]profile.Target{{From: "server", Number: 2, Hold: time.Second}, {From: "client", Number: 2}})
	c := newTalk(a, "10.0.0.1:5000", "10.0.0.2:443")
	var held []time.Duration
	for i, start := range []int{0, 0, 10, 10, 20} {
		if dropped := c.at(1, start, make([]byte, 10)); dropped {
			t.Errorf("server's packet %d was dropped", i)
		}
		held = append(held, a.Hold(nil))
		if dropped := c.at(0, start, make([]byte, 10)); dropped != (i == 2) {
			t.Errorf("client's packet %d: dropped %v", i, dropped)
		}
	}
	if want := []time.Duration{0, 0, time.Second, 0, 0}; !slices.Equal(held, want) {
		t.Errorf("held %v, want %v", held, want)
	}
}

// TestEach: everything is dropped once, and nothing twice, in any cut.
func TestEach(t *testing.T) {
	a := New([]profile.Target{{Each: true}})
	c := newTalk(a, "10.0.0.1:5000", "10.0.0.2:443")
	ack := func(n uint32) bool {
		return a.Drop(false, segment(c.ends[0], c.ends[1], 9, n, packet.ACK, nil))
	}
	for i, step := range []struct {
		what string
		do   func() bool
		want bool
	}{
		{"SYN", func() bool { return c.syn(0) }, true},
		{"SYN again", func() bool { return c.syn(0) }, false},
		{"SYN ACK", func() bool { return c.syn(1) }, true},
		{"SYN ACK again", func() bool { return c.syn(1) }, false},
		{"an acknowledgement", func() bool { return ack(5) }, true},
		{"it again", func() bool { return ack(5) }, false},
		{"payload", func() bool { return c.at(0, 0, make([]byte, 100)) }, true},
		{"a part of it again", func() bool { return c.at(0, 50, make([]byte, 50)) }, false},
		{"it again, with more", func() bool { return c.at(0, 0, make([]byte, 120)) }, true},
		{"that again", func() bool { return c.at(0, 100, make([]byte, 20)) }, false},
		{"a further acknowledgement", func() bool { return ack(6) }, true},
		{"an earlier one", func() bool { return ack(5) }, false},
	} {
		if got := step.do(); got != step.want {
			t.Errorf("step %d, %s: dropped %v", i, step.what, got)
		}
	}
}

// TestDTLS: a repetition has a new record number, and is known all the same.
func TestDTLS(t *testing.T) {
	from, to := netip.MustParseAddrPort("10.0.0.1:5000"), netip.MustParseAddrPort("10.0.0.2:443")
	record := func(sequence uint64, kind wire.HandshakeType, seq uint16) []byte {
		f := dtls.Fragment{Type: kind, Length: 3, Seq: seq, Data: []byte{1, 2, 3}}
		return dtls.Record{Type: wire.ContentHandshake, Version: 0xfefd, Sequence: sequence, Fragment: f.Append(nil)}.Append(nil)
	}
	closed := func(sequence uint64) []byte {
		return dtls.Record{Type: wire.ContentHandshake, Version: 0xfefd, Epoch: 1, Sequence: sequence, Fragment: make([]byte, 40)}.Append(nil)
	}
	flight := func(sequence uint64) []byte {
		return slices.Concat(record(sequence, wire.TypeServerHello, 0), record(sequence+1, wire.TypeCertificate, 1), closed(sequence))
	}
	for _, c := range []struct {
		target profile.Target
		want   bool
	}{
		{profile.Target{Message: "Certificate"}, true},
		{profile.Target{Message: "ServerHello"}, true},
		{profile.Target{Each: true}, true},
		{profile.Target{From: "server", Number: 1}, true},
		{profile.Target{From: "client", Number: 1}, false},
		{profile.Target{Message: "ClientHello"}, false},
	} {
		a := New([]profile.Target{c.target})
		if got := a.Drop(true, datagram(to, from, flight(0))); got != c.want {
			t.Errorf("%s: dropped %v", c.target, got)
		}
		if a.Drop(true, datagram(to, from, flight(3))) {
			t.Errorf("%s: the repetition was dropped too", c.target)
		}
	}
}

// TestBounded: connections that nobody ends are forgotten.
func TestBounded(t *testing.T) {
	a := New([]profile.Target{{Each: true}})
	for i := range 3 * maxConnections {
		from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 1000)
		a.Drop(false, segment(from, netip.MustParseAddrPort("10.9.9.9:443"), 1, 0, packet.SYN, nil))
	}
	if len(a.known) > maxConnections || len(a.order) > maxConnections {
		t.Errorf("%d connections are remembered", len(a.known))
	}
}

// FuzzDrop: no packet makes it panic, and none is dropped a second time.
func FuzzDrop(f *testing.F) {
	from, to := netip.MustParseAddrPort("10.0.0.1:5000"), netip.MustParseAddrPort("10.0.0.2:443")
	f.Add(segment(from, to, 1, 1, packet.ACK, []byte("\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00")), true)
	f.Add(datagram(from, to, []byte("\x16\xfe\xfd\x00\x00\x00\x00\x00\x00\x00\x00\x00\x0d\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00")), false)
	f.Fuzz(func(t *testing.T, b []byte, down bool) {
		for _, target := range []profile.Target{{Each: true}, {Message: "ClientHello"}, {From: "client", Number: 1}} {
			a := New([]profile.Target{target})
			a.Drop(down, b)
			if a.Drop(down, bytes.Clone(b)) {
				t.Errorf("%s: dropped twice", target)
			}
		}
	})
}

// FuzzEach: whatever a connection sends, in any order and overlapping as it likes,
// nothing is dropped when all of it is sent again.
func FuzzEach(f *testing.F) {
	const size = 5
	f.Add([]byte{0, 0, 0, 2, 0, 1, 0, 0, 18, 1, 0, 1, 0, 16, 1, 0, 1, 90, 16, 1, 0, 41, 90, 17, 1, 1, 1, 200, 16, 91})
	f.Fuzz(func(t *testing.T, script []byte) {
		a := New([]profile.Target{{Each: true}})
		ends := [2]netip.AddrPort{netip.MustParseAddrPort("10.0.0.1:5000"), netip.MustParseAddrPort("10.0.0.2:443")}
		a.Drop(false, segment(ends[0], ends[1], 0, 0, packet.SYN, nil))
		for pass := range 2 {
			for b := range slices.Chunk(script, size) {
				if len(b) < size {
					break
				}
				side, seq, length, flags, ack := int(b[0]&1), uint32(b[1]), int(b[2]), b[3], uint32(b[4])
				if flags&packet.SYN != 0 {
					seq, length = 0, 0 // another number begins a new connection
				}
				if a.Drop(side == 1, segment(ends[side], ends[1-side], seq, ack, flags, make([]byte, length))) && pass > 0 {
					t.Fatalf("%x is dropped a second time", b)
				}
			}
		}
	})
}
