// Package native compiles the drivers of C libraries (OpenSSL, wolfSSL,
// mbedTLS, GnuTLS) on the user's machine against the user's libraries, or
// against those of a root: a directory that holds another distribution's files.
package native

import (
	"embed"
	"fmt"
	"strings"
)

// sources are the C files of all drivers and what they share.
//
//go:embed src/*.c src/*.h
var sources embed.FS

// Library is a C library and what its driver needs.
type Library struct {
	Name    string   // of the stack: "openssl"
	Title   string   // as its makers write it
	Header  string   // without it the library cannot be compiled against
	Link    []string // libraries in link order; the first one tells the build
	Package string   // of Debian, with headers
}

// Libraries is the literal list.
func Libraries() []Library {
	return []Library{
		{"openssl", "OpenSSL", "openssl/ssl.h", []string{"ssl", "crypto"}, "libssl-dev"},
		{"wolfssl", "wolfSSL", "wolfssl/options.h", []string{"wolfssl"}, "libwolfssl-dev"},
		{"mbedtls", "Mbed TLS", "mbedtls/ssl.h", []string{"mbedtls", "mbedx509", "mbedcrypto"}, "libmbedtls-dev"},
		{"gnutls", "GnuTLS", "gnutls/gnutls.h", []string{"gnutls"}, "libgnutls28-dev"},
	}
}

// Find returns a library of the list.
func Find(name string) (Library, bool) {
	for _, l := range Libraries() {
		if l.Name == name {
			return l, true
		}
	}
	return Library{}, false
}

// MissingError says what is not here to compile a driver, and the one command
// that brings it.
type MissingError struct {
	Library Library
	Root    string
	What    string // "no C compiler", "no headers (openssl/ssl.h)"
	Hint    string // a command
}

// Error says what is missing and where it was sought.
func (e *MissingError) Error() string {
	where := "on this machine"
	if e.Root != "" {
		where = "in " + e.Root
	}
	return fmt.Sprintf("%s: %s %s", e.Library.Name, e.What, where)
}

// CompileError is a compiler's refusal of a driver.
type CompileError struct {
	Library Library
	Command string
	Output  string // the end of what the compiler said
}

// Error gives the compiler's first error line.
func (e *CompileError) Error() string {
	first := e.Output
	for line := range strings.SplitSeq(e.Output, "\n") {
		if strings.Contains(line, "error") {
			first = line
			break
		}
	}
	return fmt.Sprintf("the %s driver does not compile: %s", e.Library.Name, strings.TrimSpace(first))
}
