package caddy

import (
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"shakedown/driver"
	"shakedown/spec"
)

// object is a JSON object of Caddy's configuration.
type object map[string]any

// maxHeader bounds the head of a request, and so a line of the log, bytes.
const maxHeader = 16 << 10

// site is what Caddy serves: one page over TLS, and the marker of a report over
// plain HTTP. Both listen on sockets that it inherits.
type site struct {
	dir     string // private, for all that Caddy stores
	cfg     driver.Config
	cert    string   // PEM chain; empty: Caddy's own authority makes one
	key     string   // PEM
	clients []string // certificates that issue those of clients, DER in base64
}

// newSite reads the files that the flags name.
func newSite(dir string, cfg driver.Config) (*site, error) {
	s := &site{dir: dir, cfg: cfg}
	var err error
	if cfg.Cert != "" {
		if s.cert, err = readText("cert", cfg.Cert); err != nil {
			return nil, err
		}
		if s.key, err = readText("key", cfg.Key); err != nil {
			return nil, err
		}
	}
	if cfg.Mutual {
		s.clients, err = readRoots(cfg.CA)
	}
	if cfg.KeyLog != "" && err == nil {
		s.cfg.KeyLog, err = filepath.Abs(cfg.KeyLog)
	}
	return s, err
}

func readText(flag, file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("--%s: %w", flag, err)
	}
	return string(text), nil
}

// readRoots reads certificates as Caddy wants them inline.
func readRoots(file string) (list []string, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--ca: %w", err)
	}
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type == "CERTIFICATE" {
			list = append(list, base64.StdEncoding.EncodeToString(block.Bytes))
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("--ca %s holds no certificate in PEM", file)
	}
	return list, nil
}

// root is where Caddy's own authority keeps its certificate.
func (s *site) root() string {
	return filepath.Join(s.dir, "pki", "authorities", "local", "root.crt")
}

// serverName is the name of the certificate, which every client gets.
func (s *site) serverName() string {
	if s.cfg.ServerName == "" {
		return "localhost"
	}
	return s.cfg.ServerName
}

// config is Caddy's whole configuration: nothing of it reaches beyond the
// directory and the sockets.
func (s *site) config() object {
	page := object{"handler": "static_response", "body": s.body(), "close": true}
	lab := httpServer(page, "fd/3")
	lab["tls_connection_policies"] = []object{s.policy()}
	lab["read_header_timeout"] = int64(s.timeout())
	servers := object{"lab": lab, "marker": httpServer(object{"handler": "static_response", "close": true}, "fd/4")}
	c := base(s.dir, object{"disabled": true})
	c["logging"] = logging()
	c["apps"] = object{
		"pki":  object{"certificate_authorities": object{"local": object{"install_trust": false}}},
		"tls":  s.channel(),
		"http": object{"servers": servers},
	}
	return c
}

// base is what each configuration has: no file outside the directory.
func base(dir string, admin object) object {
	admin["config"] = object{"persist": false}
	return object{"admin": admin, "storage": object{"module": "file_system", "root": dir}}
}

// httpServer answers every request with what the handler says, over HTTP/1.1 only,
// and logs it.
func httpServer(handler object, listen string) object {
	return object{
		"listen": []string{listen}, "protocols": []string{"h1"}, "automatic_https": object{"disable": true},
		"max_header_bytes": maxHeader, "logs": object{},
		"routes": []object{{"handle": []object{handler}}},
	}
}

// logging sends the accounts of requests, and of handshakes that failed, to
// standard output, and warnings to standard error.
func logging() object {
	accounts := []string{accessLogger, errorLogger}
	return object{"logs": object{
		"default": object{"writer": object{"output": "stderr"}, "level": "WARN", "exclude": accounts},
		"accounts": object{
			"writer": object{"output": "stdout"}, "encoder": object{"format": "json"},
			"level": "DEBUG", "include": accounts,
		},
	}}
}

// body is the page: "hello", or as many bytes as the flag says.
func (s *site) body() string {
	if s.cfg.Response == 0 {
		return "hello"
	}
	return strings.Repeat("r", s.cfg.Response)
}

// timeout is the deadline of a handshake with its request.
func (s *site) timeout() time.Duration {
	if s.cfg.Timeout == 0 {
		return 10 * time.Second
	}
	return s.cfg.Timeout
}

// channel loads the certificate, or has Caddy's own authority issue it. A ticket
// would be a message of a full handshake of TLS 1.2, and nobody uses it.
func (s *site) channel() object {
	app := object{"disable_ocsp_stapling": true}
	if s.cfg.Mode == string(spec.ModeFull) && s.cfg.Version == "1.2" {
		app["session_tickets"] = object{"disabled": true}
	}
	if s.cert != "" {
		app["certificates"] = object{"load_pem": []object{{"certificate": s.cert, "key": s.key}}}
		return app
	}
	subjects := []string{s.serverName()}
	app["certificates"] = object{"automate": subjects}
	app["automation"] = object{"policies": []object{{"subjects": subjects, "issuers": []object{{"module": "internal"}}}}}
	return app
}

// policy is the configuration of TLS.
func (s *site) policy() object {
	p := object{"default_sni": s.serverName(), "fallback_sni": s.serverName()}
	if v := s.cfg.Version; v != "" {
		p["protocol_min"], p["protocol_max"] = "tls"+v, "tls"+v
	}
	if groups := s.groups(); len(groups) > 0 {
		p["curves"] = groups
	}
	if len(s.cfg.Suites) > 0 {
		p["cipher_suites"] = s.cfg.Suites
	}
	if s.cfg.KeyLog != "" {
		p["insecure_secrets_log"] = s.cfg.KeyLog
	}
	if s.cfg.Mutual {
		p["client_authentication"] = clients(s.clients)
	}
	return p
}

// clients demands certificates that these issued.
func clients(issuers []string) object {
	return object{
		"mode": "require_and_verify",
		"ca":   object{"provider": "inline", "trusted_ca_certs": issuers},
	}
}

// groups are the names that Caddy has for the groups, and in TLS 1.2 the curve
// of an ECDSA certificate, without which crypto/tls does not use it (RFC 8422,
// 5.1.1). The certificates of Caddy's own authority are on P-256.
func (s *site) groups() (names []string) {
	for _, name := range s.cfg.Groups {
		names = append(names, groupName(name))
	}
	if len(names) == 0 || s.cfg.Version != "1.2" {
		return names
	}
	curve := map[string]string{"ecdsa-p256": "secp256r1", "ecdsa-p384": "secp384r1"}[s.cfg.Auth]
	if s.cert == "" {
		curve = "secp256r1"
	}
	if curve != "" && !slices.Contains(names, curve) {
		names = append(names, curve)
	}
	return names
}

// groupName is Caddy's spelling: IANA's in lower case.
func groupName(name string) string { return strings.ToLower(name) }
