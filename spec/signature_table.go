package spec

// schemeTable is the IANA registry "TLS SignatureScheme" as far as stacks
// implement it. Sources: RFC 8446 4.2.3, 8422 (EdDSA in TLS 1.2), 8734
// (Brainpool), 8998 (SM2), 5246 7.4.1.4.1 (the pairs of hash and signature that
// only TLS 1.2 knows), draft-davidben-tls13-pkcs1, draft-ietf-tls-mldsa,
// draft-reddy-tls-slhdsa.
//
// A scheme that ends with 1.2 may still sign certificates in TLS 1.3, but no
// handshake message.
var schemeTable = []SignatureScheme{
	{"ecdsa_secp256r1_sha256", 0x0403, "ecdsa", false, Version12, Version13, []string{"ECDSA+SHA256", "SIGN-ECDSA-SECP256R1-SHA256", "SIGN-ECDSA-SHA256", "ECDSAWithP256AndSHA256"}},
	{"ecdsa_secp384r1_sha384", 0x0503, "ecdsa", false, Version12, Version13, []string{"ECDSA+SHA384", "SIGN-ECDSA-SECP384R1-SHA384", "SIGN-ECDSA-SHA384", "ECDSAWithP384AndSHA384"}},
	{"ecdsa_secp521r1_sha512", 0x0603, "ecdsa", false, Version12, Version13, []string{"ECDSA+SHA512", "SIGN-ECDSA-SECP521R1-SHA512", "SIGN-ECDSA-SHA512", "ECDSAWithP521AndSHA512"}},
	{"ed25519", 0x0807, "ed25519", false, Version12, Version13, []string{"SIGN-EdDSA-Ed25519"}},
	{"ed448", 0x0808, "ed448", false, Version12, Version13, []string{"SIGN-EdDSA-Ed448"}},
	{"rsa_pss_rsae_sha256", 0x0804, "rsa", false, Version12, Version13, []string{"RSA-PSS+SHA256", "PSS+SHA256", "SIGN-RSA-PSS-RSAE-SHA256", "PSSWithSHA256"}},
	{"rsa_pss_rsae_sha384", 0x0805, "rsa", false, Version12, Version13, []string{"RSA-PSS+SHA384", "PSS+SHA384", "SIGN-RSA-PSS-RSAE-SHA384", "PSSWithSHA384"}},
	{"rsa_pss_rsae_sha512", 0x0806, "rsa", false, Version12, Version13, []string{"RSA-PSS+SHA512", "PSS+SHA512", "SIGN-RSA-PSS-RSAE-SHA512", "PSSWithSHA512"}},
	{"rsa_pss_pss_sha256", 0x0809, "rsa-pss", false, Version12, Version13, []string{"SIGN-RSA-PSS-SHA256"}},
	{"rsa_pss_pss_sha384", 0x080A, "rsa-pss", false, Version12, Version13, []string{"SIGN-RSA-PSS-SHA384"}},
	{"rsa_pss_pss_sha512", 0x080B, "rsa-pss", false, Version12, Version13, []string{"SIGN-RSA-PSS-SHA512"}},
	{"ecdsa_brainpoolP256r1tls13_sha256", 0x081A, "ecdsa", false, Version13, Version13, nil},
	{"ecdsa_brainpoolP384r1tls13_sha384", 0x081B, "ecdsa", false, Version13, Version13, nil},
	{"ecdsa_brainpoolP512r1tls13_sha512", 0x081C, "ecdsa", false, Version13, Version13, nil},
	{"sm2sig_sm3", 0x0708, "sm2", false, Version13, Version13, nil},

	{"mldsa44", 0x0904, "mldsa", true, Version13, Version13, []string{"ML-DSA-44", "id-ml-dsa-44", "SIGN-ML-DSA-44"}},
	{"mldsa65", 0x0905, "mldsa", true, Version13, Version13, []string{"ML-DSA-65", "id-ml-dsa-65", "SIGN-ML-DSA-65"}},
	{"mldsa87", 0x0906, "mldsa", true, Version13, Version13, []string{"ML-DSA-87", "id-ml-dsa-87", "SIGN-ML-DSA-87"}},
	{"slhdsa_sha2_128s", 0x0911, "slhdsa", true, Version13, Version13, []string{"SLH-DSA-SHA2-128s", "id-slh-dsa-sha2-128s"}},
	{"slhdsa_sha2_128f", 0x0912, "slhdsa", true, Version13, Version13, []string{"SLH-DSA-SHA2-128f", "id-slh-dsa-sha2-128f"}},
	{"slhdsa_sha2_192s", 0x0913, "slhdsa", true, Version13, Version13, []string{"SLH-DSA-SHA2-192s", "id-slh-dsa-sha2-192s"}},
	{"slhdsa_sha2_192f", 0x0914, "slhdsa", true, Version13, Version13, []string{"SLH-DSA-SHA2-192f", "id-slh-dsa-sha2-192f"}},
	{"slhdsa_sha2_256s", 0x0915, "slhdsa", true, Version13, Version13, []string{"SLH-DSA-SHA2-256s", "id-slh-dsa-sha2-256s"}},
	{"slhdsa_sha2_256f", 0x0916, "slhdsa", true, Version13, Version13, []string{"SLH-DSA-SHA2-256f", "id-slh-dsa-sha2-256f"}},
	{"slhdsa_shake_128s", 0x0917, "slhdsa", true, Version13, Version13, []string{"SLH-DSA-SHAKE-128s", "id-slh-dsa-shake-128s"}},
	{"slhdsa_shake_128f", 0x0918, "slhdsa", true, Version13, Version13, []string{"SLH-DSA-SHAKE-128f", "id-slh-dsa-shake-128f"}},
	{"slhdsa_shake_192s", 0x0919, "slhdsa", true, Version13, Version13, []string{"SLH-DSA-SHAKE-192s", "id-slh-dsa-shake-192s"}},
	{"slhdsa_shake_192f", 0x091A, "slhdsa", true, Version13, Version13, []string{"SLH-DSA-SHAKE-192f", "id-slh-dsa-shake-192f"}},
	{"slhdsa_shake_256s", 0x091B, "slhdsa", true, Version13, Version13, []string{"SLH-DSA-SHAKE-256s", "id-slh-dsa-shake-256s"}},
	{"slhdsa_shake_256f", 0x091C, "slhdsa", true, Version13, Version13, []string{"SLH-DSA-SHAKE-256f", "id-slh-dsa-shake-256f"}},

	{"rsa_pkcs1_sha256", 0x0401, "rsa", false, Version12, Version12, []string{"RSA+SHA256", "SIGN-RSA-SHA256", "PKCS1WithSHA256"}},
	{"rsa_pkcs1_sha384", 0x0501, "rsa", false, Version12, Version12, []string{"RSA+SHA384", "SIGN-RSA-SHA384", "PKCS1WithSHA384"}},
	{"rsa_pkcs1_sha512", 0x0601, "rsa", false, Version12, Version12, []string{"RSA+SHA512", "SIGN-RSA-SHA512", "PKCS1WithSHA512"}},
	{"rsa_pkcs1_sha256_legacy", 0x0420, "rsa", false, Version13, Version13, nil},
	{"rsa_pkcs1_sha384_legacy", 0x0520, "rsa", false, Version13, Version13, nil},
	{"rsa_pkcs1_sha512_legacy", 0x0620, "rsa", false, Version13, Version13, nil},
	{"rsa_pkcs1_sha1", 0x0201, "rsa", false, Version12, Version12, []string{"RSA+SHA1", "SIGN-RSA-SHA1", "PKCS1WithSHA1"}},
	{"ecdsa_sha1", 0x0203, "ecdsa", false, Version12, Version12, []string{"ECDSA+SHA1", "SIGN-ECDSA-SHA1", "ECDSAWithSHA1"}},
	{"rsa_pkcs1_sha224", 0x0301, "rsa", false, Version12, Version12, []string{"RSA+SHA224", "SIGN-RSA-SHA224"}},
	{"dsa_sha224", 0x0302, "dsa", false, Version12, Version12, []string{"DSA+SHA224", "SIGN-DSA-SHA224"}},
	{"ecdsa_sha224", 0x0303, "ecdsa", false, Version12, Version12, []string{"ECDSA+SHA224", "SIGN-ECDSA-SHA224"}},
	{"dsa_sha1", 0x0202, "dsa", false, Version12, Version12, []string{"DSA+SHA1", "SIGN-DSA-SHA1"}},
	{"dsa_sha256", 0x0402, "dsa", false, Version12, Version12, []string{"DSA+SHA256", "SIGN-DSA-SHA256"}},
	{"dsa_sha384", 0x0502, "dsa", false, Version12, Version12, []string{"DSA+SHA384", "SIGN-DSA-SHA384"}},
	{"dsa_sha512", 0x0602, "dsa", false, Version12, Version12, []string{"DSA+SHA512", "SIGN-DSA-SHA512"}},
}
