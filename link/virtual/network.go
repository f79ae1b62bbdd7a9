package virtual

import (
	"cmp"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/quic-go/quic-go/testutils/simnet"

	"shakedown/link/profile"
	"shakedown/link/shape"
)

// Bytes of the headers that a datagram has in a packet (RFC 791 3.1, RFC 8200 3,
// RFC 768).
const (
	header4 = 20 + 8
	header6 = 40 + 8
)

// Ports of the two sides: that of HTTPS, and the first that IANA keeps free for
// clients (RFC 6335 6).
const (
	serverPort = 443
	clientPort = 49152
)

// Network is a link at work.
type Network struct {
	Client, Server net.PacketConn // each reaches the other at its LocalAddr, and nobody else
	Up, Down       *Direction     // client to server, server to client

	sim     simnet.Simnet
	closing sync.Once
}

// New makes a link. The seed decides every chance, and gives the n-th packet of a
// direction the fate that it has on an emulated link. Packets longer than the MTU
// are dropped without a word. A bubble must contain both New and Close. The error
// wraps a *[profile.Impossible], or refuses a profile with PathMTU or Aim.
func New(p profile.Profile, seed uint64) (*Network, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if p.PathMTU.Bytes > 0 || len(p.Aim) > 0 {
		return nil, errors.New("pmtu, drop and hold are not for links in virtual time: Filter drops there")
	}
	client, server, header := addresses(p.Family)
	now := time.Now()
	n := &Network{
		Up:   newDirection(now, p.Up, p.Frames, shape.Seed(seed, 0), header),
		Down: newDirection(now, p.Down, p.Frames, shape.Seed(seed, 1), header),
	}
	n.Up.from, n.Up.to, n.Down.from, n.Down.to = client, server, server, client
	n.sim.Router = router{server.String(): n.Up, client.String(): n.Down}
	mtu := simnet.LinkSettings{MTU: cmp.Or(p.MTU, profile.DefaultMTU) - header}
	settings := simnet.NodeBiDiLinkSettings{Uplink: mtu, Downlink: mtu}
	n.Client = conn{n.sim.NewEndpoint(client, settings)}
	n.Server = conn{n.sim.NewEndpoint(server, settings)}
	return n, n.sim.Start()
}

// Close ends the link and both connections. What is under way is lost.
func (n *Network) Close() (err error) {
	n.closing.Do(func() {
		_, _ = n.Client.Close(), n.Server.Close()
		n.Up.close()
		n.Down.close()
		err = n.sim.Close()
	})
	return err
}

// addresses are those of client and server, private ones of a family, and the bytes
// of its headers.
func addresses(family int) (client, server *net.UDPAddr, header int) {
	client = &net.UDPAddr{IP: net.IPv4(10, 64, 0, 1), Port: clientPort}
	server = &net.UDPAddr{IP: net.IPv4(10, 64, 0, 2), Port: serverPort}
	if family == 6 {
		client.IP, server.IP = net.ParseIP("fd00:64::1"), net.ParseIP("fd00:64::2")
		return client, server, header6
	}
	return client, server, header4
}

// router knows the direction that leads to each address.
type router map[string]*Direction

// AddNode is told who takes the packets for an address.
func (r router) AddNode(addr net.Addr, receiver simnet.PacketReceiver) {
	r[addr.String()].receiver = receiver
}

// SendPacket takes a packet. One for an unknown address, or for the sender's own,
// is lost.
func (r router) SendPacket(p simnet.Packet) error {
	if d, known := r[p.To.String()]; known && p.From == net.Addr(d.from) {
		d.enter(p.Data)
	}
	return nil
}
