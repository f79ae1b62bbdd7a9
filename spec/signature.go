package spec

import "sync"

// SignatureScheme is a way to sign in a handshake, an entry of the IANA registry
// "TLS SignatureScheme".
type SignatureScheme struct {
	Name        string // as IANA prints it; "0x1234" without a name
	Code        uint16
	Key         string   // family of the key that signs: "rsa", "ecdsa", "ed25519", "mldsa", …
	PostQuantum bool     // withstands a quantum computer
	Min, Max    Version  // the versions whose handshake messages it may sign
	Aliases     []string // spellings of libraries; letter case and separators do not count
}

// schemesOnce holds the whole table with its indexes.
var schemesOnce = sync.OnceValue(func() *index[SignatureScheme] {
	return newIndex(schemeTable, func(s SignatureScheme) (uint16, []string) {
		return s.Code, append([]string{s.Name}, s.Aliases...)
	}, fold)
})

// SignatureSchemes returns a copy of the table of signature schemes.
func SignatureSchemes() []SignatureScheme {
	return append([]SignatureScheme(nil), schemeTable...)
}

// ParseSignatureScheme reads a scheme by its IANA name, the spelling of OpenSSL
// ("ECDSA+SHA256", "RSA-PSS+SHA256"), GnuTLS ("SIGN-RSA-PSS-RSAE-SHA256") or Go
// ("ECDSAWithP256AndSHA256"), or its code point "0x0804". A code point without a
// name is a scheme that prints as the code point. The error is an
// [*UnknownName].
func ParseSignatureScheme(s string) (SignatureScheme, error) {
	if code, ok := parseCode(s); ok {
		scheme, _ := SignatureSchemeByCode(code)
		return scheme, nil
	}
	if scheme, ok := schemesOnce().byName[fold(s)]; ok {
		return *scheme, nil
	}
	return SignatureScheme{}, unknown("signature scheme", s, schemesOnce().names)
}

// SignatureSchemeByCode finds a scheme by its code point. Where the code point
// has no name it returns a scheme that prints as "0x1234", and false.
func SignatureSchemeByCode(code uint16) (SignatureScheme, bool) {
	if s, ok := schemesOnce().byCode[code]; ok {
		return *s, true
	}
	return SignatureScheme{Name: codeName(code), Code: code, Min: Version12, Max: Version13}, false
}

// String returns the name, or the code point where there is none.
func (s SignatureScheme) String() string {
	if s.Name == "" {
		return codeName(s.Code)
	}
	return s.Name
}
