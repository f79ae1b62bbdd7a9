package pki

import "crypto/rand"

// PSKBytes is the length of an external pre-shared key: as long as the output
// of SHA-256, the hash that goes with a key of no stated hash (RFC 8446,
// 4.2.11).
const PSKBytes = 32

// PSKIdentity is the name of the key on the wire: printable, since some stacks
// accept nothing else.
const PSKIdentity = "shakedown"

// NewPSK makes an external pre-shared key of PSKBytes random bytes.
func NewPSK() (identity string, key []byte, err error) {
	key = make([]byte, PSKBytes)
	if _, err := rand.Read(key); err != nil {
		return "", nil, err
	}
	return PSKIdentity, key, nil
}
