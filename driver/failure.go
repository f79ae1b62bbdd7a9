package driver

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
)

// Reasons of a failed handshake (docs/driver.md).
const (
	ReasonRefused   = "refused"    // by TCP
	ReasonTimeout   = "timeout"    // the deadline passed
	ReasonReset     = "reset"      // by TCP
	ReasonClosed    = "closed"     // the peer ended before it was over
	ReasonAlert     = "alert"      // sent or received
	ReasonVerify    = "verify"     // a certificate
	ReasonProtocol  = "protocol"   // the stack refused what came
	ReasonNoSession = "no-session" // resumption asked, none to be had
	ReasonOther     = "other"
)

// Who sent an alert.
const (
	FromLocal = "local"
	FromPeer  = "peer"
)

// Failure is why a handshake failed.
type Failure struct {
	Reason string // one of the above
	Alert  string // RFC 8446 name, or empty
	From   string // who sent the alert, or empty
	Detail string // the stack's own words
}

// netReason names what the network did, or is empty when it was not the network.
func netReason(err error) string {
	is := func(target error) bool { return errors.Is(err, target) }
	var network net.Error
	switch {
	case errors.As(err, &network) && network.Timeout():
		return ReasonTimeout
	case slices.ContainsFunc(errsRefused, is):
		return ReasonRefused
	case slices.ContainsFunc(errsReset, is):
		return ReasonReset
	case is(io.EOF), is(io.ErrUnexpectedEOF):
		return ReasonClosed
	}
	return ""
}

// failureOf classifies an error of a connection, which is nil where there was
// none yet.
func failureOf(conn Conn, err error) Failure {
	if reason := netReason(err); reason != "" {
		return Failure{Reason: reason, Detail: err.Error()}
	}
	if conn == nil {
		return Failure{Reason: ReasonOther, Detail: err.Error()}
	}
	return conn.Failure(err)
}

// alerts are the names of RFC 8446 6; those that it no longer has are of
// RFC 5246 7.2, RFC 6066 9 and RFC 7507 3.
var alerts = map[uint8]string{
	0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 21: "decryption_failed",
	22: "record_overflow", 30: "decompression_failure", 40: "handshake_failure", 42: "bad_certificate",
	43: "unsupported_certificate", 44: "certificate_revoked", 45: "certificate_expired",
	46: "certificate_unknown", 47: "illegal_parameter", 48: "unknown_ca", 49: "access_denied",
	50: "decode_error", 51: "decrypt_error", 70: "protocol_version", 71: "insufficient_security",
	80: "internal_error", 86: "inappropriate_fallback", 90: "user_canceled", 100: "no_renegotiation",
	109: "missing_extension", 110: "unsupported_extension", 112: "unrecognized_name",
	113: "bad_certificate_status_response", 115: "unknown_psk_identity", 116: "certificate_required",
	120: "no_application_protocol",
}

// AlertName is the name of a TLS alert as RFC 8446 6 spells it, or "unknown_N".
func AlertName(code uint8) string {
	if name := alerts[code]; name != "" {
		return name
	}
	return fmt.Sprintf("unknown_%d", code)
}
