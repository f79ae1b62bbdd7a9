package spec

import (
	"slices"
	"strings"
)

// Kind says what a case measures.
type Kind string

// The kinds of case.
const (
	KindHandshake Kind = "handshake" // a connection up to the first response byte
	KindRecord    Kind = "record"    // protecting and opening one record
	KindOp        Kind = "op"        // one cryptographic operation
	KindHost      Kind = "host"      // the machine itself, while cases run
)

// Kinds lists all kinds.
func Kinds() []Kind { return []Kind{KindHandshake, KindRecord, KindOp, KindHost} }

// ParseKind reads a kind in any letter case. The error is an [*UnknownName].
func ParseKind(s string) (Kind, error) {
	if k := Kind(fold(s)); slices.Contains(Kinds(), k) {
		return k, nil
	}
	return "", unknownOf("kind", s, Kinds())
}

// Auth is how a server, and with mutual authentication its client, proves who
// it is: the key of its certificate, or a key shared beforehand.
type Auth string

// The ways of authentication.
const (
	AuthECDSAP256 Auth = "ecdsa-p256"
	AuthECDSAP384 Auth = "ecdsa-p384"
	AuthEd25519   Auth = "ed25519"
	AuthRSA2048   Auth = "rsa-2048"
	AuthRSA3072   Auth = "rsa-3072"
	AuthMLDSA44   Auth = "mldsa44" // FIPS 204; TLS 1.3 only
	AuthMLDSA65   Auth = "mldsa65"
	AuthMLDSA87   Auth = "mldsa87"
	AuthPSK       Auth = "psk" // an external pre-shared key, no certificate
)

// Auths lists all ways of authentication.
func Auths() []Auth {
	return []Auth{
		AuthECDSAP256, AuthECDSAP384, AuthEd25519, AuthRSA2048, AuthRSA3072,
		AuthMLDSA44, AuthMLDSA65, AuthMLDSA87, AuthPSK,
	}
}

// ParseAuth reads a way of authentication; separators and letter case do not
// count, so "RSA2048" and "ML-DSA-44" are understood. The error is an
// [*UnknownName].
func ParseAuth(s string) (Auth, error) {
	want := fold(s)
	for _, a := range Auths() {
		if fold(string(a)) == want {
			return a, nil
		}
	}
	return "", unknownOf("auth", s, Auths())
}

// String returns the canonical name.
func (a Auth) String() string { return string(a) }

// PostQuantum reports whether the signature withstands a quantum computer. A
// pre-shared key has no signature and reports false.
func (a Auth) PostQuantum() bool { return strings.HasPrefix(string(a), "mldsa") }

// Key returns the key family of the certificate: "ecdsa", "ed25519", "rsa",
// "mldsa", or "psk" where there is none.
func (a Auth) Key() string {
	if a.PostQuantum() {
		return "mldsa"
	}
	family, _, _ := strings.Cut(string(a), "-")
	return family
}

// Mode is how a handshake starts.
type Mode string

// The modes.
const (
	ModeFull      Mode = "full"       // no earlier session
	ModeResumed   Mode = "resumed"    // from a ticket or session of an earlier one
	ModeEarlyData Mode = "early-data" // resumed, with a request in the first flight (0-RTT, RFC 8446 2.3)
)

// Modes lists all modes.
func Modes() []Mode { return []Mode{ModeFull, ModeResumed, ModeEarlyData} }

// ParseMode reads a mode; "0-rtt", "0rtt" and "resumption" are understood. The
// error is an [*UnknownName].
func ParseMode(s string) (Mode, error) {
	switch fold(s) {
	case "full":
		return ModeFull, nil
	case "resumed", "resumption", "resume":
		return ModeResumed, nil
	case "earlydata", "0rtt":
		return ModeEarlyData, nil
	}
	return "", unknownOf("mode", s, Modes())
}

// String returns the canonical name.
func (m Mode) String() string { return string(m) }
