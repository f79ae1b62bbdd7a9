// Package ja4 makes JA4 fingerprints of TLS clients (FoxIO's public description of
// JA4, the TLS client part).
package ja4

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"shakedown/spec"
	"shakedown/wire"
)

// Transports of a fingerprint.
const (
	TLS  = 't'
	DTLS = 'd'
	QUIC = 'q'
)

// Of returns the fingerprint of a client: transport, version, SNI, numbers of suites
// and extensions and the first ALPN in clear, then hashes of suites and extensions.
func Of(m *wire.ClientHello, transport byte) string {
	return head(m, transport) + "_" + digest(suites(m)) + "_" + digest(extensions(m))
}

// Raw returns the fingerprint with its lists instead of their hashes (JA4_r).
func Raw(m *wire.ClientHello, transport byte) string {
	return head(m, transport) + "_" + suites(m) + "_" + extensions(m)
}

func head(m *wire.ClientHello, transport byte) string {
	sni, listed := 'i', 0
	for ext := range m.Extensions.All() {
		if ext.Type == wire.ExtServerName {
			sni = 'd'
		}
		if !spec.IsGREASE(uint16(ext.Type)) {
			listed++
		}
	}
	count := len(slices.Collect(m.Suites.Named()))
	return fmt.Sprintf("%c%s%c%02d%02d%s", transport, version(m.MaxVersion()), sni,
		min(count, 99), min(listed, 99), protocol(m.Protocols().First()))
}

// version is the two characters of a version.
func version(v uint16) string {
	switch v {
	case wire.VersionTLS13:
		return "13"
	case wire.VersionTLS12:
		return "12"
	case wire.VersionTLS11:
		return "11"
	case wire.VersionTLS10:
		return "10"
	case wire.VersionSSL3:
		return "s3"
	case wire.VersionSSL2:
		return "s2"
	case wire.VersionDTLS10:
		return "d1"
	case wire.VersionDTLS12:
		return "d2"
	case wire.VersionDTLS13:
		return "d3"
	}
	return "00"
}

// protocol is the first and last character of a protocol name, or of its hex
// digits where one of the two is neither letter nor digit.
func protocol(name []byte) string {
	if len(name) == 0 {
		return "00"
	}
	text := string(name)
	if !alphanumeric(name[0]) || !alphanumeric(name[len(name)-1]) {
		text = hex.EncodeToString(name)
	}
	return text[:1] + text[len(text)-1:]
}

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// suites is the sorted list of suites.
func suites(m *wire.ClientHello) string { return list(slices.Sorted(m.Suites.Named())) }

// extensions is the sorted list of extensions without SNI and ALPN, and the
// signature schemes in the client's order.
func extensions(m *wire.ClientHello) string {
	var types []uint16
	for ext := range m.Extensions.All() {
		if ext.Type != wire.ExtServerName && ext.Type != wire.ExtALPN && !spec.IsGREASE(uint16(ext.Type)) {
			types = append(types, uint16(ext.Type))
		}
	}
	slices.Sort(types)
	schemes := slices.Collect(m.Signatures().Named())
	if len(schemes) == 0 {
		return list(types)
	}
	return list(types) + "_" + list(schemes)
}

func list(codes []uint16) string {
	text := make([]string, len(codes))
	for i, code := range codes {
		text[i] = fmt.Sprintf("%04x", code)
	}
	return strings.Join(text, ",")
}

// digest is the first 12 hex digits of the SHA-256 of a list, zeros for none.
func digest(text string) string {
	if text == "" {
		return "000000000000"
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}
