package driver

import (
	"bytes"
	"net"
	"os"
	"time"

	"shakedown/spec"
)

// client is the verb connect: blocks of handshakes, one after another.
type client struct {
	*program
	cfg      Config
	side     Side
	dialer   *dialer
	outcomes *outcomes
	meter    meter
	request  []byte
	response int // bytes to wait for
	buf      []byte
	primed   bool          // a prime handshake was made
	primeCPU time.Duration // of this block's prime handshakes
}

func connect(p *program, cfg Config) error {
	c := &client{
		program: p, cfg: cfg, meter: meter{on: cfg.Memory}, buf: make([]byte, MaxApp),
		request: bytes.Repeat([]byte{'q'}, cfg.Request), response: cfg.Response,
	}
	if cfg.RequestText != "" {
		c.request, c.response = []byte(cfg.RequestText), 1
	}
	var err error
	if c.side, err = p.stack.Client(cfg); err != nil {
		return err
	}
	if c.dialer, err = newDialer(cfg.To, cfg.Timeout); err != nil {
		return err
	}
	c.meter.ready()
	p.out.add(Ready{Kind: KindReady, PID: os.Getpid()})
	if err := p.out.flush(); err != nil {
		return err
	}
	return p.blocks(cfg.Count, c.block)
}

// block makes n handshakes that count, and the prime ones that they need.
func (c *client) block(n int) error {
	c.outcomes = newOutcomes("client", 2*n)
	c.primeCPU = 0
	c.meter.restart()
	cpu := cpuTime()
	for range n {
		if !c.needsPrime() || c.prime() {
			c.once(c.cfg.Mode == string(spec.ModeEarlyData) && c.side.HasSession())
		}
	}
	cpu = cpuTime() - cpu - c.primeCPU
	c.outcomes.print(c.out, true)
	c.outcomes.print(c.out, false)
	c.out.add(Block{Kind: KindBlock, Count: n, CPU: cpu.Seconds(), Memory: c.meter.read()})
	return c.out.flush()
}

func (c *client) resumes() bool { return c.cfg.Mode != string(spec.ModeFull) }

// skips tells of the fault that saves the session before a ticket was read.
func (c *client) skips() bool { return c.cfg.Fault == "skip-ticket" }

// needsPrime tells whether there is no session for the next handshake. With
// the fault one attempt to get one has to do.
func (c *client) needsPrime() bool {
	if c.skips() {
		return c.resumes() && !c.primed
	}
	return c.resumes() && !c.side.HasSession()
}

// prime makes a full handshake for its session. Where it leaves none, the
// handshake that needed it has failed.
func (c *client) prime() bool {
	cpu := cpuTime()
	r := c.once(false)
	r.Prime, c.primed = true, true
	c.primeCPU += cpuTime() - cpu
	if c.skips() || c.side.HasSession() {
		return true
	}
	detail := "the full handshake before left no session to resume"
	if !r.OK {
		detail = "the full handshake before failed: " + r.Reason
	}
	c.outcomes.add().fail(Failure{Reason: ReasonNoSession, Detail: detail})
	return false
}

// once is one handshake from dial to close.
func (c *client) once(early bool) *outcome {
	r := c.outcomes.add()
	r.Dial = c.clock.now()
	deadline := time.Now().Add(c.cfg.Timeout)
	raw, err := c.dialer.dial(deadline)
	if err != nil {
		r.end(nil, err)
		return r
	}
	r.Connected = c.clock.now()
	r.Port = portOf(raw.LocalAddr())
	_ = raw.SetDeadline(deadline)
	c.exchange(raw, r, early)
	return r
}

// exchange is all that the stack does on a connected socket.
func (c *client) exchange(raw net.Conn, r *outcome, early bool) {
	r.Start = c.clock.now()
	conn := c.side.Open(raw)
	err := c.ask(conn, r, early)
	if err == nil && c.skips() {
		conn.SaveSession()
	}
	if err == nil {
		err = c.answer(conn, r)
	}
	r.end(conn, err)
	if err == nil && c.resumes() && !c.skips() {
		conn.SaveSession()
	}
	_ = conn.Close(err == nil)
}

// ask is the handshake and the request. Early data that is rejected is sent
// again.
func (c *client) ask(conn Conn, r *outcome, early bool) error {
	if early {
		if err := conn.(EarlyConn).WriteEarly(c.request); err != nil {
			return err
		}
	}
	if err := conn.Handshake(); err != nil {
		return err
	}
	r.Complete = c.clock.now()
	if early && conn.Proof().Early == EarlyAccepted {
		return nil
	}
	_, err := conn.Write(c.request)
	if err != nil {
		return c.lastWord(conn, err)
	}
	return nil
}

// lastWord looks for an alert behind a write that failed: a server of TLS 1.3
// may refuse the client, and close, after the client was done.
func (c *client) lastWord(conn Conn, err error) error {
	if _, said := conn.Read(c.buf); said != nil && netReason(said) == "" {
		return said
	}
	return err
}

// answer reads the response whole; its first byte is the last mark.
func (c *client) answer(conn Conn, r *outcome) error {
	for got := 0; got < c.response; {
		n, err := conn.Read(c.buf)
		if n > 0 && got == 0 {
			r.Response = c.clock.now()
		}
		got += n
		if err != nil && got < c.response {
			return err
		}
	}
	return nil
}
