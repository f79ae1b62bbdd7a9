//go:build unix

package main

import (
	"fmt"
	"time"

	"shakedown/driver"
	"shakedown/pki"
	"shakedown/stack/native"
	"shakedown/stats"
)

// sTimeCmd is `bench s-time`.
type sTimeCmd struct {
	Version []string `default:"1.3,1.2" enum:"1.2,1.3" help:"Versions of TLS."`
	effort  `set:"pairs=10"`
}

// slice is how long each measurement lasts.
const slice = 100 * time.Millisecond

// contest is a server and what s_time does there (docs/benchmarks.md says why
// there are two).
type contest struct {
	title string
	page  string // s_time and the driver fetch it; "": s_time makes the handshake alone
	judge bool   // both do the same, so there is a verdict
	last  string // title of the last column
	serve func(e *env, ours driver.Command, version string, id pki.Files) (arena, error)
}

var contests = []contest{
	{"openssl s_server: both fetch a page", pageName, true, "at least 1?", serveSServer},
	{"shakedown's serve: s_time makes the handshake alone, the driver all of its exchange", "", false, "rate, request and response left out", serveOurs},
}

// arena is a server that runs.
type arena struct {
	address string
	settle  func() error // after each measurement
	close   func()
}

// serveOurs starts the driver's server.
func serveOurs(e *env, ours driver.Command, version string, id pki.Files) (arena, error) {
	server, err := serve(e, ours, version, id)
	if err != nil {
		return arena{}, err
	}
	settle := func() error {
		_, err := server.Report(e.ctx)
		return err
	}
	return arena{server.Ready.Address, settle, func() { _ = server.Close(grace) }}, nil
}

// Run measures each contest in each version.
func (c *sTimeCmd) Run(e *env) error {
	ours, err := sameLibrary(e)
	if err != nil {
		return err
	}
	id, err := newIdentity(e)
	if err != nil {
		return err
	}
	fmt.Fprintln(e.stdout, "full handshakes, x25519, ECDSA P-256; CPU of the client, user and system")
	var verdicts []verdict
	for _, contest := range contests {
		fmt.Fprintf(e.stdout, "\n%s\n%-4s %9s %9s   %-21s   %-21s   %s\n", contest.title, "TLS", "s_time", "driver",
			"rate, driver / s_time", "CPU, driver / s_time", contest.last)
		for _, version := range c.Version {
			v, err := c.line(e, meeting{contest, ours, version, id})
			if err != nil {
				return fmt.Errorf("TLS %s: %w", version, err)
			}
			if contest.judge {
				verdicts = append(verdicts, v)
			}
		}
	}
	return outcome(verdicts)
}

// sameLibrary compiles the driver and sees that the openssl command is of the
// same library.
func sameLibrary(e *env) (driver.Command, error) {
	lib, _ := native.Find("openssl")
	ours, err := buildDriver(e, lib)
	if err != nil {
		return ours, err
	}
	info, err := driver.Describe(e.ctx, ours)
	if err != nil {
		return ours, err
	}
	version, err := opensslVersion(e)
	if err == nil && version != info.Version {
		err = fmt.Errorf("the openssl command is of %s, the driver of %s: nothing to compare", version, info.Version)
	}
	fmt.Fprintf(e.stdout, "OpenSSL %s, ", version)
	return ours, err
}

// meeting is a contest in one version.
type meeting struct {
	contest
	ours    driver.Command
	version string
	id      pki.Files
}

// speed is one measurement.
type speed struct {
	rate  float64 // handshakes per second
	alone float64 // the same, with the time of request and response left out
	cpu   float64 // of the client, seconds a handshake
}

// over is how this speed stands to another.
func (s speed) over(other speed) speed {
	return speed{s.rate / other.rate, s.alone / other.alone, s.cpu / other.cpu}
}

// line measures one version and prints a line.
func (c *sTimeCmd) line(e *env, m meeting) (verdict, error) {
	var rates [2][]float64
	var alone, cpu []float64
	rate, err := c.measure(func() (float64, error) {
		s, err := c.round(e, m, &rates)
		alone, cpu = append(alone, s.alone), append(cpu, s.cpu)
		return s.rate, err
	})
	if err != nil {
		return miss, err
	}
	v := atLeast(rate.Low, rate.High, 1)
	fmt.Fprintf(e.stdout, "%-4s %7.0f/s %7.0f/s   %s   %s   ", m.version, median(rates[0]), median(rates[1]), interval(rate), interval(ratio(cpu)))
	if m.judge {
		fmt.Fprintln(e.stdout, v)
	} else {
		fmt.Fprintln(e.stdout, interval(ratio(alone)))
	}
	return v, nil
}

// interval prints a ratio and its interval.
func interval(c stats.Comparison) string {
	return fmt.Sprintf("%.3f (%.3f – %.3f)", c.Ratio, c.Low, c.High)
}

// round starts servers and clients and returns the median ratios of pairs of
// measurements, driver to s_time. Each client has a server process of its own,
// so that one which is held in the middle of a handshake does not keep the other
// waiting.
func (c *sTimeCmd) round(e *env, m meeting, rates *[2][]float64) (speed, error) {
	theirs, err := newSTime(e, m)
	if err != nil {
		return speed{}, err
	}
	defer theirs.close()
	ours, err := newFetcher(e, m)
	if err != nil {
		return speed{}, err
	}
	defer ours.close()
	var rate, alone, cpu []float64
	for k := range c.Pairs {
		p, err := pair(k, [2]func() (speed, error){theirs.measure, ours.measure})
		if err != nil {
			return speed{}, err
		}
		rates[0], rates[1] = append(rates[0], p[0].rate), append(rates[1], p[1].rate)
		s := p[1].over(p[0])
		rate, alone, cpu = append(rate, s.rate), append(alone, s.alone), append(cpu, s.cpu)
	}
	return speed{median(rate), median(alone), median(cpu)}, nil
}

// fetcher is the driver's client and its server.
type fetcher struct {
	e      *env
	arena  arena
	client *driver.Process
	block  int // handshakes of a measurement
}

// newFetcher starts both and finds out how many handshakes fill a slice.
func newFetcher(e *env, m meeting) (*fetcher, error) {
	a, err := m.serve(e, m.ours, m.version, m.id)
	if err != nil {
		return nil, err
	}
	cfg := clientConfig(m.version, a.address, m.id)
	if m.page != "" {
		cfg.RequestText = "GET " + m.page + " HTTP/1.0\r\n\r\n"
	}
	client, err := driver.Start(e.ctx, m.ours, "connect", cfg)
	if err != nil {
		a.close()
		return nil, err
	}
	f := &fetcher{e, a, client, 20}
	s, err := f.measure()
	if err != nil {
		f.close()
		return nil, err
	}
	f.block = min(max(int(s.rate*slice.Seconds()), 5), driver.MaxBlock)
	return f, nil
}

func (f *fetcher) close() {
	_ = f.client.Close(grace)
	f.arena.close()
}

// measure makes a block of handshakes; their time is that from the first dial to
// the last.
func (f *fetcher) measure() (speed, error) {
	b, err := f.client.Run(f.e.ctx, f.block)
	if err == nil {
		err = allOK(b.Handshakes)
	}
	if err == nil {
		err = f.arena.settle()
	}
	if err != nil {
		return speed{}, err
	}
	var answered time.Duration // between the end of the handshake and the response
	for _, h := range b.Handshakes[:f.block-1] {
		answered += time.Duration(h.Response - h.Complete)
	}
	span, n := time.Duration(b.Handshakes[f.block-1].Dial-b.Handshakes[0].Dial), float64(f.block-1)
	return speed{rate: n / span.Seconds(), alone: n / (span - answered).Seconds(), cpu: b.Block.CPU / float64(f.block)}, nil
}
