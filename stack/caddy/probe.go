package caddy

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"shakedown/driver"
	"shakedown/pki"
	"shakedown/spec"
)

// probePatience bounds a probe, which takes a quarter of a second.
const probePatience = 20 * time.Second

// abilities are what a Caddy takes in its configuration.
type abilities struct {
	versions, groups, suites, auths []string
	mutual                          bool
}

// describe tells what a Caddy can do.
func describe(program Program) (spec.Info, error) {
	library, err := program.library(context.Background())
	if err != nil {
		return spec.Info{}, err
	}
	can, err := probe(program)
	if err != nil {
		return spec.Info{}, err
	}
	return spec.Info{
		Kind: driver.KindInfo, Protocol: driver.Protocol, Stack: name,
		Version: program.Version, Library: library, Verbs: strings.Fields(verbs),
		Protocols: []string{string(spec.ProtocolTLS)}, Versions: can.versions,
		Groups: can.groups, Suites: can.suites, Auths: can.auths,
		Modes:  []string{string(spec.ModeFull), string(spec.ModeResumed)},
		Mutual: can.mutual, HelloRetry: true, Memory: memoryKind, Application: "http",
		Cannot: lacks(can),
	}, nil
}

// prober is a Caddy that does nothing but take configurations.
type prober struct {
	caddy *child
	dir   string
	http  *http.Client
	ctx   context.Context
	err   error // the first that is not about a configuration
}

// probe gives a Caddy one configuration after another, for each name that there
// is, and keeps what it takes: it sets up everything that a configuration says,
// and refuses what it cannot.
func probe(program Program) (abilities, error) {
	dir, err := os.MkdirTemp("", "shakedown-caddy-")
	if err != nil {
		return abilities{}, err
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(context.Background(), probePatience)
	defer cancel()
	p := &prober{dir: dir, ctx: ctx, http: socketClient(filepath.Join(dir, "admin"))}
	if p.caddy, err = start(program, dir, p.config(nil, nil), nil); err != nil {
		return abilities{}, err
	}
	defer p.caddy.stop()
	can := p.abilities()
	return can, p.err
}

// socketClient asks over a Unix socket, each time anew.
func socketClient(path string) *http.Client {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}
	return &http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}
}

// config is a server with this configuration of TLS, and a certificate.
func (p *prober) config(policy, pair object) object {
	c := base(p.dir, object{"listen": "unix/" + filepath.Join(p.dir, "admin")})
	if policy == nil {
		return c
	}
	lab := httpServer(object{"handler": "static_response"}, "unix/"+filepath.Join(p.dir, "lab"))
	lab["tls_connection_policies"] = []object{policy}
	apps := object{"http": object{"servers": object{"lab": lab}}}
	if pair != nil {
		apps["tls"] = object{"certificates": object{"load_pem": []object{pair}}}
	}
	c["apps"] = apps
	return c
}

// load gives Caddy a configuration and tells whether it took it.
func (p *prober) load(policy, pair object) (bool, error) {
	text, err := json.Marshal(p.config(policy, pair))
	if err != nil {
		return false, err
	}
	request, err := http.NewRequestWithContext(p.ctx, http.MethodPost, "http://caddy/load", bytes.NewReader(text))
	if err != nil {
		return false, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := p.http.Do(request)
	if err != nil {
		return false, err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode == http.StatusOK, err
}

// takes is load, again and again until there is an answer: Caddy is not there at
// once, and drops connections when it goes from one configuration to the next.
func (p *prober) takes(policy, pair object) bool {
	for p.err == nil {
		taken, err := p.load(policy, pair)
		if err == nil {
			return taken
		}
		select {
		case <-p.caddy.ended:
			p.err = p.caddy.failure()
		case <-p.ctx.Done():
			p.err = fmt.Errorf("caddy takes no configuration: %w", err)
		case <-time.After(2 * time.Millisecond):
		}
	}
	return false
}

func (p *prober) abilities() (can abilities) {
	for _, v := range spec.Versions() {
		if p.takes(object{"protocol_min": "tls" + string(v), "protocol_max": "tls" + string(v)}, nil) {
			can.versions = append(can.versions, string(v))
		}
	}
	for _, g := range groups() {
		if p.takes(object{"curves": []string{groupName(g.Name)}}, nil) {
			can.groups = append(can.groups, g.Name)
		}
	}
	for _, s := range spec.Suites() {
		if forUs(s) && p.takes(object{"cipher_suites": []string{s.Name}}, nil) {
			can.suites = append(can.suites, s.Name)
		}
	}
	for _, auth := range spec.Auths() {
		if p.loads(auth) {
			can.auths = append(can.auths, string(auth))
		}
	}
	can.mutual = p.trusts()
	return can
}

// forUs tells whether the lab has handshakes for a suite: with forward secrecy
// and certificates.
func forUs(s spec.Suite) bool {
	return s.TLS13 || (s.KeyExchange == "ECDHE" || s.KeyExchange == "DHE") && (s.Auth == "ECDSA" || s.Auth == "RSA")
}

// groups lists hybrids first, as crypto/tls prefers them.
func groups() []spec.Group {
	hybrid := func(g spec.Group) int {
		if g.Class == spec.ClassHybrid {
			return 0
		}
		return 1
	}
	all := spec.Groups()
	slices.SortStableFunc(all, func(a, b spec.Group) int { return hybrid(a) - hybrid(b) })
	return all
}

// loads tries a certificate. Those with RSA keys take long to make and are
// those that every crypto/tls has had: they go without.
func (p *prober) loads(auth spec.Auth) bool {
	switch auth {
	case spec.AuthRSA2048, spec.AuthRSA3072:
		return true
	case spec.AuthPSK:
		return false
	default: // made and tried
	}
	id, err := pki.New(pki.Options{Auth: string(auth)})
	if err != nil {
		p.err = err
		return false
	}
	return p.takes(object{}, object{"certificate": string(id.ChainPEM()), "key": string(id.KeyPEM())})
}

// trusts tries client certificates.
func (p *prober) trusts() bool {
	id, err := pki.New(pki.Options{Auth: string(spec.AuthECDSAP256), Client: true})
	if err != nil {
		p.err = err
		return false
	}
	issuers := []string{base64.StdEncoding.EncodeToString(id.Root)}
	return p.takes(object{"client_authentication": clients(issuers)}, nil)
}
