package quic

import "crypto/sha256"

// HKDF with SHA-256 for the short inputs of Initial keys. The one of the standard
// library makes 50 allocations for a direction; an observer derives keys for every
// connection that it sees.

// shortHMAC is HMAC-SHA-256 (RFC 2104) of a key and a message of up to 64 bytes
// each. It is HKDF-Extract, and HKDF-Expand of one block (RFC 5869).
func shortHMAC(key, message []byte) [sha256.Size]byte {
	const block = sha256.BlockSize
	var inner [2 * block]byte
	var outer [block + sha256.Size]byte
	copy(inner[:block], key)
	copy(outer[:block], key)
	for i := range block {
		inner[i] ^= 0x36
		outer[i] ^= 0x5C
	}
	size := block + copy(inner[block:], message)
	sum := sha256.Sum256(inner[:size])
	copy(outer[block:], sum[:])
	return sha256.Sum256(outer[:])
}

// shortExpand is HKDF-Expand-Label (RFC 8446 7.1) without a context; the first size
// bytes count, at most 32.
func shortExpand(secret [sha256.Size]byte, label string, size int) [sha256.Size]byte {
	var info [sha256.BlockSize]byte
	b := append(info[:0], 0, byte(size), byte(len("tls13 ")+len(label)))
	b = append(append(b, "tls13 "...), label...)
	return shortHMAC(secret[:], append(b, 0, 1))
}
