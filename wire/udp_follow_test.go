package wire_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"shakedown/wire"
	"shakedown/wire/dtls"
	"shakedown/wire/quic"
)

// udpFlow follows the datagrams between two endpoints in the way that an observer
// would.
type udpFlow struct {
	t    *testing.T
	dtls struct {
		conns   []*udpConn
		joiners map[string]*dtls.Reassembler
		parts   map[string]*progress // by sender and message_seq
	}
	quic struct {
		conns      []*quicConn
		negotiated bool
	}
}

// progress counts the datagrams that brought something new of a message.
type progress struct{ first, last, datagrams int }

func (p *progress) note(frame int) {
	if p.first == 0 {
		p.first = frame
	}
	if p.last != frame {
		p.last, p.datagrams = frame, p.datagrams+1
	}
}

func (f *udpFlow) addDTLS(d datagram) {
	for rest := d.data; len(rest) > 0; {
		record, next, err := dtls.NextRecord(rest, 0)
		if err != nil {
			return
		}
		rest = next
		if record.Type == wire.ContentHandshake && record.Epoch == 0 {
			f.addFragments(d, record.Fragment)
		}
	}
}

func (f *udpFlow) addFragments(d datagram, content []byte) {
	for len(content) > 0 {
		fragment, rest, err := dtls.NextFragment(content)
		if err != nil {
			return
		}
		content = rest
		f.addFragment(d, fragment)
	}
}

func (f *udpFlow) joiner(src string) *dtls.Reassembler {
	if f.dtls.joiners == nil {
		f.dtls.joiners, f.dtls.parts = map[string]*dtls.Reassembler{}, map[string]*progress{}
	}
	if f.dtls.joiners[src] == nil {
		f.dtls.joiners[src] = &dtls.Reassembler{Limit: 1 << 16}
	}
	return f.dtls.joiners[src]
}

func (f *udpFlow) addFragment(d datagram, fragment dtls.Fragment) {
	joiner := f.joiner(d.src)
	if joiner.Begins(fragment) {
		f.joiner(d.src).Reset()
		f.joiner(d.dst).Reset()
		clear(f.dtls.parts)
	}
	fresh, err := joiner.Push(fragment)
	if err != nil {
		f.t.Errorf("frame %d: %v", d.frame, err)
	}
	key := fmt.Sprint(d.src, fragment.Type, fragment.Seq)
	if f.dtls.parts[key] == nil {
		f.dtls.parts[key] = &progress{}
	}
	if fresh {
		f.dtls.parts[key].note(d.frame)
	}
	if m, err := joiner.Next(); err == nil {
		f.addMessage(d, m, *f.dtls.parts[key])
	}
}

func (f *udpFlow) addMessage(d datagram, m dtls.Message, parts progress) {
	if m.Type == wire.TypeClientHello {
		f.addDTLSHello(d, m, parts)
	}
	if len(f.dtls.conns) == 0 {
		return
	}
	c := f.dtls.conns[len(f.dtls.conns)-1]
	switch m.Type {
	case wire.TypeHelloVerifyRequest:
		c.verify = true
	case wire.TypeServerHello:
		c.addServerHello(f.t, m.Body, m.Size(), parts.first)
	case wire.TypeCertificate:
		c.full = true
	case wire.TypeServerKeyExchange:
		if len(m.Body) > 2 && m.Body[0] == 3 {
			c.group = wire.Codes(m.Body[1:]).At(0)
		}
	default:
	}
}

func (f *udpFlow) addDTLSHello(d datagram, m dtls.Message, parts progress) {
	h := helloSeen{size: m.Size(), parts: parts}
	if err := h.hello.ParseDTLS(bytes.Clone(m.Body)); err != nil {
		f.t.Error(err)
	}
	n := len(f.dtls.conns)
	if n > 0 && bytes.Equal(f.dtls.conns[n-1].hellos[0].hello.Random, h.hello.Random) {
		f.dtls.conns[n-1].addClientHello(h)
		return
	}
	c := &udpConn{transport: "dtls", client: d.src, server: d.dst}
	c.addClientHello(h)
	f.dtls.conns = append(f.dtls.conns, c)
}

// quicConn is a connection with the state that its packets need.
type quicConn struct {
	udpConn
	initials quic.Initials
	retries  [][]byte
	parts    map[bool]*progress // of the client, of the server
}

func (f *udpFlow) addQUIC(d datagram) {
	for rest := d.data; len(rest) > 0; {
		p, next, err := quic.NextPacket(rest)
		switch {
		case p.Type == quic.PacketInitial && err != nil && len(f.quic.conns) == 0:
			f.beginQUIC(d, p)
		case p.Type == quic.PacketInitial && err == nil:
			f.addInitial(d, p)
		case err == nil:
			f.addOther(p)
		}
		if err != nil {
			return
		}
		rest = next
	}
}

func (f *udpFlow) addOther(p quic.Packet) {
	if p.Type == quic.PacketVersionNegotiation {
		f.quic.negotiated = true
	}
	if p.Type != quic.PacketRetry || len(f.quic.conns) == 0 {
		return
	}
	c := f.quic.conns[len(f.quic.conns)-1]
	if p.CheckRetry(c.initials.DCID()) || len(c.retries) > 0 {
		c.retries = append(c.retries, bytes.Clone(p.SCID))
		c.extra["quic_retry"] = true
	}
}

func (f *udpFlow) beginQUIC(d datagram, p quic.Packet) *quicConn {
	c := &quicConn{}
	c.transport, c.client, c.server = "quic", d.src, d.dst
	c.extra = map[string]any{"quic_version": fmt.Sprintf("0x%08x", p.Version)}
	if f.quic.negotiated {
		c.extra["quic_version_negotiation"] = true
	}
	c.parts = map[bool]*progress{true: {}, false: {}}
	c.initials.Start(p.DCID)
	f.quic.conns = append(f.quic.conns, c)
	return c
}

func (f *udpFlow) addInitial(d datagram, p quic.Packet) {
	for _, c := range slices.Backward(f.quic.conns) {
		if c.open(f.t, d, p) {
			return
		}
	}
	var fresh quic.Initials
	fresh.Start(p.DCID)
	if _, err := fresh.Open(nil, p, true); err != nil {
		return
	}
	if n := len(f.quic.conns); n > 0 {
		c := f.quic.conns[n-1]
		if slices.ContainsFunc(c.retries, func(id []byte) bool { return bytes.Equal(id, p.DCID) }) {
			c.initials.Start(p.DCID)
			c.open(f.t, d, p)
			return
		}
	}
	f.beginQUIC(d, p).open(f.t, d, p)
}

// open opens an Initial packet and takes the messages that it made whole.
func (c *quicConn) open(t *testing.T, d datagram, p quic.Packet) bool {
	t.Helper()
	frames, err := c.initials.Open(nil, p, d.src == c.client)
	if err != nil {
		return false
	}
	fromClient := d.src == c.client
	stream := c.initials.Stream(fromClient)
	for len(frames) > 0 {
		frame, rest, err := quic.NextFrame(frames)
		if err != nil {
			t.Errorf("frame %d: %v", d.frame, err)
			break
		}
		fresh, err := stream.Push(frame)
		if err != nil {
			t.Errorf("frame %d: %v", d.frame, err)
		}
		if frames = rest; fresh {
			c.parts[fromClient].note(d.frame)
		}
	}
	c.take(t, stream, c.parts[fromClient])
	return true
}

func (c *quicConn) take(t *testing.T, stream *quic.CryptoStream, parts *progress) {
	t.Helper()
	for ; ; *parts = (progress{}) {
		m, err := stream.Next()
		if err != nil {
			return
		}
		switch m.Type {
		case wire.TypeClientHello:
			h := helloSeen{size: len(m.Raw), parts: *parts}
			if err := h.hello.Parse(bytes.Clone(m.Body)); err != nil {
				t.Error(err)
			}
			c.addClientHello(h)
		case wire.TypeServerHello:
			c.addServerHello(t, m.Body, len(m.Raw), parts.first)
		default:
			t.Errorf("%s in an Initial packet", m.Type)
		}
	}
}
