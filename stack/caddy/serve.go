package caddy

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"shakedown/driver"
)

// startPatience bounds the start of Caddy, which takes a fifth of a second.
const startPatience = 30 * time.Second

// mostAccounts are kept between two reports; then they are printed without
// being asked for.
const mostAccounts = 2 * driver.MaxBlock

// server is the verb serve: one Caddy, its log, and the commands.
type server struct {
	cfg     driver.Config
	out     *printer
	site    *site
	caddy   *child
	pump    *pump
	journal journal
	address string // over TLS
	markers string // plain HTTP, for the driver alone
	marks   int    // asked for so far
	stop    <-chan os.Signal

	count   int           // accounts since the last report
	cpu     time.Duration // of Caddy, at the last report
	idle    int64         // bytes resident at the end of the set-up
	sockets int           // of a Caddy without connections
}

func serve(cfg driver.Config, stdin io.Reader, out *printer) error {
	stop := interruptions()
	program, err := Find(context.Background(), chosen())
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "shakedown-caddy-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := &server{cfg: cfg, out: out, stop: stop}
	if s.site, err = newSite(dir, cfg); err != nil {
		return err
	}
	if err := s.open(program); err != nil {
		return err
	}
	defer s.close()
	if err := s.ready(); err != nil {
		return blame(cfg, func() (abilities, error) { return probe(program) }, err)
	}
	return s.loop(commandsOf(stdin))
}

// interruptions are the signals that end a driver in order. It listens for them
// before it leaves anything on the machine.
func interruptions() <-chan os.Signal {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	return stop
}

// open starts Caddy on two sockets that listen already, so that no port can be
// taken away in between.
func (s *server) open(program Program) error {
	lab, err := listen(s.cfg.Listen)
	if err != nil {
		return err
	}
	defer lab.Close()
	marker, err := listen("127.0.0.1:0")
	if err != nil {
		return err
	}
	defer marker.Close()
	s.address, s.markers = lab.Addr().String(), "http://"+marker.Addr().String()
	return s.start(program, lab, marker)
}

// listen opens a plain TCP socket, as the other drivers do.
func listen(address string) (*net.TCPListener, error) {
	config := net.ListenConfig{KeepAlive: -1}
	config.SetMultipathTCP(false)
	l, err := config.Listen(context.Background(), "tcp", address)
	if err != nil {
		return nil, err
	}
	return l.(*net.TCPListener), nil
}

// start hands the sockets and a pipe for the log to Caddy.
func (s *server) start(program Program, sockets ...*net.TCPListener) error {
	log, out, err := os.Pipe()
	if err != nil {
		return err
	}
	defer out.Close()
	var files []*os.File
	for _, socket := range sockets {
		file, err := socket.File()
		if err != nil {
			return errors.Join(err, log.Close())
		}
		defer file.Close()
		files = append(files, file)
	}
	widen(log)
	if s.caddy, err = start(program, s.site.dir, s.site.config(), out, files...); err != nil {
		return errors.Join(err, log.Close())
	}
	s.pump = newPump(log)
	return nil
}

func (s *server) close() {
	close(s.pump.done)
	s.caddy.stop()
}

// ready waits until Caddy answers over TLS, forgets what that left in the log,
// and says so.
func (s *server) ready() error {
	answered := make(chan struct{})
	ctx, cancel := context.WithTimeout(context.Background(), startPatience)
	defer cancel()
	go func() {
		knock(ctx, s.address)
		close(answered)
	}()
	if err := s.until(startPatience, func() bool { return isClosed(answered) }); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return fmt.Errorf("caddy does not answer over TLS: %s", lastWords(s.caddy.said.String()))
	}
	if err := s.mark(); err != nil {
		return err
	}
	s.journal.list, s.sockets = nil, socketsOf(s.caddy.pid())
	s.idle = residentNow(s.caddy.pid())
	line := driver.Ready{Kind: driver.KindReady, PID: s.caddy.pid(), Address: s.address}
	if s.cfg.Cert == "" {
		line.CA = s.site.root()
	}
	s.out.add(line)
	s.restart()
	return s.out.flush()
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// loop takes in the log, and obeys commands until they end.
func (s *server) loop(commands <-chan string) error {
	for {
		select {
		case line, more := <-commands:
			if !more {
				return nil
			}
			if err := s.obey(line); err != nil {
				return err
			}
		case piece, open := <-s.pump.pieces:
			if !open {
				return s.caddy.failure()
			}
			if err := s.takeIn(piece); err != nil {
				return err
			}
		case <-s.stop:
			return nil
		}
	}
}

// takeIn keeps a piece of the log, and prints accounts when there are too many.
func (s *server) takeIn(piece []byte) error {
	s.journal.add(piece)
	if len(s.journal.list) < mostAccounts {
		return nil
	}
	s.tell()
	return s.out.flush()
}

// tell prints the accounts that were read.
func (s *server) tell() {
	for _, account := range s.journal.list {
		s.out.add(account)
	}
	s.count += len(s.journal.list)
	s.journal.list = s.journal.list[:0]
}

// until takes in the log until done says that it is enough. The error is about
// Caddy, or that the time is over.
func (s *server) until(patience time.Duration, done func() bool) error {
	late := time.After(patience)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		s.pump.wake()
		if done() {
			return nil
		}
		select {
		case piece, open := <-s.pump.pieces:
			if !open {
				return s.caddy.failure()
			}
			if err := s.takeIn(piece); err != nil {
				return err
			}
		case <-tick.C:
		case <-late:
			return errLate
		}
	}
}

// errLate is that something took longer than it was given.
var errLate = errors.New("caddy does not answer in time")

// commandsOf reads the lines of standard input; the channel is closed at its
// end.
func commandsOf(stdin io.Reader) <-chan string {
	const maxCommand = 256 // bytes of a line
	commands := make(chan string)
	go func() {
		defer close(commands)
		scan := bufio.NewScanner(stdin)
		scan.Buffer(make([]byte, maxCommand), maxCommand)
		for scan.Scan() {
			if line := strings.TrimSpace(scan.Text()); line != "" {
				commands <- line
			}
		}
		if scan.Err() != nil {
			commands <- "a line that is too long"
		}
	}()
	return commands
}
