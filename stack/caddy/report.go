package caddy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"shakedown/driver"
)

// markPatience bounds the wait for a marker, which takes a millisecond.
const markPatience = 20 * time.Second

// obey serves all that are pending and then the command.
func (s *server) obey(line string) error {
	if line != "report" {
		return &usageError{fmt.Errorf("unknown command %.80q, there is \"report\"", line)}
	}
	if err := s.settle(); err != nil {
		return err
	}
	pid := s.caddy.pid()
	told := driver.Report{Kind: driver.KindReport, CPU: (cpuOf(pid) - s.cpu).Seconds()}
	if s.cfg.Memory && memoryKind != "" {
		told.Memory = &driver.Memory{What: memoryKind, Idle: s.idle, Peak: max(s.idle, residentPeak(pid))}
	}
	if err := s.mark(); err != nil {
		return err
	}
	s.tell()
	told.Count, s.count = s.count, 0
	s.out.add(told)
	s.restart()
	return s.out.flush()
}

// restart begins the time of the next report.
func (s *server) restart() {
	if s.cfg.Memory {
		resetPeak(s.caddy.pid())
	}
	s.cpu = cpuOf(s.caddy.pid())
}

// settle waits until Caddy has closed every connection, as long as a handshake
// may take: what came of the last ones is in its log then.
func (s *server) settle() error {
	err := s.until(s.site.timeout()+time.Second, func() bool { return socketsOf(s.caddy.pid()) <= s.sockets })
	if errors.Is(err, errLate) {
		return nil // a client that holds its connection is none of this report's
	}
	return err
}

// mark asks Caddy for a page of its own, so that a line for it stands in the
// log behind those of all requests that were answered before, and reads up to
// there.
func (s *server) mark() error {
	s.marks++
	s.journal.marker, s.journal.marked = fmt.Sprintf("/mark/%d", s.marks), false
	ctx, cancel := context.WithTimeout(context.Background(), markPatience)
	defer cancel()
	answer := make(chan error, 1)
	go func() { answer <- fetch(ctx, s.markers+s.journal.marker) }()
	if err := s.until(markPatience, func() bool { return len(answer) > 0 }); err != nil {
		return err
	}
	if err := <-answer; err != nil {
		return s.caddy.silence(err)
	}
	return s.until(markPatience, func() bool { s.journal.read(); return s.journal.marked })
}

// alone is a client that keeps no connection open.
var alone = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// fetch asks for a page and reads it whole.
func fetch(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := alone.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return err
}
