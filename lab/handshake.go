package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"shakedown/driver"
	"shakedown/result"
	"shakedown/spec"
	"shakedown/stack"
)

// handshakeRig is a client driver and, unless the server is a foreign one, a
// server driver.
type handshakeRig struct {
	bench          *bench
	c              spec.Case
	clientStack    *stack.Stack
	serverStack    *stack.Stack
	client, server *driver.Process
	clientFlags    driver.Config // of the client that runs
	network        *emulation    // nil: loopback
}

func (b *bench) newHandshakeRig(ctx context.Context, c spec.Case, client, server *stack.Stack) (*handshakeRig, error) {
	r := &handshakeRig{bench: b, c: c, clientStack: client, serverStack: server}
	var err error
	if r.network, err = b.emulation(c); err != nil {
		return nil, err
	}
	if err := r.start(ctx, purpose{}); err != nil {
		return nil, errors.Join(err, r.close())
	}
	return r, nil
}

// twin is a rig of the same case that has not been started, on the same network.
func (r *handshakeRig) twin() *handshakeRig {
	return &handshakeRig{bench: r.bench, c: r.c, clientStack: r.clientStack, serverStack: r.serverStack, network: r.network}
}

// commands are how the drivers of both ends are started: here, or each on its side
// of the network.
func (r *handshakeRig) commands() (server, client driver.Command) {
	client = r.clientStack.Command
	if r.serverStack != nil {
		server = r.serverStack.Command
	}
	if r.network != nil {
		client.Launch, server.Launch = r.network.StartClient, r.network.StartServer
	}
	return server, client
}

// purpose is what processes are started for. Its zero value is to be timed.
type purpose struct {
	memory bool                                // they count memory
	keyLog string                              // file for their secrets, of those that tell them
	detour func(target string) (string, error) // gives the address that the client is sent to
}

// start starts server and client.
func (r *handshakeRig) start(ctx context.Context, to purpose) error {
	serverFlags, clientFlags, err := r.flags(to)
	if err != nil {
		return err
	}
	serverCommand, clientCommand := r.commands()
	if r.serverStack != nil {
		if r.server, err = driver.Start(ctx, serverCommand, "serve", serverFlags); err != nil {
			return fmt.Errorf("server %s: %w", r.serverStack.Name, err)
		}
		clientFlags.To, clientFlags.CA = r.server.Ready.Address, cmp.Or(r.server.Ready.CA, clientFlags.CA)
	}
	if to.detour != nil {
		clientFlags.To, err = to.detour(clientFlags.To)
	}
	r.clientFlags = clientFlags
	if err == nil {
		r.client, err = driver.Start(ctx, clientCommand, "connect", clientFlags)
	}
	if err != nil {
		_ = r.stop()
		return fmt.Errorf("client %s: %w", r.clientStack.Name, err)
	}
	return nil
}

// flags makes the flags of server and client.
func (r *handshakeRig) flags(to purpose) (server, client driver.Config, err error) {
	common := r.bench.side(r.c)
	common.Memory = to.memory
	server, client = common, common
	server.Listen = "127.0.0.1:0"
	if r.network != nil {
		server.Listen = r.network.ServerAddress()
	}
	client.Fault = r.bench.set.Fault
	client.KeyLog = keyLogOf(r.clientStack, to.keyLog)
	if r.c.Retry {
		client.Groups = []string{firstShare(r.c, r.clientStack, r.serverStack), r.c.Group}
	}
	if r.serverStack == nil {
		r.bench.foreign(r.c, &client)
		return server, client, nil
	}
	server.KeyLog = keyLogOf(r.serverStack, to.keyLog)
	if r.serverStack.Info.Application == applicationHTTP {
		client.RequestText = get("localhost")
	}
	return server, client, r.bench.ids.fill(r.c, &server, &client)
}

// keyLogOf is the file, for stacks that can tell their secrets.
func keyLogOf(s *stack.Stack, file string) string {
	if s.Info.Cannot["keylog"] != "" {
		return ""
	}
	return file
}

// applicationHTTP: a server that speaks HTTP is asked for a page.
const applicationHTTP = "http"

// get is the request for a page after which the server closes, so that no client
// waits for it.
func get(host string) string {
	return "GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"
}

// foreign sets what a client needs for a server that is no driver: it asks for
// a page, and verifies against the root that was given, or the system's.
func (b *bench) foreign(c spec.Case, client *driver.Config) {
	host, _, _ := net.SplitHostPort(c.Server)
	client.To, client.Auth = c.Server, ""
	client.CA, client.Insecure = cmp.Or(b.set.CA, systemRoots()), b.set.Insecure
	client.ServerName = host
	client.RequestText = get(host)
}

// systemRoots is the file with the roots that this machine trusts, where there
// is one: $SSL_CERT_FILE, as OpenSSL and Go know it, or the distribution's. Stacks
// that have no file are left to find the roots themselves.
func systemRoots() string {
	for _, name := range []string{
		os.Getenv("SSL_CERT_FILE"),
		"/etc/ssl/certs/ca-certificates.crt", // Debian, Arch, Gentoo
		"/etc/pki/tls/certs/ca-bundle.crt",   // Fedora
		"/etc/ssl/ca-bundle.pem",             // openSUSE
		"/etc/ssl/cert.pem",                  // Alpine, OpenWrt, the BSDs, macOS
	} {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			return name
		}
	}
	return ""
}

// close ends the drivers, and the network.
func (r *handshakeRig) close() error {
	err := r.stop()
	if r.network != nil {
		r.network.Close()
		r.network = nil
	}
	return err
}

// stop ends the drivers; the error tells of one that did not end in order.
func (r *handshakeRig) stop() error {
	var err error
	if r.client != nil {
		err = ended("client", r.clientStack, r.client)
	}
	if r.server != nil {
		err = errors.Join(err, ended("server", r.serverStack, r.server))
	}
	r.client, r.server = nil, nil
	return err
}

func ended(side string, s *stack.Stack, p *driver.Process) error {
	if err := p.Close(grace / 2); err != nil {
		return fmt.Errorf("%s %s: %w", side, s.Name, err)
	}
	return nil
}

func (r *handshakeRig) renew(ctx context.Context) error {
	ctx, cancel := r.bench.within(ctx, r.c, 0)
	defer cancel()
	if err := r.stop(); err != nil {
		return err
	}
	return r.start(ctx, purpose{})
}

func (r *handshakeRig) block(ctx context.Context, number, n int) (result.Block, error) {
	ctx, cancel := r.bench.within(ctx, r.c, n)
	defer cancel()
	if r.network != nil {
		if err := r.network.begin(ctx, number); err != nil {
			return result.Block{}, err
		}
	}
	got, err := r.client.Run(ctx, n)
	if err != nil {
		return result.Block{}, fmt.Errorf("client %s: %w", r.clientStack.Name, err)
	}
	report, err := r.report(ctx)
	if err != nil {
		return result.Block{}, err
	}
	t := newTally(r.c, r.server != nil)
	if err := r.carried(ctx, t); err != nil {
		return result.Block{}, err
	}
	for _, h := range got.Handshakes {
		t.add(h, report.ByPort)
	}
	t.sides(got.Block, report.Report)
	return t.block, nil
}

// carried adds what the emulated link carried, if there is one.
func (r *handshakeRig) carried(ctx context.Context, t *tally) error {
	if r.network == nil {
		return nil
	}
	report, err := r.network.report(ctx)
	if err != nil {
		return err
	}
	t.connections, t.block.Link = r.network.connections(report), r.network.told(report)
	return nil
}

func (r *handshakeRig) report(ctx context.Context) (driver.ServerReport, error) {
	if r.server == nil {
		return driver.ServerReport{}, nil
	}
	report, err := r.server.Report(ctx)
	if err != nil {
		return report, fmt.Errorf("server %s: %w", r.serverStack.Name, err)
	}
	return report, nil
}

// memoryBlocks is how often memory is measured for one row.
const memoryBlocks = 5

// memory runs the case in fresh processes that count memory, one handshake a
// block after one that fills the caches of the library. A slow link would take long
// and change nothing: they run on loopback.
func (r *handshakeRig) memory(ctx context.Context) (result.Block, error) {
	ctx, cancel := r.bench.within(ctx, r.c, memoryBlocks)
	defer cancel()
	twin := r.twin()
	twin.network = nil
	if err := twin.start(ctx, purpose{memory: true}); err != nil {
		return result.Block{}, err
	}
	defer func() { _ = twin.stop() }()
	m := result.Block{Metrics: map[string][]float64{}, What: map[string]string{}}
	for i := range memoryBlocks + 1 {
		got, err := twin.client.Run(ctx, 1)
		report, reportErr := twin.report(ctx)
		if err := errors.Join(err, reportErr); err != nil {
			return m, err
		}
		if i > 0 && got.Handshakes[0].OK {
			addMemory(&m, "client_memory", got.Block.Memory)
			addMemory(&m, "server_memory", report.Report.Memory)
		}
	}
	return m, nil
}

func addMemory(m *result.Block, metric string, seen *driver.Memory) {
	if seen == nil {
		return
	}
	m.Metrics[metric] = append(m.Metrics[metric], float64(seen.Peak-seen.Idle))
	m.What[metric] = seen.What
}

// processes makes n connections in a row to the server that runs, each with a
// client process from its start to its end.
func (r *handshakeRig) processes(ctx context.Context, n int) (result.Block, error) {
	ctx, cancel := r.bench.within(ctx, r.c, n)
	defer cancel()
	_, client := r.commands()
	start := time.Now()
	for range n {
		h, err := driver.Once(ctx, client, r.clientFlags)
		if err != nil {
			return result.Block{}, fmt.Errorf("client %s: %w", r.clientStack.Name, err)
		}
		if !h.OK {
			return result.Block{}, errors.New(told(failureOf(h)))
		}
	}
	each := time.Since(start).Seconds() / float64(n)
	_, err := r.report(ctx) // or the server would count them to the next block
	return result.Block{
		Metrics: map[string][]float64{"process": {each}},
		What:    map[string]string{"process": fmt.Sprintf("mean of %d connections in a row, each with a client process of its own", n)},
	}, err
}
