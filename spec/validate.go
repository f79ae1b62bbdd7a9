package spec

import (
	"errors"
	"fmt"
	"strings"
)

// Impossible says why no stack whatsoever can carry a case.
type Impossible struct {
	Reason string // lower case, one sentence
}

// Error returns the reason.
func (e *Impossible) Error() string { return "impossible: " + e.Reason }

// impossible makes the error, formatted.
func impossible(format string, args ...any) error {
	return &Impossible{Reason: fmt.Sprintf(format, args...)}
}

// Validate refuses what the vocabulary alone rules out: names it does not know
// (an [*UnknownName] or the parser's error) and combinations that the protocols
// forbid (an [*Impossible]). What it lets through a stack may still be unable to
// do. Fields that are not set contradict nothing.
func (c Case) Validate() error {
	checks := []func(Case) error{
		checkNames, checkKind, checkNumbers, checkEnds,
		checkVersion, checkMode, checkAuth, checkGroup, checkSuite,
	}
	for _, check := range checks {
		if err := check(c); err != nil {
			return err
		}
	}
	return nil
}

// checkNames parses each coordinate again. It names the field that fails, unless
// the error does so itself.
func checkNames(c Case) error {
	for _, f := range fields {
		err := f.set(&c, f.get(&c))
		if unknown := (*UnknownName)(nil); errors.As(err, &unknown) && unknown.What == f.name {
			return err
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return nil
}

func checkKind(c Case) error {
	switch {
	case c.Kind == "":
		return impossible("a case needs a kind: %s", alternatives(texts(Kinds())))
	case c.Kind == KindOp && c.Op == "":
		return impossible("an op case needs the name of the operation")
	case c.Kind != KindOp && c.Op != "":
		return impossible("%q is an operation, which a case of kind %s does not have", c.Op, c.Kind)
	}
	return nil
}

func checkNumbers(c Case) error {
	switch {
	case c.Size < 0:
		return impossible("size %d is negative", c.Size)
	case c.Leaf < 0:
		return impossible("a leaf certificate of %d bytes is negative", c.Leaf)
	case c.Chain < 0:
		return impossible("a chain of %d certificates is negative", c.Chain)
	}
	return nil
}

// checkEnds refuses a client that is only an address: it cannot be started.
func checkEnds(c Case) error {
	if c.Client == "" {
		return nil
	}
	ref, err := ParseStackRef(c.Client)
	if err != nil {
		return err
	}
	if ref.Address != "" {
		return impossible("the client is the address %s; a client is a stack of this machine: %s", ref, alternatives(StackNames()))
	}
	return nil
}

func checkVersion(c Case) error {
	if c.Version == "" || c.Protocol == "" || c.Version.Code(c.Protocol) != 0 {
		return nil
	}
	if c.Protocol == ProtocolQUIC {
		return impossible("QUIC speaks version 1.3 only, not %s (RFC 9001 4.2)", c.Version)
	}
	return impossible("there is no %s", c.Version.Label(c.Protocol))
}

func checkMode(c Case) error {
	if c.Version == "" || c.Version >= Version13 {
		return nil
	}
	switch {
	case c.Mode == ModeEarlyData:
		return impossible("early data needs version 1.3, not %s (RFC 8446 2.3)", c.Version)
	case c.Retry:
		return impossible("a HelloRetryRequest needs version 1.3, not %s (RFC 8446 4.1.4)", c.Version)
	}
	return nil
}

func checkAuth(c Case) error {
	older := func(v Version) bool { return c.Version != "" && c.Version < v }
	switch {
	case c.Auth.PostQuantum() && older(Version13):
		return impossible("%s needs version 1.3, not %s (draft-ietf-tls-mldsa)", c.Auth, c.Version)
	case c.Auth == AuthEd25519 && older(Version12):
		return impossible("ed25519 needs version 1.2 or later, not %s (RFC 8422 5.1.1)", c.Version)
	case c.Auth == AuthPSK && c.Mutual:
		return impossible("a server that authenticates with a psk asks for no client certificate; drop mutual (RFC 8446 4.3.2)")
	case c.Auth == AuthPSK && c.Leaf > 0:
		return impossible("psk has no certificate, so no leaf of %d bytes", c.Leaf)
	case c.Auth == AuthPSK && c.Chain > 0:
		return impossible("psk has no certificate, so no chain of %d", c.Chain)
	}
	return nil
}

func checkGroup(c Case) error {
	if c.Group == "" {
		return nil
	}
	g, err := ParseGroup(c.Group)
	if err != nil {
		return err
	}
	if g.Class == ClassGREASE {
		return impossible("%s is a value to be ignored, not a group to negotiate (RFC 8701)", g)
	}
	return within(g.Name, c.oldest(), c.newest(), g.Min, g.Max)
}

func checkSuite(c Case) error {
	if c.Suite == "" {
		return nil
	}
	s, err := ParseSuite(c.Suite)
	if err != nil {
		return err
	}
	if err := within(s.Name, c.oldest(), c.newest(), s.Min, s.Max); err != nil {
		return err
	}
	for _, check := range []func(Case, Suite) error{suiteAgainstProtocol, suiteAgainstAuth, suiteAgainstGroup} {
		if err := check(c, s); err != nil {
			return err
		}
	}
	return nil
}

// suiteAgainstProtocol knows the suites that datagrams rule out.
func suiteAgainstProtocol(c Case, s Suite) error {
	switch {
	case c.Protocol == ProtocolQUIC && strings.HasSuffix(s.Cipher, "CCM_8"):
		return impossible("QUIC must not use %s (RFC 9001 5.3)", s)
	case c.Protocol == ProtocolDTLS && strings.HasPrefix(s.Cipher, "RC4"):
		return impossible("DTLS must not use a stream cipher such as %s (RFC 6347 4.1.2.2)", s)
	}
	return nil
}

// suiteKeys tells which keys a suite of TLS 1.2 may be used with. EdDSA runs
// under the ECDSA suites (RFC 8422 5.10).
var suiteKeys = map[string][]string{
	"ECDSA":   {"ecdsa", "ed25519"},
	"RSA":     {"rsa"},
	"PSK":     {"psk"},
	"RSA_PSK": {"psk", "rsa"},
}

func suiteAgainstAuth(c Case, s Suite) error {
	if c.Auth == "" || s.TLS13 || s.Auth == "" {
		return nil
	}
	for _, key := range suiteKeys[s.Auth] {
		if key == c.Auth.Key() {
			return nil
		}
	}
	return impossible("%s authenticates with %s, not with %s", s, s.Auth, c.Auth)
}

// suiteAgainstGroup compares the key exchange of a TLS 1.2 suite with the group.
func suiteAgainstGroup(c Case, s Suite) error {
	g, _ := ParseGroup(c.Group)
	switch {
	case c.Group == "" || s.TLS13 || s.KeyExchange == "" || g.Class == ClassUnknown:
		return nil
	case s.KeyExchange == "ECDHE" && g.Class == ClassFFDHE:
		return impossible("%s is a finite field group, which the ECDHE of %s cannot use", g, s)
	case s.KeyExchange == "DHE" && g.Class != ClassFFDHE:
		return impossible("%s is no finite field group, which the DHE of %s needs", g, s)
	case s.KeyExchange != "ECDHE" && s.KeyExchange != "DHE":
		return impossible("%s has no ephemeral key exchange, so no group %s", s, g)
	}
	return nil
}

// oldest and newest bound the versions that the other coordinates leave.
func (c Case) oldest() Version {
	switch {
	case c.Version != "":
		return c.Version
	case c.Protocol == ProtocolQUIC, c.Mode == ModeEarlyData, c.Retry, c.Auth.PostQuantum():
		return Version13
	case c.Auth == AuthEd25519:
		return Version12
	}
	return Version10
}

func (c Case) newest() Version {
	if c.Version != "" {
		return c.Version
	}
	return Version13
}

// within refuses a thing of versions low to high where the case is bound to
// versions outside them.
func within(name string, oldest, newest, low, high Version) error {
	switch {
	case newest < low:
		return impossible("%s needs version %s, not %s", name, low, newest)
	case oldest > high && high == Version12:
		return impossible("%s does not exist in version %s; it ended with 1.2", name, oldest)
	case oldest > high:
		return impossible("%s does not exist in version %s", name, oldest)
	}
	return nil
}
