package protect

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"errors"
	"fmt"
	"hash"
	"strings"

	"golang.org/x/crypto/chacha20poly1305"

	"shakedown/spec"
	"shakedown/wire/internal/ccm"
)

// params is what a suite says about its records.
type params struct {
	hash     func() hash.Hash // of the key schedule
	keySize  int              // bytes
	aead     func(key []byte) (cipher.AEAD, error)
	explicit int // bytes of the nonce that each record of TLS 1.2 carries
	saltSize int // bytes of the nonce that the key schedule of TLS 1.2 gives

	block   func(key []byte) (cipher.Block, error) // CBC, where aead is nil
	mac     func() hash.Hash
	macSize int // bytes
}

const nonceSize = 12 // bytes, of every AEAD of TLS

// ErrUnsupported says that records of a suite or version cannot be opened here.
var ErrUnsupported = errors.New("records of this kind cannot be opened")

// paramsOf describes a suite by its code point.
func paramsOf(code uint16) (p params, err error) {
	suite, ok := spec.SuiteByCode(code)
	name := suite.Cipher
	p.keySize = keySizes[strings.Split(name, "_")[0]+"_"+part(name, 1)]
	if !ok || p.keySize == 0 {
		return p, fmt.Errorf("%w: suite %s", ErrUnsupported, suite)
	}
	p.hash = scheduleHash(suite.Hash)
	p.explicit, p.saltSize = 8, 4
	switch {
	case strings.HasSuffix(name, "_GCM"):
		p.aead = newGCM
	case strings.Contains(name, "_CCM"):
		p.aead = ccmOf(suite.TagLen)
	case name == "CHACHA20_POLY1305":
		p.aead, p.explicit, p.saltSize = chacha20poly1305.New, 0, nonceSize
	case strings.HasSuffix(name, "_CBC"):
		return p.withCBC(suite), nil
	default:
		return p, fmt.Errorf("%w: suite %s", ErrUnsupported, suite)
	}
	return p, nil
}

// keySizes holds the ciphers that can be opened, key sizes in bytes.
var keySizes = map[string]int{"AES_128": 16, "AES_256": 32, "CHACHA20_POLY1305": 32, "3DES_EDE": 24}

func part(name string, i int) string {
	parts := strings.Split(name, "_")
	if i >= len(parts) {
		return ""
	}
	return parts[i]
}

func newGCM(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

func ccmOf(tag int) func([]byte) (cipher.AEAD, error) {
	return func(key []byte) (cipher.AEAD, error) {
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		return ccm.New(block, nonceSize, tag)
	}
}

// withCBC: the hash of such a suite is that of its MAC.
func (p params) withCBC(suite spec.Suite) params {
	p.block, p.explicit, p.saltSize = aes.NewCipher, 0, 0
	if strings.HasPrefix(suite.Cipher, "3DES") {
		p.block = des.NewTripleDESCipher
	}
	p.mac, p.macSize = macHash(suite.Hash), suite.TagLen
	return p
}

// scheduleHash: suites older than TLS 1.2 take SHA-256 there (RFC 5246 5).
func scheduleHash(name string) func() hash.Hash {
	if name == "SHA384" {
		return sha512.New384
	}
	return sha256.New
}

func macHash(name string) func() hash.Hash {
	switch name {
	case "SHA384":
		return sha512.New384
	case "SHA256":
		return sha256.New
	case "MD5":
		return md5.New
	}
	return sha1.New
}
