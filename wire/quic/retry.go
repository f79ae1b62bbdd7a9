package quic

import (
	"crypto/aes"
	"crypto/cipher"

	"shakedown/wire/internal/codec"
)

// tagSize is the length in bytes of the tags of packets and of Retry.
const tagSize = 16

// retryKey returns key and nonce of the integrity tag (RFC 9001 5.8, RFC 9369
// 3.3.3). Versions near draft 24 or older have no tag.
func retryKey(version uint32) (key, nonce string, ok bool) {
	draft := version - VersionDraft
	switch {
	case version == Version1, draft == 33, draft == 34:
		return "\xbe\x0c\x69\x0b\x9f\x66\x57\x5a\x1d\x76\x6b\x54\xe3\x68\xc8\x4e",
			"\x46\x15\x99\xd3\x5d\x63\x2b\xf2\x23\x98\x25\xbb", true
	case version == Version2:
		return "\x8f\xb4\xb0\x1b\x56\xac\x48\xe2\x60\xfb\xcb\xce\xad\x7c\xcc\x92",
			"\xd8\x69\x69\xbc\x2d\x7c\x6d\x99\x90\xef\xb0\x4a", true
	case draft >= 29 && draft <= 32:
		return "\xcc\xce\x18\x7e\xd0\x9a\x09\xd0\x57\x28\x15\x5a\x6c\xb9\x6b\xe1",
			"\xe5\x49\x30\xf9\x7f\x21\x36\xf0\x53\x0a\x8c\x1c", true
	case draft >= 25 && draft <= 28, version == VersionMvfst2, version == VersionMvfstE:
		return "\x4d\x32\xec\xdb\x2a\x21\x33\xc8\x41\xe4\x04\x3d\xf2\x7d\x44\x30",
			"\x4d\x16\x11\xd0\x55\x13\xa5\x52\xc5\x87\xd5\x75", true
	}
	return "", "", false
}

// CheckRetry reports whether the integrity tag of a Retry packet fits the
// destination identifier of the Initial packet that it answers. Without a tag it
// is false.
func (p *Packet) CheckRetry(original []byte) bool {
	key, nonce, ok := retryKey(p.Version)
	if !ok || p.Type != PacketRetry || len(p.Tag) != tagSize || len(original) > maxConnectionID {
		return false
	}
	gcm, err := newGCM([]byte(key))
	if err != nil {
		return false
	}
	pseudo := codec.AppendVector8(nil, original)
	pseudo = append(pseudo, p.Raw[:len(p.Raw)-tagSize]...)
	_, err = gcm.Open(nil, []byte(nonce), p.Tag, pseudo)
	return err == nil
}

// newGCM makes AES-GCM of a key of 16 bytes. It fails where the machine is set to
// FIPS 140 alone.
func newGCM(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
