package spec

import (
	"fmt"
	"slices"
)

// claim is one thing that a case says of its handshakes and a proof confirms.
// An empty got means that the stack cannot tell.
type claim struct{ what, want, got string }

// Judge compares what the stack of a side ("client", "server") says with the
// label of the case. It returns "" where nothing contradicts, else one sentence.
// What the stack cannot tell contradicts nothing; no proof at all does.
func (c Case) Judge(side string, p *Proof) string {
	if p == nil {
		return side + " gave no proof"
	}
	for _, cl := range claims(c, p) {
		if cl.want != "" && cl.got != "" && cl.want != cl.got {
			return fmt.Sprintf("%s says %s %s, the case says %s", side, cl.what, cl.got, cl.want)
		}
	}
	if want := signatures(c); len(want) > 0 && p.Signature != "" && !slices.Contains(want, p.Signature) {
		return fmt.Sprintf("%s says signature %s, the case says %s", side, p.Signature, c.Auth)
	}
	return ""
}

// Witness is who gives a proof: "client", "server" or "wire".
type Witness struct {
	Name  string
	Proof *Proof
}

// Disagree says where two witnesses contradict each other, or "".
func Disagree(a, b Witness) string {
	if a.Proof == nil || b.Proof == nil {
		return ""
	}
	for _, cl := range []claim{
		{"version", a.Proof.Version, b.Proof.Version},
		{"suite", a.Proof.Suite, b.Proof.Suite},
		{"group", a.Proof.Group, b.Proof.Group},
		{"signature", a.Proof.Signature, b.Proof.Signature},
		{"mode", a.Proof.Mode, b.Proof.Mode},
		{"early data", a.Proof.Early, b.Proof.Early},
		{"hello retry", tellBool(a.Proof.HelloRetry), tellBool(b.Proof.HelloRetry)},
	} {
		if cl.want != "" && cl.got != "" && cl.want != cl.got {
			return fmt.Sprintf("%s says %s %s, %s says %s", a.Name, cl.what, cl.want, b.Name, cl.got)
		}
	}
	return ""
}

func claims(c Case, p *Proof) []claim {
	return []claim{
		{"version", string(c.Version), p.Version},
		{"suite", c.Suite, p.Suite},
		{"group", groupClaim(c), p.Group},
		{"mode", string(c.Mode), p.Mode},
		{"external psk", pskClaim(c), yesNo(p.PSK)},
		{"client certificate", mutualClaim(c), tellBool(p.Mutual)},
		{"hello retry", retryClaim(c), tellBool(p.HelloRetry)},
	}
}

// groupClaim: TLS 1.2 resumption has no key exchange, so its group proves nothing.
func groupClaim(c Case) string {
	if c.Mode != ModeFull && c.Version == "1.2" {
		return ""
	}
	return c.Group
}

// pskClaim: a resumed handshake rests on its session, not on the external key.
func pskClaim(c Case) string {
	if c.Mode != ModeFull {
		return ""
	}
	return yesNo(c.Auth == AuthPSK)
}

// mutualClaim: a resumed handshake shows no certificates again.
func mutualClaim(c Case) string {
	if c.Mode != ModeFull {
		return ""
	}
	return yesNo(c.Mutual)
}

// retryClaim: without a forced retry and with default groups a retry may happen,
// and is reported; with named groups it must not.
func retryClaim(c Case) string {
	if !c.Retry && c.Group == "" {
		return ""
	}
	return yesNo(c.Retry)
}

// signatures lists the schemes with which a server of this authentication may
// sign; nil where the handshake has no signature.
func signatures(c Case) []string {
	if c.Mode != ModeFull {
		return nil
	}
	switch c.Auth {
	case AuthECDSAP256:
		return ecdsaSchemes(c.Version, "ecdsa_secp256r1_sha256")
	case AuthECDSAP384:
		return ecdsaSchemes(c.Version, "ecdsa_secp384r1_sha384")
	case AuthEd25519:
		return []string{"ed25519"}
	case AuthRSA2048, AuthRSA3072:
		return rsaSchemes
	case AuthMLDSA44, AuthMLDSA65, AuthMLDSA87:
		return []string{string(c.Auth)}
	case AuthPSK:
	}
	return nil
}

// ecdsaSchemes: TLS 1.2 does not tie the hash to the curve (RFC 8446 4.2.3).
func ecdsaSchemes(v Version, scheme string) []string {
	if v == "1.3" {
		return []string{scheme}
	}
	return []string{"ecdsa_secp256r1_sha256", "ecdsa_secp384r1_sha384", "ecdsa_secp521r1_sha512", "ecdsa_sha1"}
}

var rsaSchemes = []string{
	"rsa_pss_rsae_sha256", "rsa_pss_rsae_sha384", "rsa_pss_rsae_sha512",
	"rsa_pkcs1_sha256", "rsa_pkcs1_sha384", "rsa_pkcs1_sha512", "rsa_pkcs1_sha1",
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// tellBool is "" where the stack cannot tell.
func tellBool(b *bool) string {
	if b == nil {
		return ""
	}
	return yesNo(*b)
}
