package gotls

import (
	"crypto/tls"
	"slices"
	"strings"
	_ "unsafe" // for go:linkname

	"shakedown/driver"
	"shakedown/spec"
)

// crypto/tls has no setting for the cipher suites of TLS 1.3 (golang/go #29349):
// Config.CipherSuites is for TLS 1.2 and older. What it offers and prefers are
// two of its variables, one for machines with AES instructions and one for those
// without, which crypto/tls/defaults.go leaves open to linkname because other
// packages set them in the same way (golang/go #67401). They belong to the
// process, and a driver is a process with one set of parameters.

//go:linkname suitesAES crypto/tls.defaultCipherSuitesTLS13
var suitesAES []uint16

//go:linkname suitesNoAES crypto/tls.defaultCipherSuitesTLS13NoAES
var suitesNoAES []uint16

// setSuites makes both ends of this process use exactly these suites. The rest
// goes by the version: where all suites belong to one, no other is spoken.
func setSuites(c *tls.Config, codes []uint16) {
	older := slices.DeleteFunc(slices.Clone(codes), isTLS13)
	newer := slices.DeleteFunc(slices.Clone(codes), func(code uint16) bool { return !isTLS13(code) })
	c.CipherSuites = append([]uint16{}, older...) // empty, not nil: none instead of the default
	if len(newer) == 0 {
		c.MaxVersion = tls.VersionTLS12
		return
	}
	suitesAES, suitesNoAES = newer, newer
	if len(older) == 0 {
		c.MinVersion = tls.VersionTLS13
	}
}

func isTLS13(code uint16) bool {
	suite, known := spec.SuiteByCode(code)
	return known && suite.TLS13
}

// checkSuites refuses what crypto/tls does not have. It would offer a suite of
// TLS 1.3 without a look at it.
func checkSuites(codes []uint16) error {
	has := append(tls.CipherSuites(), tls.InsecureCipherSuites()...)
	for _, code := range codes {
		if slices.ContainsFunc(has, func(s *tls.CipherSuite) bool { return s.ID == code }) {
			continue
		}
		suite, _ := spec.SuiteByCode(code)
		if strings.Contains(suite.Cipher, "CCM") {
			return driver.Cannot("suite", "%s, so no %s", noCCM, suite)
		}
		return driver.Cannot("suite", "crypto/tls has no %s", suite)
	}
	return nil
}
