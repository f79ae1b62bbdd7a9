package wire

import "fmt"

// Code points of versions, as they stand on the wire.
const (
	VersionSSL2   uint16 = 0x0002
	VersionSSL3   uint16 = 0x0300 // RFC 6101
	VersionTLS10  uint16 = 0x0301 // RFC 2246
	VersionTLS11  uint16 = 0x0302 // RFC 4346
	VersionTLS12  uint16 = 0x0303 // RFC 5246
	VersionTLS13  uint16 = 0x0304 // RFC 8446
	VersionDTLS09 uint16 = 0x0100 // OpenSSL before DTLS was a standard: DTLS1_BAD_VER
	VersionDTLS10 uint16 = 0xFEFF // RFC 4347
	VersionDTLS12 uint16 = 0xFEFD // RFC 6347
	VersionDTLS13 uint16 = 0xFEFC // RFC 9147
)

// Drafts of TLS 1.3 set their number into the low byte.
const (
	draftIETF     = 0x7F
	draftFacebook = 0x7E
	draftFizz     = 0xFB
)

// versionNames holds the names in use for released versions.
var versionNames = map[uint16]string{
	VersionSSL2: "SSL 2.0", VersionSSL3: "SSL 3.0",
	VersionTLS10: "TLS 1.0", VersionTLS11: "TLS 1.1", VersionTLS12: "TLS 1.2", VersionTLS13: "TLS 1.3",
	VersionDTLS09: "DTLS 0.9", VersionDTLS10: "DTLS 1.0", VersionDTLS12: "DTLS 1.2", VersionDTLS13: "DTLS 1.3",
}

// VersionName returns "TLS 1.3", "TLS 1.3 draft 22", or "0x1234" where a code
// point has no name.
func VersionName(code uint16) string {
	if name, ok := versionNames[code]; ok {
		return name
	}
	switch code >> 8 {
	case draftIETF:
		return fmt.Sprintf("TLS 1.3 draft %d", code&0xFF)
	case draftFacebook, draftFizz:
		return fmt.Sprintf("TLS 1.3 draft %d (Facebook)", code&0xFF)
	}
	return fmt.Sprintf("0x%04x", code)
}

// IsVersion13 reports whether a code point stands for TLS 1.3, DTLS 1.3 or one
// of the drafts of TLS 1.3.
func IsVersion13(code uint16) bool {
	switch code >> 8 {
	case draftIETF, draftFacebook, draftFizz:
		return true
	}
	return code == VersionTLS13 || code == VersionDTLS13
}
