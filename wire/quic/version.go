package quic

import "fmt"

// Versions of QUIC whose Initial packets can be opened. Those of the IETF's
// drafts are VersionDraft plus their number.
const (
	VersionNegotiation uint32 = 0x00000000 // marks Version Negotiation packets
	Version1           uint32 = 0x00000001 // RFC 9000
	Version2           uint32 = 0x6B3343CF // RFC 9369
	VersionDraft       uint32 = 0xFF000000
	VersionMvfst1      uint32 = 0xFACEB001 // Facebook, near draft 24
	VersionMvfst2      uint32 = 0xFACEB002 // Facebook, near draft 27
	VersionMvfstE      uint32 = 0xFACEB00E // Facebook, experimental
	VersionGoogleT050  uint32 = 0x54303530
	VersionGoogleT051  uint32 = 0x54303531
)

// VersionName returns "QUIC v1", "QUIC draft 29", or "0x12345678" where a version has
// no name.
func VersionName(version uint32) string {
	switch version {
	case Version1:
		return "QUIC v1"
	case Version2:
		return "QUIC v2"
	case VersionMvfst1, VersionMvfst2, VersionMvfstE:
		return fmt.Sprintf("mvfst 0x%08x", version)
	case VersionGoogleT050, VersionGoogleT051:
		return fmt.Sprintf("Google T0%d", 50+version&1)
	}
	if n := version - VersionDraft; n > 0 && n < 0x100 {
		return fmt.Sprintf("QUIC draft %d", n)
	}
	return fmt.Sprintf("0x%08x", version)
}

// Reserved reports whether a version is one of those that are never spoken and only
// keep Version Negotiation working (RFC 9000 15).
func Reserved(version uint32) bool { return version&0x0F0F0F0F == 0x0A0A0A0A }

// Salts of the Initial secret (RFC 9001 5.2, RFC 9369 3.3.1, the drafts of RFC
// 9001, and the source of mvfst and Chromium).
const (
	salt22 = "\x7f\xbc\xdb\x0e\x7c\x66\xbb\xe9\x19\x3a\x96\xcd\x21\x51\x9e\xbd\x7a\x02\x64\x4a"
	salt23 = "\xc3\xee\xf7\x12\xc7\x2e\xbb\x5a\x11\xa7\xd2\x43\x2b\xb4\x63\x65\xbe\xf9\xf5\x02"
	salt29 = "\xaf\xbf\xec\x28\x99\x93\xd2\x4c\x9e\x97\x86\xf1\x9c\x61\x11\xe0\x43\x90\xa8\x99"
	salt1  = "\x38\x76\x2c\xf7\xf5\x59\x34\xb3\x4d\x17\x9a\xe6\xa4\xc8\x0c\xad\xcc\xbb\x7f\x0a"
	salt2  = "\x0d\xed\xe3\xde\xf7\x00\xa6\xdb\x81\x93\x81\xbe\x6e\x26\x9d\xcb\xf9\xbd\x2e\xd9"
	saltT0 = "\x7f\xf5\x79\xe5\xac\xd0\x72\x91\x55\x80\x30\x4c\x43\xa2\x36\x7c\x60\x48\x83\x10"
	saltT1 = "\x7a\x4e\xde\xf4\xe7\xcc\xee\x5f\xa4\x50\x6c\x19\x12\x4f\xc8\xcc\xda\x6e\x03\x3d"
)

// saltOf returns the salt of a version, "" for one that is not known.
func saltOf(version uint32) string {
	switch version {
	case Version1:
		return salt1
	case Version2:
		return salt2
	case VersionMvfst1:
		return salt22
	case VersionMvfst2, VersionMvfstE:
		return salt23
	case VersionGoogleT050:
		return saltT0
	case VersionGoogleT051:
		return saltT1
	}
	return saltOfDraft(version - VersionDraft)
}

func saltOfDraft(draft uint32) string {
	switch {
	case draft == 22:
		return salt22
	case draft >= 23 && draft <= 28:
		return salt23
	case draft >= 29 && draft <= 32:
		return salt29
	case draft == 33 || draft == 34:
		return salt1
	}
	return ""
}
