// Package label expands secrets by the labels of TLS 1.3, which QUIC and DTLS
// 1.3 use too.
package label

import (
	"crypto/hkdf"
	"hash"
)

// Prefixes of labels: RFC 8446 7.1 and RFC 9147 5.9.
const (
	TLS13  = "tls13 "
	DTLS13 = "dtls13"
)

// Expand is HKDF-Expand-Label (RFC 8446 7.1). A length that the hash cannot give,
// more than 255 times its size, is an error.
func Expand(h func() hash.Hash, secret []byte, prefix, name string, context []byte, length int) ([]byte, error) {
	info := []byte{byte(length >> 8), byte(length), byte(len(prefix) + len(name))}
	info = append(append(info, prefix...), name...)
	info = append(append(info, byte(len(context))), context...)
	return hkdf.Expand(h, secret, string(info), length)
}
