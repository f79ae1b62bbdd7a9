package virtual

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quic-go/quic-go"

	"shakedown/link/profile"
)

const (
	// probe is after what time quic-go sends a lost Initial again. The timer is 3
	// times the initial estimate of the round trip, 999 ms where that is 333 ms as
	// RFC 9002 6.2.2 and appendix A.2 say; quic-go takes 2 times 100 ms.
	probe = 200 * ms
	// overdue is after what time a packet is taken for lost when a later one has
	// been acknowledged: 9/8 of the round trip (RFC 9002 6.1.2).
	overdue = 2 * oneWay * 9 / 8
)

// quicPair is a client and a server of QUIC on a link, and a server that answers a
// request.
type quicPair struct {
	network *Network
	client  *quic.Transport
	tls     *tls.Config // of the client, with a session cache
	served  chan served
	close   func()
}

// served is what the server saw of a connection, since the pair was made.
type served struct {
	complete, request time.Duration // the handshake, and the request's end
	early             bool          // the request came in 0-RTT
}

// newQUIC makes a pair for groups; with retry the server validates addresses by a
// Retry packet (RFC 9000 8.1.2).
func newQUIC(t *testing.T, retry bool, groups ...tls.CurveID) *quicPair {
	t.Helper()
	c := certificate(t, 0)
	n := open(t, bothWays(profile.Direction{Delay: oneWay}), 1)
	server := &quic.Transport{Conn: n.Server, VerifySourceAddress: func(net.Addr) bool { return retry }}
	listener, err := server.ListenEarly(
		&tls.Config{Certificates: []tls.Certificate{c}, NextProtos: []string{"test"}, CurvePreferences: groups},
		&quic.Config{Allow0RTT: true})
	if err != nil {
		t.Fatal(err)
	}
	p := &quicPair{network: n, client: &quic.Transport{Conn: n.Client}, served: make(chan served, 2), tls: &tls.Config{
		RootCAs: trust(c), ServerName: "server.test", NextProtos: []string{"test"}, CurvePreferences: groups,
		ClientSessionCache: tls.NewLRUClientSessionCache(1),
	}}
	p.close = func() { _, _, _, _ = listener.Close(), p.client.Close(), server.Close(), n.Close() }
	go p.serve(listener, time.Now())
	return p
}

func (p *quicPair) serve(listener *quic.EarlyListener, began time.Time) {
	for {
		conn, err := listener.Accept(context.Background())
		if err != nil {
			return
		}
		complete := make(chan time.Duration, 1)
		go func() {
			<-conn.HandshakeComplete()
			complete <- time.Since(began)
		}()
		stream, err := conn.AcceptStream(context.Background())
		if err != nil {
			return
		}
		_, _ = io.ReadAll(stream)
		request := time.Since(began)
		_, _ = stream.Write([]byte("response"))
		_ = stream.Close()
		p.served <- served{<-complete, request, conn.ConnectionState().Used0RTT}
	}
}

// ask sends a request on a connection and waits for the response.
func ask(t *testing.T, conn *quic.Conn) {
	t.Helper()
	stream, err := conn.OpenStream()
	if err != nil {
		t.Fatal(err)
	}
	_, _ = stream.Write([]byte("request"))
	_ = stream.Close()
	if answer, err := io.ReadAll(stream); err != nil || string(answer) != "response" {
		t.Errorf("%q, %v", answer, err)
	}
}

// TestQUIC: a handshake takes one round trip, a Retry one more; a lost Initial
// costs one timer.
func TestQUIC(t *testing.T) {
	for _, c := range []struct {
		name     string
		groups   []tls.CurveID
		retry    bool
		initials int           // datagrams of the ClientHello
		lose     int           // datagram of the client, from 1
		client   time.Duration // when its handshake is complete
	}{
		{"one Initial", []tls.CurveID{tls.X25519}, false, 1, 0, 2 * oneWay},
		{"two Initials of a hybrid key", []tls.CurveID{tls.X25519MLKEM768}, false, 2, 0, 2 * oneWay},
		{"Retry", []tls.CurveID{tls.X25519}, true, 1, 0, 4 * oneWay},
		{"one Initial, lost", []tls.CurveID{tls.X25519}, false, 1, 1, probe + 2*oneWay},
		// The other is acknowledged after a round trip, which shows what is missing.
		{"two Initials, the first lost", []tls.CurveID{tls.X25519MLKEM768}, false, 2, 1, overdue + 2*oneWay},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newQUIC(t, c.retry, c.groups...)
				defer p.close()
				began, sent, atOnce := time.Now(), 0, 0
				p.network.Up.Filter(func([]byte) bool {
					sent++
					if time.Since(began) == 0 {
						atOnce++
					}
					return sent == c.lose
				})
				conn, err := p.client.Dial(t.Context(), p.network.Server.LocalAddr(), p.tls, nil)
				if err != nil {
					t.Fatal(err)
				}
				client := time.Since(began)
				ask(t, conn)
				response := time.Since(began)
				server := <-p.served
				if client != c.client || server.complete != c.client+oneWay || atOnce != c.initials {
					t.Errorf("client %v, server %v, %d Initials, want %v, %v and %d", client, server.complete, atOnce, c.client, c.client+oneWay, c.initials)
				}
				if server.request != client+oneWay || response != client+2*oneWay || server.early {
					t.Errorf("request after %v, response after %v, early %v", server.request, response, server.early)
				}
			})
		})
	}
}

// TestQUICEarly: a request in 0-RTT is at the server after half a round trip, and
// its response at the client after one, when the handshake is not yet complete at
// the server.
func TestQUICEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newQUIC(t, false, tls.X25519)
		defer p.close()
		began := time.Now()
		first, err := p.client.Dial(t.Context(), p.network.Server.LocalAddr(), p.tls, nil)
		if err != nil {
			t.Fatal(err)
		}
		ask(t, first)
		<-p.served
		_ = first.CloseWithError(0, "")
		time.Sleep(time.Second)

		again := time.Since(began)
		second, err := p.client.DialEarly(t.Context(), p.network.Server.LocalAddr(), p.tls, nil)
		if err != nil {
			t.Fatal(err)
		}
		ask(t, second)
		response := time.Since(began) - again
		server := <-p.served
		if !server.early || !second.ConnectionState().Used0RTT {
			t.Fatal("no 0-RTT")
		}
		if server.request-again != oneWay || response != 2*oneWay || server.complete-again != 3*oneWay {
			t.Errorf("request after %v, response after %v, server complete after %v", server.request-again, response, server.complete-again)
		}
	})
}
