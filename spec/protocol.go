package spec

import (
	"cmp"
	"slices"
	"strings"
)

// Protocol is the secure channel that carries the handshake.
type Protocol string

// The protocols.
const (
	ProtocolTLS  Protocol = "tls"  // over TCP (RFC 5246, RFC 8446)
	ProtocolDTLS Protocol = "dtls" // over UDP (RFC 6347, RFC 9147)
	ProtocolQUIC Protocol = "quic" // TLS 1.3 inside QUIC (RFC 9001)
)

// Protocols lists all protocols.
func Protocols() []Protocol { return []Protocol{ProtocolTLS, ProtocolDTLS, ProtocolQUIC} }

// ParseProtocol reads a protocol in any letter case. The error is an
// [*UnknownName].
func ParseProtocol(s string) (Protocol, error) {
	if p := Protocol(fold(s)); slices.Contains(Protocols(), p) {
		return p, nil
	}
	return "", unknownOf("protocol", s, Protocols())
}

// String returns the canonical name.
func (p Protocol) String() string { return string(p) }

// Version is a protocol version without the protocol: "1.2" stands for TLS 1.2
// and DTLS 1.2 alike. The text orders as the versions do.
type Version string

// The versions.
const (
	Version10 Version = "1.0"
	Version11 Version = "1.1" // DTLS skipped this number
	Version12 Version = "1.2"
	Version13 Version = "1.3"
)

// versionCodes holds the code points of a version: TLS of RFC 2246, 4346, 5246
// and 8446, DTLS of RFC 4347, 6347 and 9147.
var versionCodes = []struct {
	version   Version
	tls, dtls uint16
}{
	{Version10, 0x0301, 0xFEFF},
	{Version11, 0x0302, 0},
	{Version12, 0x0303, 0xFEFD},
	{Version13, 0x0304, 0xFEFC},
}

// Versions lists all versions, oldest first.
func Versions() []Version { return []Version{Version10, Version11, Version12, Version13} }

// ParseVersion reads "1.3", "13", "tls1.3", "TLSv1.3", "TLS 1.3", "dtls1.2",
// "VERS-TLS1.2" and the code points "0x0304" and "0xfefc". The error is an
// [*UnknownName].
func ParseVersion(s string) (Version, error) {
	if code, ok := parseCode(s); ok {
		if v, _, known := VersionByCode(code); known {
			return v, nil
		}
	}
	digits := versionDigits(s)
	for _, v := range Versions() {
		if fold(string(v)) == digits {
			return v, nil
		}
	}
	return "", unknownOf("version", s, Versions())
}

// versionDigits reduces a spelling of a version to its two digits. A lone "1"
// after the protocol, as in OpenSSL's "TLSv1", means 1.0.
func versionDigits(s string) string {
	rest := strings.TrimPrefix(fold(s), "vers")
	named := false
	for _, protocol := range []string{"dtls", "tls"} {
		if after, ok := strings.CutPrefix(rest, protocol); ok {
			rest, named = strings.TrimPrefix(after, "v"), true
			break
		}
	}
	if named && rest == "1" {
		return "10"
	}
	return rest
}

// VersionByCode finds the version and protocol of a code point on the wire.
func VersionByCode(code uint16) (Version, Protocol, bool) {
	for _, row := range versionCodes {
		switch {
		case code == row.tls:
			return row.version, ProtocolTLS, true
		case code == row.dtls && code != 0:
			return row.version, ProtocolDTLS, true
		}
	}
	return "", "", false
}

// Code returns the code point of the version in the protocol; 0 where the
// protocol has no such version. QUIC speaks TLS 1.3 and nothing else.
func (v Version) Code(p Protocol) uint16 {
	for _, row := range versionCodes {
		switch {
		case row.version != v || p == ProtocolQUIC && v != Version13:
			continue
		case p == ProtocolDTLS:
			return row.dtls
		}
		return row.tls
	}
	return 0
}

// String returns the canonical text, such as "1.3".
func (v Version) String() string { return string(v) }

// Label prints the version with its protocol as people write it: "TLS 1.3",
// "DTLS 1.2", "QUIC".
func (v Version) Label(p Protocol) string {
	if p == ProtocolQUIC {
		return "QUIC"
	}
	return strings.ToUpper(string(cmp.Or(p, ProtocolTLS))) + " " + string(v)
}
