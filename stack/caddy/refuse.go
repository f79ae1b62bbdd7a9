package caddy

import (
	"slices"

	"shakedown/driver"
	"shakedown/spec"
)

// Why Caddy cannot do what a user would expect.
const (
	noClient    = "Caddy is a server: it has no client to measure"
	noRecord    = "Caddy's record layer cannot be driven alone; it is that of crypto/tls, so the stack go tells it"
	noEarlyData = "Caddy has early data in HTTP/3 only, not over TCP (caddyserver/caddy #3663)"
	noPSK       = "crypto/tls has no external pre-shared keys"
	noCCM       = "crypto/tls has no AES-CCM (golang/go #27484)"
	noMLDSA     = "this Caddy's crypto/tls has no ML-DSA certificates; they came with Go 1.27"
	noMutual    = "Caddy issues no session tickets where clients show certificates"
	noOrder     = "Caddy takes a list as a set and goes by the order of crypto/tls: name one"
	noOwnSuite  = "crypto/tls has no setting for the suites of TLS 1.3: the client's offer decides (golang/go #29349)"
)

// lacks gives the reasons for what is not in the lists.
func lacks(can abilities) map[string]string {
	reasons := map[string]string{
		"connect": noClient, "record": noRecord, "resumed mutual": noMutual, "choice of TLS 1.3 suites": noOwnSuite,
		string(spec.ModeEarlyData): noEarlyData, string(spec.AuthPSK): noPSK,
		"TLS_AES_128_CCM_SHA256": noCCM, "TLS_AES_128_CCM_8_SHA256": noCCM,
		string(spec.AuthMLDSA44): noMLDSA, string(spec.AuthMLDSA65): noMLDSA, string(spec.AuthMLDSA87): noMLDSA,
	}
	for _, name := range slices.Concat(can.suites, can.auths) {
		delete(reasons, name)
	}
	return reasons
}

// refuse names what no Caddy has; what this one lacks shows when it starts.
func refuse(cfg driver.Config) error {
	switch {
	case cfg.Protocol != "" && cfg.Protocol != string(spec.ProtocolTLS):
		return driver.Cannot("protocol", "Caddy is operated over tls, not %s", cfg.Protocol)
	case cfg.PSK != "" || cfg.Auth == string(spec.AuthPSK):
		return driver.Cannot("psk", "%s", noPSK)
	case cfg.Mode == string(spec.ModeEarlyData):
		return driver.Cannot("mode", "%s", noEarlyData)
	case cfg.Mode == string(spec.ModeResumed) && cfg.Mutual:
		return driver.Cannot("mode", "%s", noMutual)
	case len(cfg.Groups) > 1:
		return driver.Cannot("group", "%s", noOrder)
	case len(cfg.Suites) > 1:
		return driver.Cannot("suite", "%s", noOrder)
	}
	return nil
}

// blame finds the flag for which this Caddy did not start, or leaves it at its
// own words.
func blame(cfg driver.Config, ask func() (abilities, error), words error) error {
	can, err := ask()
	if err != nil {
		return words
	}
	for _, asked := range []struct {
		flag      string
		names, in []string
	}{
		{"version", []string{cfg.Version}, can.versions},
		{"group", cfg.Groups, can.groups},
		{"suite", cfg.Suites, can.suites},
		{"auth", []string{cfg.Auth}, can.auths},
	} {
		for _, name := range asked.names {
			if name != "" && !slices.Contains(asked.in, name) {
				return driver.Cannot(asked.flag, "%v", words)
			}
		}
	}
	return words
}
