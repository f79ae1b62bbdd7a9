package protect

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/subtle"
	"hash"
	"slices"

	"shakedown/wire"
)

// prf is the pseudorandom function up to TLS 1.2: one hash in 1.2 (RFC 5246 5),
// before it MD5 over one half of the secret and SHA-1 over the other (RFC 2246 5).
func prf(version uint16, h func() hash.Hash, secret, seed []byte, size int) []byte {
	if version >= wire.VersionTLS12 {
		return expand(h, secret, seed, size)
	}
	half := (len(secret) + 1) / 2
	a := expand(md5.New, secret[:half], seed, size)
	b := expand(sha1.New, secret[len(secret)-half:], seed, size)
	subtle.XORBytes(a, a, b)
	return a
}

// expand is P_hash.
func expand(h func() hash.Hash, secret, seed []byte, size int) (out []byte) {
	for a := seed; len(out) < size; {
		a = sum(h, secret, a)
		out = append(out, sum(h, secret, a, seed)...)
	}
	return out[:size]
}

func sum(h func() hash.Hash, secret []byte, data ...[]byte) []byte {
	m := hmac.New(h, secret)
	m.Write(slices.Concat(data...))
	return m.Sum(nil)
}
