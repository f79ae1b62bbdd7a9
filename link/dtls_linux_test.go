package link

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	pion "github.com/pion/dtls/v4"
	"github.com/pion/dtls/v4/pkg/protocol"
)

// datagrams opens the sockets of both sides.
func datagrams(t *testing.T, n *Network) (client, server net.PacketConn) {
	t.Helper()
	listen := func(c *net.PacketConn, a netip.Addr) func() error {
		return func() (err error) {
			*c, err = net.ListenPacket("udp", netip.AddrPortFrom(a, 0).String())
			return err
		}
	}
	from, to := n.addresses()
	if err := n.AtClient(listen(&client, from)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	if err := n.AtServer(listen(&server, to)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return client, server
}

// agree makes a DTLS handshake of a version, and returns how long the client took.
func agree(t *testing.T, n *Network, version protocol.Version) time.Duration {
	t.Helper()
	ofClient, ofServer := configs(t, identity)
	from, to := datagrams(t, n)
	client, err := pion.Client(from, to.LocalAddr(), pion.WithRootCAs(ofClient.RootCAs), pion.WithServerName(ofClient.ServerName),
		pion.WithMinVersion(version), pion.WithMaxVersion(version))
	if err != nil {
		t.Fatal(err)
	}
	server, err := pion.Server(to, from.LocalAddr(), pion.WithCertificates(ofServer.Certificates...),
		pion.WithMinVersion(version), pion.WithMaxVersion(version))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	begin := time.Now()
	var both sync.WaitGroup
	both.Go(func() {
		if err := server.HandshakeContext(ctx); err != nil {
			t.Error(err)
		}
	})
	if err := client.HandshakeContext(ctx); err != nil {
		t.Error(err)
	}
	complete := time.Since(begin)
	both.Wait()
	_, _ = client.Close(), server.Close()
	return complete
}

// TestDTLS: messages are found in datagrams too, and a handshake completes when each
// thing has to be said twice.
func TestDTLS(t *testing.T) {
	t.Parallel()
	const timer = time.Second // RFC 6347 4.2.4.1, RFC 9147 5.8.2
	for name, version := range map[string]protocol.Version{"1.2": protocol.Version1_2, "1.3": protocol.Version1_3} {
		for settings, least := range map[string]struct {
			up, down int // packets that are dropped
			time     time.Duration
		}{
			"drop=ClientHello": {1, 0, timer},
			"drop=ServerHello": {0, 1, timer},
			"drop=client#1":    {1, 0, timer},
			"drop=each":        {2, 2, 2 * timer},
		} {
			t.Run(name+" "+settings, func(t *testing.T) {
				t.Parallel()
				n := open(t, fmt.Sprintf("delay=5ms,family=6,%s", settings))
				took := agree(t, n, version)
				r := report(t, n)
				if took < least.time || r.Up.Filtered < least.up || r.Down.Filtered < least.down ||
					settings != "drop=each" && r.Up.Filtered+r.Down.Filtered > 1 {
					t.Errorf("complete after %v, up %+v, down %+v", took, r.Up, r.Down)
				}
			})
		}
	}
}
