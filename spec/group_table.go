package spec

import "strings"

// groupFamily is a run of groups that share class and versions.
type groupFamily struct {
	class       GroupClass
	postQuantum bool
	min, max    Version
	note        string
	rows        []groupRow
}

// groupRow is what differs within a family. Aliases are parted by spaces.
type groupRow struct {
	code           uint16
	name           string
	client, server int
	aliases        string
}

// Key shares in bytes: an uncompressed point is 1 + 2n (RFC 8422 5.4); ML-KEM
// sends an encapsulation key and answers with a ciphertext (FIPS 203, table 3).
// Kyber round 3 has the same sizes.
const (
	x25519Share = 32
	p256Share   = 65
	p384Share   = 97
	p521Share   = 133

	kem512Key, kem512Text   = 800, 768
	kem768Key, kem768Text   = 1184, 1088
	kem1024Key, kem1024Text = 1568, 1568

	hrss701Share = 1138 // NTRU-HRSS-701, both ways
)

// groupFamilies is the IANA registry "TLS Supported Groups", and the code points
// outside it that were seen in the wild. Sources: RFC 8422, 7919 (ffdhe), 7027
// and 8734 (Brainpool), 8998 (SM2), 9367 (GOST), 10024 (hybrids),
// draft-ietf-tls-mlkem, draft-yang-tls-hybrid-sm2-mlkem,
// draft-tls-westerbaan-xyber768d00; the names of Open Quantum Safe.
//
// Code points outside the registry may have meant other things elsewhere: where
// a key share is at hand, judge by code and length together.
var groupFamilies = []groupFamily{
	{ClassEC, false, Version10, Version13, "", []groupRow{
		{0x0017, "secp256r1", p256Share, p256Share, "P-256 NIST-P-256 prime256v1 CurveP256 GROUP-SECP256R1 ECC_SECP256R1"},
		{0x0018, "secp384r1", p384Share, p384Share, "P-384 NIST-P-384 CurveP384 GROUP-SECP384R1 ECC_SECP384R1"},
		{0x0019, "secp521r1", p521Share, p521Share, "P-521 NIST-P-521 CurveP521 GROUP-SECP521R1 ECC_SECP521R1"},
		{0x001D, "x25519", x25519Share, x25519Share, "Curve25519 GROUP-X25519 ECC_X25519 ecdh_x25519"},
		{0x001E, "x448", 56, 56, "Curve448 GROUP-X448 ECC_X448 ecdh_x448"},
	}},
	{ClassEC, false, Version13, Version13, "", []groupRow{
		{0x001F, "brainpoolP256r1tls13", 65, 65, ""},
		{0x0020, "brainpoolP384r1tls13", 97, 97, ""},
		{0x0021, "brainpoolP512r1tls13", 129, 129, ""},
		{0x0029, "curveSM2", 65, 65, "SM2"},
	}},
	{ClassEC, false, Version12, Version13, "GOST R 34.10-2012", []groupRow{
		{0x0022, "GC256A", 64, 64, "GROUP-GC256A"},
		{0x0023, "GC256B", 64, 64, "GROUP-GC256B"},
		{0x0024, "GC256C", 64, 64, "GROUP-GC256C"},
		{0x0025, "GC256D", 64, 64, "GROUP-GC256D"},
		{0x0026, "GC512A", 128, 128, "GROUP-GC512A"},
		{0x0027, "GC512B", 128, 128, "GROUP-GC512B"},
		{0x0028, "GC512C", 128, 128, "GROUP-GC512C"},
	}},
	{ClassEC, false, Version10, Version12, "not for TLS 1.3 (RFC 8446 4.2.7)", []groupRow{
		{0x0001, "sect163k1", 43, 43, "K-163"},
		{0x0002, "sect163r1", 43, 43, ""},
		{0x0003, "sect163r2", 43, 43, "B-163"},
		{0x0004, "sect193r1", 51, 51, ""},
		{0x0005, "sect193r2", 51, 51, ""},
		{0x0006, "sect233k1", 61, 61, "K-233"},
		{0x0007, "sect233r1", 61, 61, "B-233"},
		{0x0008, "sect239k1", 61, 61, ""},
		{0x0009, "sect283k1", 73, 73, "K-283"},
		{0x000A, "sect283r1", 73, 73, "B-283"},
		{0x000B, "sect409k1", 105, 105, "K-409"},
		{0x000C, "sect409r1", 105, 105, "B-409"},
		{0x000D, "sect571k1", 145, 145, "K-571"},
		{0x000E, "sect571r1", 145, 145, "B-571"},
		{0x000F, "secp160k1", 41, 41, ""},
		{0x0010, "secp160r1", 41, 41, ""},
		{0x0011, "secp160r2", 41, 41, ""},
		{0x0012, "secp192k1", 49, 49, ""},
		{0x0013, "secp192r1", 49, 49, "P-192 NIST-P-192 prime192v1 GROUP-SECP192R1"},
		{0x0014, "secp224k1", 57, 57, ""},
		{0x0015, "secp224r1", 57, 57, "P-224 NIST-P-224 GROUP-SECP224R1"},
		{0x0016, "secp256k1", 65, 65, ""},
		{0x001A, "brainpoolP256r1", 65, 65, "bp256r1"},
		{0x001B, "brainpoolP384r1", 97, 97, "bp384r1"},
		{0x001C, "brainpoolP512r1", 129, 129, "bp512r1"},
		{0xFF01, "arbitrary_explicit_prime_curves", 0, 0, ""},
		{0xFF02, "arbitrary_explicit_char2_curves", 0, 0, ""},
	}},
	{ClassFFDHE, false, Version10, Version13, "", []groupRow{
		{0x0100, "ffdhe2048", 256, 256, "GROUP-FFDHE2048"},
		{0x0101, "ffdhe3072", 384, 384, "GROUP-FFDHE3072"},
		{0x0102, "ffdhe4096", 512, 512, "GROUP-FFDHE4096"},
		{0x0103, "ffdhe6144", 768, 768, "GROUP-FFDHE6144"},
		{0x0104, "ffdhe8192", 1024, 1024, "GROUP-FFDHE8192"},
	}},
	{ClassHybrid, true, Version13, Version13, "ML-KEM share first", []groupRow{
		{0x11EC, "X25519MLKEM768", kem768Key + x25519Share, kem768Text + x25519Share, "GROUP-X25519-MLKEM768 x25519_mlkem768 X25519_ML_KEM_768"},
	}},
	{ClassHybrid, true, Version13, Version13, "ECDH share first", []groupRow{
		{0x11EB, "SecP256r1MLKEM768", p256Share + kem768Key, p256Share + kem768Text, "GROUP-SECP256R1-MLKEM768 p256_mlkem768 P256_ML_KEM_768"},
		{0x11ED, "SecP384r1MLKEM1024", p384Share + kem1024Key, p384Share + kem1024Text, "GROUP-SECP384R1-MLKEM1024 p384_mlkem1024 P384_ML_KEM_1024"},
		{0x11EE, "curveSM2MLKEM768", 65 + kem768Key, 65 + kem768Text, ""},
	}},
	{ClassMLKEM, true, Version13, Version13, "", []groupRow{
		{0x0200, "MLKEM512", kem512Key, kem512Text, "ML-KEM-512 GROUP-MLKEM512 id-alg-ml-kem-512"},
		{0x0201, "MLKEM768", kem768Key, kem768Text, "ML-KEM-768 GROUP-MLKEM768 id-alg-ml-kem-768"},
		{0x0202, "MLKEM1024", kem1024Key, kem1024Text, "ML-KEM-1024 GROUP-MLKEM1024 id-alg-ml-kem-1024"},
	}},
	{ClassKyberDraft, true, Version13, Version13, "obsolete; X25519 or ECDH share first", []groupRow{
		{0x6399, "X25519Kyber768Draft00", x25519Share + kem768Key, x25519Share + kem768Text, "X25519Kyber768 GROUP-X25519-KYBER768 x25519_kyber768 X25519_KYBER_LEVEL3"},
		{0x639A, "SecP256r1Kyber768Draft00", p256Share + kem768Key, p256Share + kem768Text, "P256Kyber768Draft00 SecP256r1Kyber768 p256_kyber768 P256_KYBER_LEVEL3"},
	}},
	{ClassKyberDraft, true, Version13, Version13, "obsolete; private code point of a trial", []groupRow{
		{0xFE30, "X25519Kyber512Draft00", x25519Share + kem512Key, x25519Share + kem512Text, ""},
		{0xFE31, "X25519Kyber768Draft00-FE31", x25519Share + kem768Key, x25519Share + kem768Text, "X25519Kyber768Draft00Old"},
	}},
	{ClassKyberDraft, true, Version13, Version13, "obsolete; code point of Open Quantum Safe", []groupRow{
		{0x023A, "kyber512", kem512Key, kem512Text, "KYBER_LEVEL1"},
		{0x023C, "kyber768", kem768Key, kem768Text, "KYBER_LEVEL3"},
		{0x023D, "kyber1024", kem1024Key, kem1024Text, "KYBER_LEVEL5"},
		{0x2F39, "x25519_kyber512", x25519Share + kem512Key, x25519Share + kem512Text, "X25519_KYBER_LEVEL1"},
		{0x2F3A, "p256_kyber512", p256Share + kem512Key, p256Share + kem512Text, "P256_KYBER_LEVEL1"},
		{0x2F3C, "p384_kyber768", p384Share + kem768Key, p384Share + kem768Text, "P384_KYBER_LEVEL3"},
		{0x2F3D, "p521_kyber1024", p521Share + kem1024Key, p521Share + kem1024Text, "P521_KYBER_LEVEL5"},
	}},
	{ClassExperiment, true, Version13, Version13, "obsolete; X25519 with NTRU-HRSS-701", []groupRow{
		{0x4138, "CECPQ2", x25519Share + hrss701Share, x25519Share + hrss701Share, ""},
	}},
}

// allGroups spreads the families out into groups and adds the 16 values of
// GREASE.
func allGroups() []Group {
	var all []Group
	for _, f := range groupFamilies {
		for _, r := range f.rows {
			all = append(all, Group{
				Name: r.name, Code: r.code, Class: f.class, PostQuantum: f.postQuantum,
				ClientShare: r.client, ServerShare: r.server, Min: f.min, Max: f.max,
				Aliases: strings.Fields(r.aliases), Note: f.note,
			})
		}
	}
	for nibble := uint16(0); nibble < 16; nibble++ {
		all = append(all, greaseGroup(nibble<<12|0x0A00|nibble<<4|0x0A))
	}
	return all
}

func greaseGroup(code uint16) Group {
	return Group{
		Name: "GREASE-" + codeName(code), Code: code, Class: ClassGREASE,
		ClientShare: 1, Min: Version10, Max: Version13, Note: "to be ignored (RFC 8701)",
	}
}
