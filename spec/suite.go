package spec

import (
	"strings"
	"sync"
)

// Suite is a cipher suite, an entry of the IANA registry "TLS Cipher Suites".
type Suite struct {
	Name        string // as IANA prints it; "0x1234" without a name
	Code        uint16
	OpenSSL     string  // OpenSSL's spelling, empty where it has none
	TLS13       bool    // a suite of TLS 1.3, which fixes neither key exchange nor authentication
	Min, Max    Version // the versions that may negotiate it
	KeyExchange string  // "ECDHE", "DHE", "RSA", "PSK", "ECDH", "DH", "SRP", "ECJPAKE"; "any" in TLS 1.3
	Auth        string  // "ECDSA", "RSA", "PSK", "RSA_PSK", "DSS", "SRP", "ECJPAKE", "anon"; "any" in TLS 1.3
	Cipher      string  // "AES_128_GCM", "CHACHA20_POLY1305", "AES_256_CBC", "NULL"
	Hash        string  // of the MAC where there is one, else of the key schedule: "SHA256"
	TagLen      int     // bytes of authentication tag or MAC in each record
}

// suitesOnce holds the whole table with its indexes.
var suitesOnce = sync.OnceValue(func() *index[Suite] {
	all := make([]Suite, len(suiteTable))
	for i, row := range suiteTable {
		all[i] = describeSuite(row)
	}
	return newIndex(all, func(s Suite) (uint16, []string) {
		return s.Code, append([]string{s.Name, s.OpenSSL}, suiteAliases[s.Code]...)
	}, foldSuite)
})

// Suites returns a copy of the table of suites: those of TLS 1.3 first, then by
// code point.
func Suites() []Suite { return append([]Suite(nil), suitesOnce().all...) }

// ParseSuite reads a suite by its IANA name, the spelling of OpenSSL
// ("ECDHE-RSA-AES128-GCM-SHA256"), GnuTLS ("TLS_ECDHE_RSA_AES_128_GCM_SHA256"),
// Mbed TLS or wolfSSL, or its code point "0xC02F". A code point without a name
// is a suite that prints as the code point. The error is an [*UnknownName].
func ParseSuite(s string) (Suite, error) {
	if code, ok := parseCode(s); ok {
		suite, _ := SuiteByCode(code)
		return suite, nil
	}
	key := foldSuite(s)
	for _, k := range []string{key, "tls" + key} {
		if suite, ok := suitesOnce().byName[k]; ok {
			return *suite, nil
		}
	}
	return Suite{}, unknown("suite", s, suitesOnce().names)
}

// SuiteByCode finds a suite by its code point. Where the code point has no name
// it returns a suite that prints as "0x1234", and false.
func SuiteByCode(code uint16) (Suite, bool) {
	if s, ok := suitesOnce().byCode[code]; ok {
		return *s, true
	}
	return Suite{Name: codeName(code), Code: code, Min: Version10, Max: Version13}, false
}

// String returns the name, or the code point where there is none.
func (s Suite) String() string {
	if s.Name == "" {
		return codeName(s.Code)
	}
	return s.Name
}

// suiteSpellings turns what libraries write differently into one spelling.
// Mbed TLS and wolfSSL put "TLS13" first, GnuTLS drops "WITH", says "SHA1" for
// "SHA" and "ARCFOUR" for "RC4", and most leave out the only hash that
// ChaCha20-Poly1305 has.
var suiteSpellings = strings.NewReplacer(
	"tls13", "tls", "with", "", "arcfour", "rc4", "poly1305sha256", "poly1305",
)

// foldSuite reduces the spellings of a suite to one.
func foldSuite(name string) string {
	key := suiteSpellings.Replace(fold(name))
	if strings.HasSuffix(key, "sha1") {
		return strings.TrimSuffix(key, "1")
	}
	return key
}

// describeSuite reads the properties of a suite out of its IANA name, which is
// TLS_KEYEXCHANGE_AUTH_WITH_CIPHER_HASH up to TLS 1.2 and TLS_CIPHER_HASH since.
func describeSuite(row suiteRow) Suite {
	s := Suite{Name: row.name, Code: row.code, OpenSSL: row.openssl, Min: Version10, Max: Version12}
	rest := strings.TrimPrefix(row.name, "TLS_")
	exchange, protection, old := strings.Cut(rest, "_WITH_")
	if !old {
		s.TLS13, s.Min, s.Max = true, Version13, Version13
		exchange, protection = "", rest
	}
	s.KeyExchange, s.Auth = splitExchange(exchange)
	s.Cipher, s.Hash = splitProtection(protection)
	s.TagLen = tagLength(s.Cipher, s.Hash)
	if old && needsTLS12(s) {
		s.Min = Version12
	}
	return s
}

// splitExchange reads "ECDHE_RSA" as key exchange and authentication.
func splitExchange(exchange string) (kx, auth string) {
	switch exchange {
	case "":
		return "any", "any"
	case "RSA_PSK":
		return "RSA", "RSA_PSK"
	case "PSK_DHE": // IANA's spelling of two DHE_PSK suites
		return "DHE", "PSK"
	case "SRP_SHA":
		return "SRP", "SRP"
	case "SRP_SHA_RSA", "SRP_SHA_DSS":
		return "SRP", strings.TrimPrefix(exchange, "SRP_SHA_")
	}
	kx, auth, found := strings.Cut(exchange, "_")
	if !found {
		return exchange, exchange
	}
	return kx, auth
}

// splitProtection reads "AES_128_GCM_SHA256" as cipher and hash. A suite whose
// name ends without one, such as those with CCM, uses SHA-256.
func splitProtection(protection string) (cipher, hash string) {
	cut := strings.LastIndexByte(protection, '_')
	if cut < 0 {
		return protection, ""
	}
	switch last := protection[cut+1:]; last {
	case "SHA", "MD5", "SHA256", "SHA384", "SHA512", "SM3":
		return protection[:cut], last
	}
	return protection, "SHA256"
}

// tagLength is the length in bytes of what authenticates a record: the tag of
// an AEAD (RFC 5116, RFC 6655), else the whole MAC.
func tagLength(cipher, hash string) int {
	switch {
	case strings.HasSuffix(cipher, "CCM_8"):
		return 8
	case isAEAD(cipher):
		return 16
	}
	return map[string]int{"MD5": 16, "SHA": 20, "SHA256": 32, "SHA384": 48, "SHA512": 64}[hash]
}

// needsTLS12 reports whether TLS 1.2 was the first to carry a suite: it was for
// AEADs, ARIA and the SHA-2 MACs, save that the PSK suites with such a MAC may go
// back further (RFC 5487, 5489, 6367).
func needsTLS12(s Suite) bool {
	switch {
	case isAEAD(s.Cipher), strings.HasPrefix(s.Cipher, "ARIA"):
		return true
	case s.Hash == "SHA", s.Hash == "MD5":
		return false
	}
	return !strings.HasSuffix(s.Auth, "PSK")
}

func isAEAD(cipher string) bool {
	for _, mode := range []string{"GCM", "CCM", "CCM_8", "POLY1305"} {
		if strings.HasSuffix(cipher, "_"+mode) {
			return true
		}
	}
	return strings.HasPrefix(cipher, "AEGIS")
}
