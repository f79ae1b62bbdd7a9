package quic

import (
	"bytes"
	"crypto/hkdf"
	"crypto/sha256"
	"testing"

	"shakedown/wire/internal/label"
)

// The short HKDF agrees with the one of the standard library.
func TestKeyDerivation(t *testing.T) {
	for size := range maxConnectionID + 1 {
		dcid := bytes.Repeat([]byte{0xA5}, size)
		want, err := hkdf.Extract(sha256.New, dcid, []byte(salt1))
		got := shortHMAC([]byte(salt1), dcid)
		if err != nil || !bytes.Equal(got[:], want) {
			t.Errorf("extracted %x, want %x, %v", got, want, err)
		}
		for name, length := range map[string]int{"client in": 32, "quicv2 key": 16, "quic iv": 12} {
			want, err := label.Expand(sha256.New, got[:], label.TLS13, name, nil, length)
			if out := shortExpand(got, name, length); err != nil || !bytes.Equal(out[:length], want) {
				t.Errorf("%s is %x, want %x, %v", name, out[:length], want, err)
			}
		}
	}
}
