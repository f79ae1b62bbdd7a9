package wire

import (
	"fmt"

	"shakedown/wire/internal/codec"
)

// Alert is the message of an alert record (RFC 8446 6).
type Alert struct {
	Level       uint8 // 1 warning, 2 fatal
	Description AlertDescription
}

// AlertDescription is the code of an alert (IANA "TLS Alerts").
type AlertDescription uint8

// alertNames holds the registry, with the reserved ones that old stacks send.
var alertNames = map[AlertDescription]string{
	0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 21: "decryption_failed",
	22: "record_overflow", 30: "decompression_failure", 40: "handshake_failure", 41: "no_certificate",
	42: "bad_certificate", 43: "unsupported_certificate", 44: "certificate_revoked",
	45: "certificate_expired", 46: "certificate_unknown", 47: "illegal_parameter", 48: "unknown_ca",
	49: "access_denied", 50: "decode_error", 51: "decrypt_error", 52: "too_many_cids_requested",
	60: "export_restriction", 70: "protocol_version", 71: "insufficient_security",
	80: "internal_error", 86: "inappropriate_fallback", 90: "user_canceled", 100: "no_renegotiation",
	109: "missing_extension", 110: "unsupported_extension", 111: "certificate_unobtainable",
	112: "unrecognized_name", 113: "bad_certificate_status_response", 114: "bad_certificate_hash_value",
	115: "unknown_psk_identity", 116: "certificate_required", 117: "general_error",
	120: "no_application_protocol", 121: "ech_required",
}

// String returns the name, or "alert 99".
func (d AlertDescription) String() string {
	if name, ok := alertNames[d]; ok {
		return name
	}
	return fmt.Sprintf("alert %d", uint8(d))
}

// Fatal reports whether the connection ends with the alert. TLS 1.3 ignores the
// level: all but close_notify and user_canceled end it.
func (a Alert) Fatal() bool { return a.Level == 2 }

// Parse reads the fragment of a plain alert record.
func (a *Alert) Parse(fragment []byte) error {
	r := codec.Reader{What: "alert", All: fragment}
	a.Level, a.Description = r.U8(), AlertDescription(r.U8())
	return r.Done()
}

// Append writes the alert.
func (a *Alert) Append(dst []byte) []byte { return append(dst, a.Level, byte(a.Description)) }
