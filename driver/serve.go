package driver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
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
	early    func([]byte) []byte // takes early data, nil in other modes
	buf      []byte
	response []byte

	r        *outcome // the connection at hand
	got      int      // bytes of its request
	answered bool     // its response went out before the handshake was over
}

// command is a line of standard input; an empty one is its end.
type command struct {
	line string
	err  error
}

func serve(p *program, cfg Config) error {
	s := &server{
		program: p, cfg: cfg, meter: meter{on: cfg.Memory},
		commands: make(chan command, 1), done: make(chan struct{}),
		buf: make([]byte, MaxApp), response: bytes.Repeat([]byte{'r'}, cfg.Response),
		outcomes: newOutcomes("server", firstOutcomes),
	}
	if cfg.Mode == string(spec.ModeEarlyData) {
		s.early = s.takeEarly
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

// open makes the context and listens, on a plain TCP socket with TCP_NODELAY
// and nothing else that Go adds, as the other drivers do.
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
	s.r, s.got, s.answered = s.outcomes.add(), 0, false
	s.r.Accepted = accepted
	s.r.Port = portOf(raw.RemoteAddr())
	conn := s.side.Open(raw)
	err := s.exchange(conn)
	s.r.end(conn, err)
	for err == nil {
		_, err = conn.Read(s.buf)
	}
	_ = conn.Close(s.r.OK)
	s.count++
	if len(s.outcomes.list) == mostOutcomes {
		s.outcomes.print(s.out, false)
		s.outcomes.list = s.outcomes.list[:0]
		_ = s.out.flush()
	}
	s.outcomes.list = slices.Grow(s.outcomes.list, 1) // now, not within the next handshake
}

// exchange is the handshake, the request whole, and the response.
func (s *server) exchange(conn Conn) error {
	if err := s.handshake(conn); err != nil {
		return err
	}
	s.r.Complete = s.clock.now()
	for s.got < s.cfg.Request {
		n, err := conn.Read(s.buf)
		s.take(n)
		if err != nil && s.got < s.cfg.Request {
			return err
		}
	}
	if s.answered {
		return nil
	}
	_, err := conn.Write(s.response)
	return err
}

func (s *server) handshake(conn Conn) error {
	if s.early == nil {
		return conn.Handshake()
	}
	return conn.(EarlyConn).HandshakeEarly(s.early)
}

// take counts application data; the first marks the request.
func (s *server) take(n int) {
	if n > 0 && s.r.Request == 0 {
		s.r.Request = s.clock.now()
	}
	s.got += n
}

// takeEarly answers early data as soon as it is the whole request.
func (s *server) takeEarly(b []byte) []byte {
	s.take(len(b))
	if s.answered || s.got < s.cfg.Request {
		return nil
	}
	s.answered = true
	return s.response
}

func portOf(a net.Addr) int {
	if tcp, ok := a.(*net.TCPAddr); ok {
		return tcp.Port
	}
	return 0
}
