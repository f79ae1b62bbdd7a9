package gotls

import (
	"crypto/tls"
	"reflect"

	"shakedown/spec"
)

// Proof tells what ConnectionState says. It does not say how this end signed.
func (c *conn) Proof() spec.Proof {
	s := c.ConnectionState()
	suite, _ := spec.SuiteByCode(s.CipherSuite)
	version, _, _ := spec.VersionByCode(s.Version)
	p := spec.Proof{
		Version: string(version), Suite: suite.Name, Group: exchanged(s),
		Mode: string(spec.ModeFull), HelloRetry: new(s.HelloRetryRequest),
	}
	if s.DidResume {
		p.Mode = string(spec.ModeResumed)
	}
	if len(s.PeerCertificates) > 0 {
		p.Verified = new(len(s.VerifiedChains) > 0)
	}
	switch {
	case s.DidResume: // no certificate was shown and nothing signed
	case c.side.server:
		p.Mutual = new(len(s.PeerCertificates) > 0)
	default:
		p.Mutual = new(c.side.shown)
		p.Signature = peerSignature(s)
	}
	return p
}

// exchanged names the group of this handshake's key exchange. A resumed
// session of TLS 1.2 has none; its state holds the group of the first one.
func exchanged(s tls.ConnectionState) string {
	if s.CurveID == 0 || s.DidResume && s.Version < tls.VersionTLS13 {
		return ""
	}
	group, _ := spec.GroupByCode(uint16(s.CurveID))
	return group.Name
}

// peerSignature names the scheme with which the peer signed the handshake. The
// field is not exported, so it can be read but may go away; then it is left out.
func peerSignature(s tls.ConnectionState) string {
	field := reflect.ValueOf(s).FieldByName("testingOnlyPeerSignatureAlgorithm")
	if !field.IsValid() || !field.CanUint() || field.Uint() == 0 {
		return ""
	}
	scheme, _ := spec.SignatureSchemeByCode(uint16(field.Uint()))
	return scheme.Name
}
