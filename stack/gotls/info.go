package gotls

import (
	"crypto/tls"
	"errors"
	"net"
	"runtime"
	"slices"

	"shakedown/spec"
)

// Why crypto/tls cannot do what a user would expect.
const (
	noEarlyData = "crypto/tls has no early data over TCP, at neither end (golang/go #48597)"
	noPSK       = "crypto/tls has no external pre-shared keys"
	noCCM       = "crypto/tls has no AES-CCM (golang/go #27484)"
	noMLDSA     = "crypto/tls has ML-DSA certificates from Go 1.27 on"
)

// Info tells what this build of crypto/tls can do.
func (stack) Info() (spec.Info, error) {
	can, err := probe()
	if err != nil {
		return spec.Info{}, err
	}
	return spec.Info{
		Version: version(), Library: "crypto/tls of " + runtime.Version(),
		Protocols: []string{string(spec.ProtocolTLS)}, Versions: can.versions,
		Groups: can.groups, Suites: can.suites, Auths: can.auths,
		Modes:  []string{string(spec.ModeFull), string(spec.ModeResumed)},
		Mutual: true, HelloRetry: true, Cannot: lacks(can),
	}, nil
}

// lacks gives the reasons for what is not in the lists.
func lacks(can abilities) map[string]string {
	reasons := map[string]string{
		string(spec.ModeEarlyData): noEarlyData, string(spec.AuthPSK): noPSK,
		"TLS_AES_128_CCM_SHA256": noCCM, "TLS_AES_128_CCM_8_SHA256": noCCM,
		string(spec.AuthMLDSA44): noMLDSA, string(spec.AuthMLDSA65): noMLDSA, string(spec.AuthMLDSA87): noMLDSA,
	}
	for _, name := range slices.Concat(can.suites, can.auths) {
		delete(reasons, name)
	}
	return reasons
}

// abilities are what ClientHellos show.
type abilities struct{ versions, groups, suites, auths []string }

// probe lets crypto/tls make ClientHellos from all the names there are: it
// keeps those that it has, in its own order.
func probe() (abilities, error) {
	newest, err := helloOf(&tls.Config{ServerName: "localhost", CurvePreferences: everyGroup()})
	if err != nil {
		return abilities{}, err
	}
	older, err := helloOf(&tls.Config{ServerName: "localhost", MaxVersion: tls.VersionTLS12, CipherSuites: everySuite()})
	if err != nil {
		return abilities{}, err
	}
	suites := slices.DeleteFunc(newest.CipherSuites, func(code uint16) bool { return !isTLS13(code) })
	return abilities{
		versions: versionNames(newest),
		groups:   groupNames(groupCodes(newest)),
		suites:   suiteNames(append(suites, older.CipherSuites...)),
		auths:    authNames(newest),
	}, nil
}

// errHeard ends the handshake of helloOf.
var errHeard = errors.New("heard")

// helloOf makes the ClientHello of a configuration, with the parameters of a
// server as well, and throws the connection away.
func helloOf(c *tls.Config) (*tls.ClientHelloInfo, error) {
	near, far := net.Pipe()
	defer near.Close()
	client := &tls.Config{
		ServerName: "localhost", MinVersion: c.MinVersion, MaxVersion: c.MaxVersion,
		CurvePreferences: c.CurvePreferences, CipherSuites: c.CipherSuites,
	}
	failed := make(chan error, 1)
	go func() {
		failed <- tls.Client(far, client).Handshake()
		_ = far.Close()
	}()
	var hello *tls.ClientHelloInfo
	hear := func(h *tls.ClientHelloInfo) (*tls.Config, error) {
		hello = h
		return nil, errHeard
	}
	_ = tls.Server(near, &tls.Config{GetConfigForClient: hear}).Handshake()
	if hello == nil {
		return nil, <-failed
	}
	return hello, nil
}

func everyGroup() (all []tls.CurveID) {
	for _, g := range spec.Groups() {
		all = append(all, tls.CurveID(g.Code))
	}
	return all
}

func everySuite() (all []uint16) {
	for _, s := range spec.Suites() {
		all = append(all, s.Code)
	}
	return all
}

// versionNames lists the versions of the protocol, oldest first.
func versionNames(hello *tls.ClientHelloInfo) (names []string) {
	for _, v := range []spec.Version{spec.Version12, spec.Version13} {
		if slices.Contains(hello.SupportedVersions, v.Code(spec.ProtocolTLS)) {
			names = append(names, string(v))
		}
	}
	return names
}

func groupCodes(hello *tls.ClientHelloInfo) (codes []uint16) {
	for _, id := range hello.SupportedCurves {
		codes = append(codes, uint16(id))
	}
	return codes
}

func groupNames(codes []uint16) (names []string) {
	for _, code := range codes {
		g, _ := spec.GroupByCode(code)
		names = append(names, g.Name)
	}
	return names
}

func suiteNames(codes []uint16) (names []string) {
	for _, code := range codes {
		if s, known := spec.SuiteByCode(code); known {
			names = append(names, s.Name)
		}
	}
	return names
}

// schemes tells which signature a client must accept for each authentication.
var schemes = []struct {
	auth spec.Auth
	code tls.SignatureScheme
}{
	{spec.AuthECDSAP256, tls.ECDSAWithP256AndSHA256},
	{spec.AuthECDSAP384, tls.ECDSAWithP384AndSHA384},
	{spec.AuthEd25519, tls.Ed25519},
	{spec.AuthRSA2048, tls.PSSWithSHA256},
	{spec.AuthRSA3072, tls.PSSWithSHA256},
	{spec.AuthMLDSA44, 0x0904},
	{spec.AuthMLDSA65, 0x0905},
	{spec.AuthMLDSA87, 0x0906},
}

func authNames(hello *tls.ClientHelloInfo) (names []string) {
	for _, s := range schemes {
		if slices.Contains(hello.SignatureSchemes, s.code) {
			names = append(names, string(s.auth))
		}
	}
	return names
}
