package wire

import (
	"fmt"

	"shakedown/spec"
)

// ExtensionType names an extension (IANA "TLS ExtensionType Values").
type ExtensionType uint16

// The extensions that have a file here, or that say something on their own.
const (
	ExtServerName              ExtensionType = 0
	ExtMaxFragmentLength       ExtensionType = 1
	ExtStatusRequest           ExtensionType = 5
	ExtSupportedGroups         ExtensionType = 10
	ExtECPointFormats          ExtensionType = 11
	ExtSignatureAlgorithms     ExtensionType = 13
	ExtUseSRTP                 ExtensionType = 14
	ExtALPN                    ExtensionType = 16
	ExtSCT                     ExtensionType = 18
	ExtClientCertificateType   ExtensionType = 19
	ExtServerCertificateType   ExtensionType = 20
	ExtPadding                 ExtensionType = 21
	ExtEncryptThenMAC          ExtensionType = 22
	ExtExtendedMasterSecret    ExtensionType = 23
	ExtCompressCertificate     ExtensionType = 27
	ExtRecordSizeLimit         ExtensionType = 28
	ExtDelegatedCredential     ExtensionType = 34
	ExtSessionTicket           ExtensionType = 35
	ExtKeyShareDraft           ExtensionType = 40 // key_share of TLS 1.3 drafts before 23
	ExtPreSharedKey            ExtensionType = 41
	ExtEarlyData               ExtensionType = 42
	ExtSupportedVersions       ExtensionType = 43
	ExtCookie                  ExtensionType = 44
	ExtPSKModes                ExtensionType = 45
	ExtCertificateAuthorities  ExtensionType = 47
	ExtPostHandshakeAuth       ExtensionType = 49
	ExtSignatureAlgorithmsCert ExtensionType = 50
	ExtKeyShare                ExtensionType = 51
	ExtConnectionID            ExtensionType = 54 // RFC 9146
	ExtQUICTransportParameters ExtensionType = 57 // RFC 9001
	ExtTicketRequest           ExtensionType = 58
	ExtNextProtocol            ExtensionType = 0x3374 // NPN, never standard
	ExtALPS                    ExtensionType = 0x44CD // Chrome
	ExtALPSOld                 ExtensionType = 0x4469 // Chrome
	ExtECHOuterExtensions      ExtensionType = 0xFD00
	ExtECH                     ExtensionType = 0xFE0D // RFC 9849
	ExtQUICTransportDraft      ExtensionType = 0xFFA5 // QUIC drafts before 34
	ExtRenegotiationInfo       ExtensionType = 0xFF01
)

// extensionNames holds the names of the registry.
var extensionNames = map[ExtensionType]string{
	ExtServerName: "server_name", ExtMaxFragmentLength: "max_fragment_length",
	2: "client_certificate_url", 3: "trusted_ca_keys", 4: "truncated_hmac",
	ExtStatusRequest: "status_request", 6: "user_mapping", 7: "client_authz", 8: "server_authz",
	9: "cert_type", ExtSupportedGroups: "supported_groups", ExtECPointFormats: "ec_point_formats",
	12: "srp", ExtSignatureAlgorithms: "signature_algorithms", ExtUseSRTP: "use_srtp",
	15: "heartbeat", ExtALPN: "application_layer_protocol_negotiation", 17: "status_request_v2",
	ExtSCT: "signed_certificate_timestamp", ExtClientCertificateType: "client_certificate_type",
	ExtServerCertificateType: "server_certificate_type", ExtPadding: "padding",
	ExtEncryptThenMAC: "encrypt_then_mac", ExtExtendedMasterSecret: "extended_master_secret",
	24: "token_binding", 25: "cached_info", 26: "tls_lts",
	ExtCompressCertificate: "compress_certificate", ExtRecordSizeLimit: "record_size_limit",
	29: "pwd_protect", 30: "pwd_clear", 31: "password_salt", 32: "ticket_pinning",
	33: "tls_cert_with_extern_psk", ExtDelegatedCredential: "delegated_credential",
	ExtSessionTicket: "session_ticket", ExtKeyShareDraft: "key_share (draft)",
	ExtPreSharedKey: "pre_shared_key", ExtEarlyData: "early_data",
	ExtSupportedVersions: "supported_versions", ExtCookie: "cookie",
	ExtPSKModes: "psk_key_exchange_modes", ExtCertificateAuthorities: "certificate_authorities",
	48: "oid_filters", ExtPostHandshakeAuth: "post_handshake_auth",
	ExtSignatureAlgorithmsCert: "signature_algorithms_cert", ExtKeyShare: "key_share",
	52: "transparency_info", 53: "connection_id (deprecated)", ExtConnectionID: "connection_id",
	55: "external_id_hash", 56: "external_session_id",
	ExtQUICTransportParameters: "quic_transport_parameters", ExtTicketRequest: "ticket_request",
	59: "dnssec_chain", 60: "sequence_number_encryption_algorithms", 61: "rrc",
	ExtNextProtocol: "next_protocol_negotiation", ExtALPS: "application_settings",
	ExtALPSOld: "application_settings (old)", ExtECHOuterExtensions: "ech_outer_extensions",
	ExtECH: "encrypted_client_hello", ExtQUICTransportDraft: "quic_transport_parameters (draft)",
	ExtRenegotiationInfo: "renegotiation_info",
}

// String returns the name in the registry, "GREASE" (RFC 8701), or "extension
// 0x1234".
func (t ExtensionType) String() string {
	if name, ok := extensionNames[t]; ok {
		return name
	}
	if spec.IsGREASE(uint16(t)) {
		return "GREASE"
	}
	return fmt.Sprintf("extension 0x%04x", uint16(t))
}
