package link

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"shakedown/link/emulate"
	"shakedown/link/packet"
	"shakedown/link/profile"
	"shakedown/link/shape"
	"shakedown/link/space"
	"shakedown/pki"
	"shakedown/wire"
)

// emulatorVerb makes the test program the emulator.
const emulatorVerb = "link-emulator"

// refused says why there are no namespaces here.
var refused error

// TestMain is the emulator too, and does all of it again inside a user namespace where
// that is needed.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == emulatorVerb {
		os.Exit(emulate.Main(os.Stdin, os.Stdout, os.Stderr))
	}
	status, ran, err := space.Enter()
	if ran {
		os.Exit(status)
	}
	refused = err
	os.Exit(m.Run())
}

// limit bounds what may take long on a busy machine.
const limit = 3 * time.Minute

// early is by how much a packet may seem to come before its time: it leaves sooner by
// the emulator's slop, and its sending is taken for earlier by what waking takes.
const early = time.Millisecond

// open makes a network that ends with the test.
func open(t *testing.T, settings string) *Network {
	t.Helper()
	n := openWith(t, settings, func(*Options) {})
	t.Cleanup(n.Close)
	return n
}

// openWith makes a network. It skips the test where the system allows none, which no
// package brings: a container without rights is no reason to fail.
func openWith(t *testing.T, settings string, change func(*Options)) *Network {
	t.Helper()
	p, err := profile.Find(settings)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Profile: p, Seed: 1, Emulator: []string{"/proc/self/exe", emulatorVerb}}
	change(&o)
	var n *Network
	if err = refused; err == nil {
		n, err = Open(o)
	}
	var no *space.RefusedError
	if errors.As(err, &no) {
		t.Skipf("no emulated links: %v: %s", no, no.Hint)
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// report is what the emulator saw since the last one.
func report(t *testing.T, n *Network) emulate.Report {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	r, err := n.Report(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// took is what the client waited for.
type took struct{ connect, handshake time.Duration }

// identity is the server's; its flight fits in a packet where the key shares are short.
var identity = sync.OnceValues(func() (*pki.Identity, error) {
	return pki.New(pki.Options{Auth: "ecdsa-p256"})
})

// longIdentity makes a flight of many packets.
var longIdentity = sync.OnceValues(func() (*pki.Identity, error) {
	return pki.New(pki.Options{Auth: "ecdsa-p256", MinLeafBytes: 12_000})
})

// configs are those of client and server.
func configs(t *testing.T, of func() (*pki.Identity, error)) (client, server *tls.Config) {
	t.Helper()
	id, err := of()
	if err != nil {
		t.Fatal(err)
	}
	pair, err := tls.X509KeyPair(id.ChainPEM(), id.KeyPEM())
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(id.RootPEM())
	return &tls.Config{RootCAs: roots, ServerName: "localhost"}, &tls.Config{Certificates: []tls.Certificate{pair}}
}

// handshake makes a connection and a handshake over the network, and has the server
// answer a byte, so that both are complete. An error may be that of a deadline.
func handshake(t *testing.T, n *Network, client, server *tls.Config, deadline time.Duration) (took, error) {
	t.Helper()
	var listener net.Listener
	if err := n.AtServer(func() (err error) { listener, err = net.Listen("tcp", n.ServerAddress()); return err }); err != nil {
		t.Fatal(err)
	}
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		answer(listener, server)
	}()
	defer func() { <-answered }()
	defer listener.Close()
	begin := time.Now()
	var conn net.Conn
	if err := n.AtClient(func() (err error) { conn, err = net.DialTimeout("tcp", listener.Addr().String(), limit); return err }); err != nil {
		t.Fatal(err)
	}
	defer reset(conn)
	connected := time.Now()
	_ = conn.SetDeadline(connected.Add(deadline))
	secure := tls.Client(conn, client)
	if err := secure.Handshake(); err != nil {
		return took{}, err
	}
	complete := time.Now()
	if _, err := secure.Write([]byte{1}); err != nil {
		return took{}, err
	}
	_, err := io.ReadFull(secure, make([]byte, 1))
	return took{connected.Sub(begin), complete.Sub(connected)}, err
}

// answer is the server of one connection.
func answer(listener net.Listener, config *tls.Config) {
	conn, err := listener.Accept()
	if err != nil {
		return
	}
	defer reset(conn)
	_ = conn.SetDeadline(time.Now().Add(limit))
	secure, b := tls.Server(conn, config), make([]byte, 1)
	if _, err := io.ReadFull(secure, b); err == nil {
		_, _ = secure.Write(b)
	}
	_, _ = io.Copy(io.Discard, conn)
}

// complete is a handshake that must complete.
func complete(t *testing.T, n *Network, client, server *tls.Config) took {
	t.Helper()
	got, err := handshake(t, n, client, server, limit)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// helloPackets are those of a report that begin with a ServerHello.
func helloPackets(r emulate.Report) (found []emulate.Packet) {
	for _, p := range r.Packets {
		b, ok := packet.Parse(p.Data)
		if begin := b.Payload; ok && p.Down && len(begin) > 5 && begin[0] == byte(wire.ContentHandshake) && begin[5] == byte(wire.TypeServerHello) {
			found = append(found, p)
		}
	}
	return found
}

// longest is the length of the longest packet that arrived, in bytes.
func longest(r emulate.Report) (most int) {
	for _, p := range r.Packets {
		if p.Arrived >= 0 {
			most = max(most, len(p.Data))
		}
	}
	return most
}

// TestRoundTrips: over either family connect and handshake take at least their round
// trips; the report has every packet and its times.
func TestRoundTrips(t *testing.T) {
	const delay = 40 * time.Millisecond
	for _, family := range []int{4, 6} {
		for version, trips := range map[uint16]int{tls.VersionTLS12: 2, tls.VersionTLS13: 1} {
			t.Run(fmt.Sprintf("IPv%d %s", family, tls.VersionName(version)), func(t *testing.T) {
				t.Parallel()
				n := open(t, fmt.Sprintf("delay=40ms,family=%d", family))
				client, server := configs(t, longIdentity)
				client.MinVersion, client.MaxVersion = version, version
				got := complete(t, n, client, server)
				if got.connect < 2*delay-early || got.handshake < time.Duration(trips)*2*delay-early {
					t.Errorf("connect %v, handshake %v, in %d round trips of %v", got.connect, got.handshake, trips, 2*delay)
				}
				checkReport(t, report(t, n), n.Profile())
			})
		}
	}
}

// checkReport holds a report of one connection against its profile, which loses
// nothing.
func checkReport(t *testing.T, r emulate.Report, p profile.Profile) {
	t.Helper()
	var counts [2]shape.Counts
	var last [2]time.Duration
	for i, sent := range r.Packets {
		side := 0
		if sent.Down {
			side = 1
		}
		counts[side].In++
		counts[side].InBytes += int64(len(sent.Data))
		b, ok := packet.Parse(sent.Data)
		switch {
		case !ok || b.Protocol != packet.TCP || len(sent.Data) > p.MTU:
			t.Errorf("packet %d is no segment: %x", i, sent.Data)
		case i == 0 && (sent.Down || b.Flags != packet.SYN):
			t.Errorf("the first packet is no SYN: %x", sent.Data)
		case sent.Lost || sent.Sent < last[side]:
			t.Errorf("packet %d: sent %v, after %v, lost %v", i, sent.Sent, last[side], sent.Lost)
		case sent.Arrived >= 0 && sent.Arrived < sent.Sent+p.Up.Delay-early:
			t.Errorf("packet %d: sent %v, arrived %v", i, sent.Sent, sent.Arrived)
		}
		last[side] = sent.Sent
	}
	for side, c := range []shape.Counts{r.Up, r.Down} {
		if c.In != counts[side].In || c.InBytes != counts[side].InBytes || c.Lost+c.Full+c.Filtered+c.Held != 0 || c.Out > c.In {
			t.Errorf("side %d: %+v, packets %+v", side, c, counts[side])
		}
	}
	if l := r.Late; l.Count != r.Up.Out+r.Down.Out || l.Median > l.P99 || l.P99 > l.Max || l.Over > l.Count || r.CPU <= 0 || longest(r) != p.MTU {
		t.Errorf("lateness %+v, CPU %v, longest packet %d", l, r.CPU, longest(r))
	}
}

// short makes the flights of both sides of TLS 1.3 fit in a packet each.
func short(client, server *tls.Config) {
	client.CurvePreferences, client.MinVersion = []tls.CurveID{tls.X25519}, tls.VersionTLS13
	server.SessionTicketsDisabled = true
}

// TestDropServerHello: its packet is sent twice, the second time after the least
// timer of TCP, and arrives once.
func TestDropServerHello(t *testing.T) {
	t.Parallel()
	const least = 200 * time.Millisecond // Linux: TCP_RTO_MIN, of tail loss probes too
	n := open(t, "delay=5ms,drop=serverhello")
	client, server := configs(t, identity)
	short(client, server)
	got := complete(t, n, client, server)
	r := report(t, n)
	hellos := helloPackets(r)
	if len(hellos) < 2 || !hellos[0].Lost || hellos[1].Arrived < 0 || r.Down.Filtered != 1 || r.Up.Filtered != 0 {
		t.Fatalf("%d packets with a ServerHello, up %+v, down %+v", len(hellos), r.Up, r.Down)
	}
	if n.Settings()["net.ipv4.tcp_rto_min_us"] != "200000" && n.Settings()["net.ipv4.tcp_rto_min_us"] != "" {
		t.Skip("the least timer of TCP is another here")
	}
	if gap := hellos[1].Sent - hellos[0].Sent; gap < least-early || got.handshake < least+10*time.Millisecond-early {
		t.Errorf("sent again after %v, handshake %v", gap, got.handshake)
	}
	second := complete(t, n, client, server)
	if after := report(t, n); after.Down.Filtered != 2 || second.handshake < least {
		t.Errorf("the next connection: %v, %+v", second.handshake, after.Down)
	}
}

// TestDropEach: everything has to be sent twice, and the handshake completes. It takes
// some seconds, because timers double while no answer tells a round trip.
func TestDropEach(t *testing.T) {
	t.Parallel()
	for _, family := range []int{4, 6} {
		t.Run(fmt.Sprintf("IPv%d", family), func(t *testing.T) {
			t.Parallel()
			n := open(t, fmt.Sprintf("delay=5ms,drop=each,family=%d", family))
			client, server := configs(t, identity)
			short(client, server)
			got := complete(t, n, client, server)
			r := report(t, n)
			if got.connect < time.Second || r.Up.Filtered < 4 || r.Down.Filtered < 4 || !r.Packets[0].Lost {
				t.Errorf("%+v, up %+v, down %+v", got, r.Up, r.Down)
			}
		})
	}
}

// TestHold: a packet is held, and those behind it overtake it.
func TestHold(t *testing.T) {
	t.Parallel()
	const hold = 150 * time.Millisecond // less than the server's timer
	n := open(t, "delay=5ms,hold=ServerHello/150ms")
	client, server := configs(t, longIdentity)
	got := complete(t, n, client, server)
	r := report(t, n)
	hellos := helloPackets(r)
	if r.Down.Held != 1 || r.Up.Held != 0 || r.Down.Filtered != 0 || len(hellos) == 0 || hellos[0].Lost {
		t.Fatalf("up %+v, down %+v, %d packets with a ServerHello", r.Up, r.Down, len(hellos))
	}
	if under := hellos[0].Arrived - hellos[0].Sent; hellos[0].Arrived >= 0 && under < hold+5*time.Millisecond-early {
		t.Errorf("it was under way for %v", under)
	}
	overtaken := slices.ContainsFunc(r.Packets, func(p emulate.Packet) bool {
		return p.Down && p.Arrived >= 0 && p.Sent >= hellos[0].Sent && (p.Arrived < hellos[0].Arrived || hellos[0].Arrived < 0)
	})
	if !overtaken || got.handshake < 10*time.Millisecond-early {
		t.Errorf("no packet overtook it; handshake %v", got.handshake)
	}
}

// TestPathMTU: senders are told that a hop is narrow, and make shorter packets.
func TestPathMTU(t *testing.T) {
	t.Parallel()
	for settings, most := range map[string]int{"pmtu=1000": 1000, "pmtu=600": 600, "pmtu=1300,family=6": 1300} {
		t.Run(settings, func(t *testing.T) {
			t.Parallel()
			n := open(t, "delay=5ms,"+settings)
			client, server := configs(t, longIdentity)
			complete(t, n, client, server)
			r := report(t, n)
			if got := longest(r); got > most || got < most-8 || r.TooBig == 0 {
				t.Errorf("the longest packet that arrived has %d bytes; %d were too big", got, r.TooBig)
			}
		})
	}
}

// TestBlackHole: without a word from the hop nothing that is longer passes, however
// often it is sent again.
func TestBlackHole(t *testing.T) {
	t.Parallel()
	n := open(t, "delay=5ms,pmtu=1000/silent")
	if probing := n.Settings()["net.ipv4.tcp_mtu_probing"]; probing != "0" && probing != "" {
		t.Skipf("TCP looks for black holes here: tcp_mtu_probing is %s", probing)
	}
	client, server := configs(t, longIdentity)
	_, err := handshake(t, n, client, server, 2*time.Second)
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the handshake ended with %v", err)
	}
	r := report(t, n)
	if longest(r) > 1000 || r.TooBig < 2 {
		t.Errorf("the longest packet that arrived has %d bytes; %d were too big", longest(r), r.TooBig)
	}
	for _, p := range r.Packets {
		if b, ok := packet.Parse(p.Data); !ok || b.Protocol != packet.TCP {
			t.Errorf("somebody was told: %x", p.Data)
		}
	}
}

// TestTroubled: TCP copes with everything that a link may do.
func TestTroubled(t *testing.T) {
	t.Parallel()
	for settings, happened := range map[string]func(shape.Counts) bool{
		"delay=20ms,jitter=10ms":                      func(c shape.Counts) bool { return c.Out > 0 },
		"delay=5ms,duplicate=100%":                    func(c shape.Counts) bool { return c.Duplicated > 0 && c.Out > c.In },
		"delay=20ms,reorder=50%":                      func(c shape.Counts) bool { return c.Reordered > 0 },
		"delay=5ms,loss=20%":                          func(c shape.Counts) bool { return c.Lost > 0 },
		"delay=5ms,rate=1Mbit,queue=5":                func(c shape.Counts) bool { return c.Full > 0 },
		"frames=127/55,mtu=1280,family=6":             func(c shape.Counts) bool { return c.Frames > int64(c.In) },
		"delay=5ms,rate=500kbit,queue=20/codel":       func(c shape.Counts) bool { return c.Longest > 1 },
		"delay=10ms,drop=server#3,hold=client#1/50ms": func(c shape.Counts) bool { return c.Filtered+c.Held == 1 },
	} {
		t.Run(settings, func(t *testing.T) {
			t.Parallel()
			n := open(t, settings)
			client, server := configs(t, longIdentity)
			complete(t, n, client, server)
			if r := report(t, n); !happened(r.Down) {
				t.Errorf("down %+v", r.Down)
			}
		})
	}
}

// TestQuiet: without packets the counts are there; chances begin anew when asked to.
func TestQuiet(t *testing.T) {
	t.Parallel()
	n := openWith(t, "delay=5ms", func(o *Options) { o.Quiet = true })
	t.Cleanup(n.Close)
	if err := n.Reseed(7); err != nil {
		t.Error(err)
	}
	client, server := configs(t, identity)
	complete(t, n, client, server)
	if r := report(t, n); len(r.Packets) != 0 || r.Unrecorded != 0 || r.Up.In == 0 || r.Late.Count == 0 {
		t.Errorf("%d packets, %+v", len(r.Packets), r)
	}
}

// TestCloseNetwork: nothing outlives a network: no emulator, and no thread in a namespace of
// its own. Tests beside it would have some.
func TestCloseNetwork(t *testing.T) {
	before := namespaces(t)
	n := openWith(t, "delay=1ms", func(*Options) {})
	emulator := fmt.Sprintf("/proc/%d", n.emulator.Process.Pid)
	if got := added(t, before); got != 2 {
		t.Errorf("%d namespaces, want the client's and the server's", got)
	}
	if _, err := os.Stat(emulator); err != nil {
		t.Error(err)
	}
	n.Close()
	if _, err := os.Stat(emulator); err == nil {
		t.Errorf("the emulator, %s, is still there", emulator)
	}
	checkAlone(t, before)
}

// TestNoEmulator: a network whose emulator does not start, or ends, leaves nothing.
func TestNoEmulator(t *testing.T) {
	before := namespaces(t)
	there := openWith(t, "delay=1ms", func(*Options) {}) // skips where there are none
	there.Close()
	for _, program := range []string{"/bin/false", "/nonexistent"} {
		n, err := Open(Options{Profile: there.Profile(), Emulator: []string{program}})
		if err == nil || !strings.Contains(err.Error(), "emulator") {
			t.Errorf("%s: %v, %v", program, n, err)
		}
	}
	checkAlone(t, before)
}

// checkAlone waits until there are no namespaces but those before.
func checkAlone(t *testing.T, before map[string]bool) {
	t.Helper()
	for end := time.Now().Add(limit); added(t, before) > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("threads are left in %d namespaces", added(t, before))
		}
	}
}

// added counts the namespaces that were not there before.
func added(t *testing.T, before map[string]bool) (n int) {
	t.Helper()
	for name := range namespaces(t) {
		if !before[name] {
			n++
		}
	}
	return n
}

// namespaces are the network namespaces of this program's threads.
func namespaces(t *testing.T) map[string]bool {
	t.Helper()
	threads, err := filepath.Glob("/proc/self/task/*/ns/net")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, thread := range threads {
		if name, err := os.Readlink(thread); err == nil { // it may have ended meanwhile
			found[name] = true
		}
	}
	return found
}
