package gotls

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"slices"

	"shakedown/driver"
	"shakedown/spec"
)

// newConfig is what both ends make of the flags.
func newConfig(cfg driver.Config) (*tls.Config, error) {
	c := &tls.Config{
		ServerName:         cfg.ServerName,
		InsecureSkipVerify: cfg.Insecure,
		// Records of one size are asked for, not some that grow with time.
		DynamicRecordSizingDisabled: cfg.Op == "record",
	}
	for _, set := range []func(*tls.Config, driver.Config) error{
		refuse, setParameters, setCertificate, setKeyLog,
	} {
		if err := set(c, cfg); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// refuse names what crypto/tls has not at all.
func refuse(_ *tls.Config, cfg driver.Config) error {
	if cfg.Protocol != string(spec.ProtocolTLS) {
		return driver.Cannot("protocol", "crypto/tls speaks tls over TCP, not %s", cfg.Protocol)
	}
	if cfg.PSK != "" {
		return driver.Cannot("psk", "%s", noPSK)
	}
	if cfg.Mode == string(spec.ModeEarlyData) {
		return driver.Cannot("mode", "%s", noEarlyData)
	}
	if cfg.Auth == "" {
		return nil
	}
	can, err := probe()
	if err == nil && !slices.Contains(can.auths, cfg.Auth) {
		err = driver.Cannot("auth", "this crypto/tls has no %s", cfg.Auth)
	}
	return err
}

// setParameters pins version, groups and suites, and makes sure that crypto/tls
// would offer exactly that: it drops what it does not have without a word, and
// sorts groups and the suites of TLS 1.2 as it likes.
func setParameters(c *tls.Config, cfg driver.Config) error {
	groups, err := codes(withCertificateCurve(cfg), spec.ParseGroup, func(g spec.Group) uint16 { return g.Code })
	if err != nil {
		return err
	}
	suites, err := codes(cfg.Suites, spec.ParseSuite, func(s spec.Suite) uint16 { return s.Code })
	if err != nil {
		return err
	}
	for _, code := range groups {
		c.CurvePreferences = append(c.CurvePreferences, tls.CurveID(code))
	}
	if suites != nil {
		if err := checkSuites(suites); err != nil {
			return err
		}
		setSuites(c, suites)
	}
	switch cfg.Version {
	case "1.2":
		c.MinVersion, c.MaxVersion = tls.VersionTLS12, tls.VersionTLS12
	case "1.3":
		c.MinVersion, c.MaxVersion = tls.VersionTLS13, tls.VersionTLS13
	}
	return checkOffer(c, groups, suites)
}

// withCertificateCurve is the list of groups, and behind it the curve of an
// ECDSA certificate in TLS 1.2, which a server takes only when it is among the
// client's groups (RFC 8422, 5.1.1).
func withCertificateCurve(cfg driver.Config) []string {
	curve := map[string]string{"ecdsa-p256": "secp256r1", "ecdsa-p384": "secp384r1"}[cfg.Auth]
	if len(cfg.Groups) == 0 || cfg.Version != "1.2" || curve == "" || slices.Contains(cfg.Groups, curve) {
		return cfg.Groups
	}
	return append(slices.Clone(cfg.Groups), curve)
}

// codes turns names into code points, nil for none.
func codes[T any](names []string, parse func(string) (T, error), code func(T) uint16) (list []uint16, err error) {
	for _, name := range names {
		thing, err := parse(name)
		if err != nil {
			return nil, err
		}
		list = append(list, code(thing))
	}
	return list, nil
}

// checkOffer compares what was asked for with the ClientHello made of it.
func checkOffer(c *tls.Config, groups, suites []uint16) error {
	if groups == nil && suites == nil {
		return nil
	}
	hello, err := helloOf(c)
	if err != nil {
		return driver.Cannot(blame(groups), "%v", err)
	}
	if offered := groupCodes(hello); groups != nil && !slices.Equal(groups, offered) {
		return driver.Cannot("group", "crypto/tls makes %q of this list; it drops groups and sorts them by itself", groupNames(offered))
	}
	if suites != nil && !sameSuites(suites, hello.CipherSuites) {
		return driver.Cannot("suite", "crypto/tls makes %q of this list; it goes by the version, and sorts suites of TLS 1.2 by itself", suiteNames(hello.CipherSuites))
	}
	return nil
}

// blame names the flag that keeps crypto/tls from making a ClientHello.
func blame(groups []uint16) string {
	if groups != nil {
		return "group"
	}
	return "suite"
}

// sameSuites compares two lists version by version: the order between suites
// of different versions means nothing.
func sameSuites(asked, offered []uint16) bool {
	for _, other := range []func(uint16) bool{isTLS13, func(code uint16) bool { return !isTLS13(code) }} {
		if !slices.Equal(slices.DeleteFunc(slices.Clone(asked), other), slices.DeleteFunc(slices.Clone(offered), other)) {
			return false
		}
	}
	return true
}

func setCertificate(c *tls.Config, cfg driver.Config) error {
	if cfg.Cert == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(cfg.Cert, cfg.Key)
	if err != nil {
		return fmt.Errorf("--cert %s: %w", cfg.Cert, err)
	}
	c.Certificates = []tls.Certificate{pair}
	return nil
}

// setKeyLog appends to the file, which only its owner may read.
func setKeyLog(c *tls.Config, cfg driver.Config) error {
	if cfg.KeyLog == "" {
		return nil
	}
	file, err := os.OpenFile(cfg.KeyLog, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("--keylog: %w", err)
	}
	c.KeyLogWriter = file
	return nil
}

// readRoots reads the roots to verify the peer against; nil, the system's,
// without a file.
func readRoots(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--ca: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("--ca %s holds no certificate in PEM", file)
	}
	return pool, nil
}
