package virtual

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	pion "github.com/pion/dtls/v4"
	"github.com/pion/dtls/v4/pkg/crypto/elliptic"
	"github.com/pion/dtls/v4/pkg/protocol"

	"shakedown/link/profile"
	"shakedown/wire"
	"shakedown/wire/dtls"
)

// timer is the first value of the retransmission timer, 1 s (RFC 6347 4.2.4.1,
// RFC 9147 5.8.2). It doubles with each retransmission.
const timer = time.Second

// ackTimer is after what time the receiver of a part of a flight acknowledges it in
// DTLS 1.3: a quarter of the retransmission timer (RFC 9147 7.1).
const ackTimer = timer / 4

// setup is how both ends of a DTLS handshake are set up.
type setup struct {
	version protocol.Version
	cookie  bool             // the server asks for one
	padding int              // bytes that make the certificate longer
	groups  []elliptic.Curve // nil: pion's own
}

// dial makes both ends, and returns them with what closes them.
func (s setup) dial(t *testing.T, n *Network) (client, server *pion.Conn) {
	t.Helper()
	c := certificate(t, s.padding)
	ofClient := []pion.ClientOption{pion.WithRootCAs(trust(c)), pion.WithServerName("server.test")}
	ofServer := []pion.ServerOption{pion.WithCertificates(c), pion.WithInsecureSkipVerifyHello(!s.cookie)}
	both := []pion.Option{pion.WithMinVersion(s.version), pion.WithMaxVersion(s.version)}
	if s.groups != nil {
		both = append(both, pion.WithEllipticCurves(s.groups...))
	}
	for _, o := range both {
		ofClient, ofServer = append(ofClient, o), append(ofServer, o)
	}
	client, err := pion.Client(n.Client, n.Server.LocalAddr(), ofClient...)
	if err != nil {
		t.Fatal(err)
	}
	server, err = pion.Server(n.Server, n.Client.LocalAddr(), ofServer...)
	if err != nil {
		t.Fatal(err)
	}
	return client, server
}

// run performs a handshake on a link, and returns how long each side took. A filter
// that is not nil sees each datagram of the handshake.
func (s setup) run(t *testing.T, filter func(up bool, datagram []byte) bool) (client, server time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		n := open(t, bothWays(profile.Direction{Delay: oneWay}), 1)
		defer n.Close()
		n.Up.Filter(func(datagram []byte) bool { return filter(true, datagram) })
		n.Down.Filter(func(datagram []byte) bool { return filter(false, datagram) })
		c, s := s.dial(t, n)
		began := time.Now()
		complete := func(conn *pion.Conn) time.Duration {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			if err := conn.HandshakeContext(ctx); err != nil {
				t.Error(err)
			}
			return time.Since(began)
		}
		var both sync.WaitGroup
		both.Go(func() { server = complete(s) })
		client = complete(c)
		both.Wait()
		synctest.Wait() // for what is sent when the handshake is complete
		n.Up.Filter(nil)
		n.Down.Filter(nil)
		_, _ = c.Close(), s.Close()
	})
	return client, server
}

// step is one datagram of a handshake, and by how much later each side completes
// when it is lost.
type step struct {
	up             bool
	what           string // see describe
	client, server time.Duration
}

// The handshakes, datagram by datagram (RFC 6347 4.2.4, RFC 9147 5.7). The rules:
//   - In DTLS 1.2 a flight that does not come, or not whole, costs one timer: who
//     waits for it sends his own last flight again. Without a cookie both sides wait
//     and so have a timer; a HelloVerifyRequest or HelloRetryRequest has none.
//   - Who is complete waits for nothing: the loss of the last flight of DTLS 1.2
//     delays only the client, that of the client's last in DTLS 1.3 only the server,
//     and that of its acknowledgement nobody.
//   - In DTLS 1.3 a part of a flight is acknowledged after a quarter of the timer,
//     and the rest comes a round trip later. What came in the clear pion does not
//     acknowledge, and without the ServerHello there are no keys for more: where
//     nothing else of a flight came, or not that, its loss costs the timer.
var handshakes = []struct {
	name           string
	setup          setup
	client, server time.Duration // of a handshake without loss
	steps          []step
}{
	{"1.2", setup{version: protocol.Version1_2, groups: classic}, 4 * oneWay, 3 * oneWay, []step{
		{true, "ClientHello", timer, timer},
		{false, "ServerHello Certificate ServerKeyExchange ServerHelloDone", timer, timer},
		{true, "ClientKeyExchange change_cipher_spec encrypted", timer, timer},
		{false, "change_cipher_spec encrypted", timer, 0},
	}},
	{"1.2 with a cookie", setup{version: protocol.Version1_2, groups: classic, cookie: true}, 6 * oneWay, 5 * oneWay, []step{
		{true, "ClientHello", timer, timer},
		{false, "HelloVerifyRequest", timer, timer},
		{true, "ClientHello", timer, timer},
		{false, "ServerHello Certificate ServerKeyExchange ServerHelloDone", timer, timer},
		{true, "ClientKeyExchange change_cipher_spec encrypted", timer, timer},
		{false, "change_cipher_spec encrypted", timer, 0},
	}},
	{"1.2 with a long certificate", setup{version: protocol.Version1_2, groups: classic, padding: 2600}, 4 * oneWay, 3 * oneWay, []step{
		{true, "ClientHello", timer, timer},
		{false, "ServerHello", timer, timer},
		{false, "Certificate@0", timer, timer},
		{false, "Certificate@1175", timer, timer},
		{false, "Certificate@2350 ServerKeyExchange ServerHelloDone", timer, timer},
		{true, "ClientKeyExchange change_cipher_spec encrypted", timer, timer},
		{false, "change_cipher_spec encrypted", timer, 0},
	}},
	{"1.3", setup{version: protocol.Version1_3, groups: classic}, 2 * oneWay, 3 * oneWay, []step{
		{true, "ClientHello", timer, timer},
		{false, "ServerHello encrypted", timer, timer},
		{true, "encrypted", 0, timer},
		{false, "encrypted", 0, 0},
	}},
	{"1.3 with a cookie", setup{version: protocol.Version1_3, groups: classic, cookie: true}, 4 * oneWay, 5 * oneWay, []step{
		{true, "ClientHello", timer, timer},
		{false, "HelloRetryRequest", timer, timer},
		{true, "ClientHello", timer, timer},
		{false, "ServerHello encrypted", timer, timer},
		{true, "encrypted", 0, timer},
		{false, "encrypted", 0, 0},
	}},
	{"1.3 with a long certificate", setup{version: protocol.Version1_3, groups: classic, padding: 2600}, 2 * oneWay, 3 * oneWay, []step{
		{true, "ClientHello", timer, timer},
		{false, "ServerHello encrypted", timer, timer},
		{false, "encrypted", ackTimer + 2*oneWay, ackTimer + 2*oneWay},
		{false, "encrypted", ackTimer + 2*oneWay, ackTimer + 2*oneWay},
		{false, "encrypted", ackTimer + 2*oneWay, ackTimer + 2*oneWay},
		{true, "encrypted", 0, timer},
		{false, "encrypted", 0, 0},
	}},
	// A hybrid key does not fit into one datagram with the rest of a ClientHello. The
	// flight that answers has no room for a part of the encrypted beside ServerHello.
	{"1.3 with a hybrid key", setup{version: protocol.Version1_3, groups: hybrid}, 2 * oneWay, 3 * oneWay, []step{
		{true, "ClientHello@0", timer, timer},
		{true, "ClientHello@1175", timer, timer},
		{false, "ServerHello", timer, timer},
		{false, "encrypted", timer, timer},
		{true, "encrypted", 0, timer},
		{false, "encrypted", 0, 0},
	}},
	// By default pion's client sends a key of X25519 alone and pion's server wants
	// the hybrid: a round trip more, even without a cookie.
	{"1.3 with the groups of pion", setup{version: protocol.Version1_3}, 4 * oneWay, 5 * oneWay, retried},
	{"1.3 with the groups of pion and a cookie", setup{version: protocol.Version1_3, cookie: true}, 4 * oneWay, 5 * oneWay, retried},
}

// Groups of a setup.
var (
	classic = []elliptic.Curve{elliptic.X25519}
	hybrid  = []elliptic.Curve{elliptic.X25519MLKEM768}
)

// retried is a handshake whose server asks for a hybrid key.
var retried = []step{
	{true, "ClientHello", timer, timer},
	{false, "HelloRetryRequest", timer, timer},
	{true, "ClientHello@0", timer, timer},
	{true, "ClientHello@1175", timer, timer},
	{false, "ServerHello", timer, timer},
	{false, "encrypted", timer, timer},
	{true, "encrypted", 0, timer},
	{false, "encrypted", 0, 0},
}

// TestDTLS: pion's DTLS takes the round trips of the specifications and sends the
// datagrams of the table; and each of them lost once costs what the table says.
func TestDTLS(t *testing.T) {
	for _, h := range handshakes {
		t.Run(h.name, func(t *testing.T) {
			var sent []step
			client, server := h.setup.run(t, func(up bool, datagram []byte) bool {
				sent = append(sent, step{up: up, what: describe(datagram)})
				return false
			})
			if client != h.client || server != h.server {
				t.Errorf("client %v, server %v, want %v and %v", client, server, h.client, h.server)
			}
			if got, want := list(sent), list(h.steps); got != want {
				t.Fatalf("sent\n%swant\n%s", got, want)
			}
			for i, lost := range h.steps {
				client, server := h.setup.run(t, drop(t, h.steps, i))
				if wantClient, wantServer := h.client+lost.client, h.server+lost.server; client != wantClient || server != wantServer {
					t.Errorf("without datagram %d, %s: client %v, server %v, want %v and %v", i, lost.what, client, server, wantClient, wantServer)
				}
			}
		})
	}
}

// drop is a filter of the i-th datagram of a handshake. It counts those of its
// direction, since after a loss both sides may send at the same moment.
func drop(t *testing.T, steps []step, i int) func(up bool, datagram []byte) bool {
	before := 0
	for _, s := range steps[:i] {
		if s.up == steps[i].up {
			before++
		}
	}
	return func(up bool, datagram []byte) bool {
		if up != steps[i].up {
			return false
		}
		before--
		if before == -1 && describe(datagram) != steps[i].what {
			t.Errorf("datagram %d is %s, want %s", i, describe(datagram), steps[i].what)
		}
		return before == -1
	}
}

// TestEachDatagramOnce: the first transmission of every datagram is lost, and the
// handshake completes. A retransmission has new record numbers, so a datagram is
// known by its messages and its length. The table has one entry a lost flight:
//   - A flight that answers a new one has a fresh timer. (The RFCs would keep the
//     doubled one until a flight comes through: pion begins anew with each.) Its
//     sender sends it again after 1 s, which is before the other side, whose timer
//     has doubled, would ask for it.
//   - What has no timer of its own, a HelloVerifyRequest, a HelloRetryRequest and the
//     last flight of DTLS 1.2, must be asked for: by a client that has already sent
//     its flight a second time, and so after 2 s.
func TestEachDatagramOnce(t *testing.T) {
	for i, want := range map[int]struct{ client, server []time.Duration }{
		// ClientHello, ServerHello, ClientKeyExchange, server's Finished
		0: {[]time.Duration{timer, timer, timer, 2 * timer}, []time.Duration{timer, timer, timer}},
		// ClientHello, HelloVerifyRequest, and the same
		1: {[]time.Duration{timer, 2 * timer, timer, timer, timer, 2 * timer}, []time.Duration{timer, 2 * timer, timer, timer, timer}},
		// ClientHello, ServerHello, client's Finished
		3: {[]time.Duration{timer, timer}, []time.Duration{timer, timer, timer}},
		// ClientHello, HelloRetryRequest, and the same
		4: {[]time.Duration{timer, 2 * timer, timer, timer}, []time.Duration{timer, 2 * timer, timer, timer, timer}},
	} {
		h := handshakes[i]
		t.Run(h.name, func(t *testing.T) {
			var seen [2]map[string]bool
			client, server := h.setup.run(t, func(up bool, datagram []byte) bool {
				return first(&seen, up, fmt.Sprint(describe(datagram), len(datagram)))
			})
			wantClient, wantServer := h.client+sum(want.client), h.server+sum(want.server)
			if client != wantClient || server != wantServer {
				t.Errorf("client %v, server %v, want %v and %v", client, server, wantClient, wantServer)
			}
			if count := len(seen[0]) + len(seen[1]); count < len(h.steps) {
				t.Errorf("%d datagrams lost, of %d", count, len(h.steps))
			}
		})
	}
}

// TestBackoff: the timer doubles, so that four lost ClientHellos cost 1+2+4+8 s.
func TestBackoff(t *testing.T) {
	for _, i := range []int{0, 3} {
		h := handshakes[i]
		t.Run(h.name, func(t *testing.T) {
			lost := 0
			client, server := h.setup.run(t, func(up bool, _ []byte) bool {
				lost++
				return lost <= 4
			})
			if client != h.client+15*timer || server != h.server+15*timer {
				t.Errorf("client %v, server %v", client, server)
			}
		})
	}
}

// first tells whether a key is seen for the first time in a direction.
func first(seen *[2]map[string]bool, up bool, key string) bool {
	i := 0
	if up {
		i = 1
	}
	if seen[i] == nil {
		seen[i] = map[string]bool{}
	}
	known := seen[i][key]
	seen[i][key] = true
	return !known
}

func sum(all []time.Duration) (total time.Duration) {
	for _, d := range all {
		total += d
	}
	return total
}

func list(steps []step) string {
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprintln(&b, map[bool]string{true: "up  ", false: "down"}[s.up], s.what)
	}
	return b.String()
}

// describe names the messages of a datagram, with the offset of those that are not
// whole. What is encrypted is that.
func describe(datagram []byte) string {
	var names []string
	for len(datagram) > 0 {
		record, rest, err := dtls.NextRecord(datagram, 0)
		if err != nil {
			return err.Error()
		}
		datagram = rest
		switch {
		case record.Unified() || record.Epoch > 0:
			names = append(names, "encrypted")
		case record.Type == wire.ContentHandshake:
			names = append(names, messages(record.Fragment)...)
		default:
			names = append(names, record.Type.String())
		}
	}
	return strings.Join(slices.Compact(names), " ")
}

func messages(content []byte) (names []string) {
	for len(content) > 0 {
		f, rest, err := dtls.NextFragment(content)
		if err != nil {
			return append(names, err.Error())
		}
		content = rest
		name := f.Type.String()
		if hello := (wire.ServerHello{}); f.Type == wire.TypeServerHello && hello.Parse(f.Data) == nil && hello.RetryRequest() {
			name = "HelloRetryRequest"
		}
		if !f.Whole() {
			name += fmt.Sprint("@", f.Offset)
		}
		names = append(names, name)
	}
	return names
}
