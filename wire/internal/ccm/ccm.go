// Package ccm is the CCM mode of a block cipher (RFC 3610, NIST SP 800-38C), which
// the standard library lacks. It serves to read captured records: it is neither
// fast nor free of timing differences.
package ccm

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"errors"
)

const blockSize = 16

// mode is a [cipher.AEAD] of CCM.
type mode struct {
	block           cipher.Block
	nonce, overhead int
}

// New returns CCM over a cipher with blocks of 16 bytes. Nonces have 7 to 13
// bytes, tags 4 to 16, an even number.
func New(block cipher.Block, nonceSize, tagSize int) (cipher.AEAD, error) {
	if block.BlockSize() != blockSize || nonceSize < 7 || nonceSize > 13 ||
		tagSize < 4 || tagSize > 16 || tagSize%2 != 0 {
		return nil, errors.New("ccm: block, nonce or tag of a size that CCM does not have")
	}
	return &mode{block, nonceSize, tagSize}, nil
}

// NonceSize returns the size of nonces in bytes.
func (m *mode) NonceSize() int { return m.nonce }

// Overhead returns the size of the tag in bytes.
func (m *mode) Overhead() int { return m.overhead }

// Seal encrypts and authenticates.
func (m *mode) Seal(dst, nonce, plain, extra []byte) []byte {
	tag := m.tag(nonce, plain, extra)
	at := len(dst)
	dst = append(dst, plain...)
	m.stream(nonce, dst[at:])
	return append(dst, tag[:m.overhead]...)
}

// Open decrypts what Seal made. The error does not say more than that.
func (m *mode) Open(dst, nonce, sealed, extra []byte) ([]byte, error) {
	size := len(sealed) - m.overhead
	if size < 0 {
		return nil, errOpen
	}
	at := len(dst)
	dst = append(dst, sealed[:size]...)
	m.stream(nonce, dst[at:])
	tag := m.tag(nonce, dst[at:], extra)
	if subtle.ConstantTimeCompare(tag[:m.overhead], sealed[size:]) != 1 {
		clear(dst[at:])
		return nil, errOpen
	}
	return dst, nil
}

var errOpen = errors.New("ccm: message authentication failed")

// counter is block A_i, whose encryption is the key stream (RFC 3610 2.3).
func (m *mode) counter(nonce []byte) (a [blockSize]byte) {
	a[0] = byte(14 - m.nonce)
	copy(a[1:], nonce)
	return a
}

// stream encrypts or decrypts in place, with blocks from A_1 on.
func (m *mode) stream(nonce, data []byte) {
	a := m.counter(nonce)
	a[blockSize-1] = 1
	cipher.NewCTR(m.block, a[:]).XORKeyStream(data, data)
}

// tag is the CBC-MAC over lengths, extra data and plain text, encrypted with A_0
// (RFC 3610 2.2).
func (m *mode) tag(nonce, plain, extra []byte) [blockSize]byte {
	var x [blockSize]byte
	m.mix(&x, m.first(nonce, len(plain), len(extra)))
	if len(extra) > 0 {
		m.mix(&x, append(lengthOf(len(extra)), extra...))
	}
	m.mix(&x, plain)
	a := m.counter(nonce)
	m.block.Encrypt(a[:], a[:])
	subtle.XORBytes(x[:], x[:], a[:])
	return x
}

// first is block B_0.
func (m *mode) first(nonce []byte, plain, extra int) []byte {
	var b [blockSize]byte
	binary.BigEndian.PutUint64(b[8:], uint64(plain))
	b[0] = byte((m.overhead-2)/2<<3 | (14 - m.nonce))
	if extra > 0 {
		b[0] |= 0x40
	}
	copy(b[1:], nonce)
	return b[:]
}

// lengthOf writes the length of extra data, in 2 bytes or 6.
func lengthOf(n int) []byte {
	if n < 0xFF00 {
		return binary.BigEndian.AppendUint16(nil, uint16(n))
	}
	return binary.BigEndian.AppendUint32([]byte{0xFF, 0xFE}, uint32(n))
}

// mix runs data through CBC-MAC, the last block filled up with zeros.
func (m *mode) mix(x *[blockSize]byte, data []byte) {
	for len(data) > 0 {
		n := subtle.XORBytes(x[:], x[:], data[:min(blockSize, len(data))])
		m.block.Encrypt(x[:], x[:])
		data = data[n:]
	}
}
