package driver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"shakedown/spec"
)

// Outcomes that a server keeps between two reports.
const (
	firstOutcomes = 512          // room made before the first connection
	mostOutcomes  = 2 * MaxBlock // then they are printed without being asked for
)

// server is the verb serve: connections one after another, in the order in
// which they arrive.
type server struct {
	*program
	cfg      Config
	side     Side
	listener *net.TCPListener
	commands chan command
	done     chan struct{} // the command was obeyed
	outcomes *outcomes
	count    int           // connections since the last report
	cpu      time.Duration // at the last report
	meter    meter
	early    bool
	buf      []byte
	response []byte
}

// command is a line of standard input; an empty one is its end.
type command struct {
	line string
	err  error
}

func serve(p *program, cfg Config) error {
	s := &server{
		program: p, cfg: cfg, meter: meter{on: cfg.Memory}, early: cfg.Mode == string(spec.ModeEarlyData),
		commands: make(chan command, 1), done: make(chan struct{}),
		buf: make([]byte, MaxApp), response: bytes.Repeat([]byte{'r'}, cfg.Response),
		outcomes: newOutcomes("server", firstOutcomes),
	}
	if err := s.open(); err != nil {
		return err
	}
	defer s.listener.Close()
	s.meter.ready()
	s.out.add(Ready{Kind: KindReady, PID: os.Getpid(), Address: s.listener.Addr().String()})
	s.cpu = cpuTime()
	if err := s.out.flush(); err != nil {
		return err
	}
	go s.listen()
	return s.loop()
}

func (s *server) open() error {
	side, err := s.stack.Server(s.cfg)
	if err != nil {
		return err
	}
	config := net.ListenConfig{KeepAlive: -1}
	config.SetMultipathTCP(false)
	l, err := config.Listen(context.Background(), "tcp", s.cfg.Listen)
	if err != nil {
		return err
	}
	s.side, s.listener = side, l.(*net.TCPListener)
	return nil
}

// listen reads commands. For each it ends the loop's wait for connections and
// waits until it is obeyed.
func (s *server) listen() {
	for {
		line, err := s.lines.next()
		s.commands <- command{line, err}
		_ = s.listener.SetDeadline(time.Unix(1, 0))
		<-s.done
	}
}

// loop serves connections, and commands when there is one.
func (s *server) loop() error {
	for {
		conn, err := s.listener.Accept()
		switch {
		case err == nil:
			s.connection(conn)
		case !errors.Is(err, os.ErrDeadlineExceeded):
			return err
		default:
			if err := s.listener.SetDeadline(time.Time{}); err != nil {
				return err
			}
			c := <-s.commands
			if c.err != nil || c.line == "" {
				return c.err
			}
			if err := s.obey(c.line); err != nil {
				return err
			}
			s.done <- struct{}{}
		}
	}
}

// obey serves all that are pending and then the command.
func (s *server) obey(line string) error {
	if line != "report" {
		return usage(fmt.Errorf("unknown command %.80q, there is \"report\"", line))
	}
	for {
		conn, err := acceptPending(s.listener)
		if err != nil {
			return err
		}
		if conn == nil {
			return s.report()
		}
		s.connection(conn)
	}
}

func (s *server) report() error {
	cpu := cpuTime() - s.cpu
	s.outcomes.print(s.out, false)
	s.out.add(Report{Kind: KindReport, Count: s.count, CPU: cpu.Seconds(), Memory: s.meter.read()})
	s.outcomes.list, s.count = s.outcomes.list[:0], 0
	s.meter.restart()
	s.cpu = cpuTime()
	return s.out.flush()
}

// connection is one connection from the handshake to the client's end.
func (s *server) connection(raw net.Conn) {
	accepted := s.clock.now()
	_ = raw.SetDeadline(time.Now().Add(s.cfg.Timeout))
	r := s.outcomes.add()
	r.Accepted = accepted
	r.Port = portOf(raw.RemoteAddr())
	conn := s.side.Open(raw)
	err := s.exchange(conn, r)
	r.end(conn, err)
	for err == nil {
		_, err = conn.Read(s.buf)
	}
	_ = conn.Close(r.OK)
	s.count++
	if len(s.outcomes.list) == mostOutcomes {
		s.outcomes.print(s.out, false)
		s.outcomes.list = s.outcomes.list[:0]
		_ = s.out.flush()
	}
}

// exchange is the handshake, the request whole, and the response.
func (s *server) exchange(conn Conn, r *outcome) error {
	t := transfer{server: s, r: r}
	if err := t.handshake(conn); err != nil {
		return err
	}
	r.Complete = s.clock.now()
	for t.got < s.cfg.Request {
		n, err := conn.Read(s.buf)
		t.add(n)
		if err != nil && t.got < s.cfg.Request {
			return err
		}
	}
	if t.answered {
		return nil
	}
	_, err := conn.Write(s.response)
	return err
}

// transfer counts the request of one connection.
type transfer struct {
	*server
	r        *outcome
	got      int  // bytes of the request
	answered bool // the response went out before the handshake was over
}

func (t *transfer) handshake(conn Conn) error {
	if !t.early {
		return conn.Handshake()
	}
	return conn.(EarlyConn).HandshakeEarly(t.take)
}

// take answers early data as soon as it is the whole request.
func (t *transfer) take(b []byte) []byte {
	t.add(len(b))
	if t.answered || t.got < t.cfg.Request {
		return nil
	}
	t.answered = true
	return t.response
}

// add counts application data; the first marks the request.
func (t *transfer) add(n int) {
	if n > 0 && t.r.Request == 0 {
		t.r.Request = t.clock.now()
	}
	t.got += n
}

func portOf(a net.Addr) int {
	if tcp, ok := a.(*net.TCPAddr); ok {
		return tcp.Port
	}
	return 0
}
