package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"shakedown/spec"
)

// Transports of a JA4 fingerprint.
const (
	JA4TLS  = 't'
	JA4DTLS = 'd'
	JA4QUIC = 'q'
)

// JA4 returns the JA4 fingerprint of the client (FoxIO's public description of
// JA4, the TLS client part): transport, version, SNI, numbers of suites and
// extensions and the first ALPN in clear, then hashes of suites and extensions.
func (m *ClientHello) JA4(transport byte) string {
	suites, extensions := m.ja4Suites(), m.ja4Extensions()
	return m.ja4Head(transport) + "_" + ja4Hash(suites) + "_" + ja4Hash(extensions)
}

// JA4Raw returns the fingerprint with its lists instead of their hashes (JA4_r).
func (m *ClientHello) JA4Raw(transport byte) string {
	return m.ja4Head(transport) + "_" + m.ja4Suites() + "_" + m.ja4Extensions()
}

func (m *ClientHello) ja4Head(transport byte) string {
	sni, count := 'i', 0
	for ext := range m.Extensions.All() {
		if ext.Type == ExtServerName {
			sni = 'd'
		}
		if !spec.IsGREASE(uint16(ext.Type)) {
			count++
		}
	}
	suites := len(slices.Collect(m.Suites.Named()))
	return fmt.Sprintf("%c%s%c%02d%02d%s", transport, ja4Version(m.MaxVersion()), sni,
		min(suites, 99), min(count, 99), ja4Protocol(m.Protocols().First()))
}

// ja4Version is the two characters of a version.
func ja4Version(v uint16) string {
	switch v {
	case VersionTLS13:
		return "13"
	case VersionTLS12:
		return "12"
	case VersionTLS11:
		return "11"
	case VersionTLS10:
		return "10"
	case VersionSSL3:
		return "s3"
	case VersionSSL2:
		return "s2"
	case VersionDTLS10:
		return "d1"
	case VersionDTLS12:
		return "d2"
	case VersionDTLS13:
		return "d3"
	}
	return "00"
}

// ja4Protocol is the first and last character of a protocol name, or of its hex
// digits where one of the two is neither letter nor digit.
func ja4Protocol(name []byte) string {
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

// ja4Suites is the sorted list of suites.
func (m *ClientHello) ja4Suites() string { return ja4List(slices.Sorted(m.Suites.Named())) }

// ja4Extensions is the sorted list of extensions without SNI and ALPN, and the
// signature schemes in the client's order.
func (m *ClientHello) ja4Extensions() string {
	var types []uint16
	for ext := range m.Extensions.All() {
		if ext.Type != ExtServerName && ext.Type != ExtALPN && !spec.IsGREASE(uint16(ext.Type)) {
			types = append(types, uint16(ext.Type))
		}
	}
	slices.Sort(types)
	schemes := slices.Collect(m.Signatures().Named())
	if len(schemes) == 0 {
		return ja4List(types)
	}
	return ja4List(types) + "_" + ja4List(schemes)
}

func ja4List(codes []uint16) string {
	text := make([]string, len(codes))
	for i, code := range codes {
		text[i] = fmt.Sprintf("%04x", code)
	}
	return strings.Join(text, ",")
}

// ja4Hash is the first 12 hex digits of the SHA-256 of a list, zeros for none.
func ja4Hash(list string) string {
	if list == "" {
		return "000000000000"
	}
	sum := sha256.Sum256([]byte(list))
	return hex.EncodeToString(sum[:6])
}
