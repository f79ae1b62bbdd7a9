package protect

import (
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"slices"

	"shakedown/wire"
)

// Session12 is what the keys of a connection up to TLS 1.2 follow from.
type Session12 struct {
	Version        uint16 // wire.VersionTLS10 to wire.VersionTLS12
	Suite          uint16
	Master         []byte // master secret, 48 bytes
	ClientRandom   []byte
	ServerRandom   []byte
	EncryptThenMAC bool // RFC 7366; of CBC suites only
}

// New12 returns openers for the records of both directions after
// ChangeCipherSpec. It fails with [ErrUnsupported] for suites that cannot be
// opened.
func New12(s Session12) (client, server *Opener, err error) {
	p, err := paramsOf(s.Suite)
	if err != nil {
		return nil, nil, err
	}
	if s.Version < wire.VersionTLS10 || s.Version > wire.VersionTLS12 || len(s.Master) == 0 {
		return nil, nil, fmt.Errorf("%w: version %s", ErrUnsupported, wire.VersionName(s.Version))
	}
	block := s.keyBlock(p)
	take := func(n int) []byte {
		part := block[:n]
		block = block[n:]
		return part
	}
	macs := [2][]byte{take(p.macSize), take(p.macSize)}
	keys := [2][]byte{take(p.keySize), take(p.keySize)}
	ivs := [2][]byte{take(s.ivSize(p)), take(s.ivSize(p))}
	client, err = s.opener(p, macs[0], keys[0], ivs[0])
	if err != nil {
		return nil, nil, err
	}
	server, err = s.opener(p, macs[1], keys[1], ivs[1])
	return client, server, err
}

// keyBlock expands the master secret (RFC 5246 6.3).
func (s Session12) keyBlock(p params) []byte {
	size := 2 * (p.macSize + p.keySize + s.ivSize(p))
	seed := slices.Concat([]byte("key expansion"), s.ServerRandom, s.ClientRandom)
	return prf(s.Version, p.hash, s.Master, seed, size)
}

// ivSize: only TLS 1.0 takes the first IV of CBC from the key block.
func (s Session12) ivSize(p params) int {
	switch {
	case p.aead != nil:
		return p.saltSize
	case s.Version == wire.VersionTLS10:
		return p.blockSize()
	}
	return 0
}

func (s Session12) opener(p params, mac, key, iv []byte) (*Opener, error) {
	o := &Opener{params: p}
	if p.aead != nil {
		aead, err := p.aead(key)
		o.open, o.cipher = open12, &aead12{aead, iv}
		return o, err
	}
	block, err := p.block(key)
	o.open, o.cipher = openCBC, &cbc{block, mac, iv, s.EncryptThenMAC}
	return o, err
}

// aead12 is the protection of TLS 1.2 by an AEAD (RFC 5246 6.2.3.3).
type aead12 struct {
	aead cipher.AEAD
	salt []byte // the whole nonce where records carry none of it
}

func open12(o *Opener, r wire.Record) (wire.ContentType, []byte, error) {
	c := o.cipher.(*aead12)
	explicit, sealed := r.Fragment, r.Fragment
	size := len(r.Fragment) - o.params.explicit - c.aead.Overhead()
	if size < 0 {
		return 0, nil, ErrOpen
	}
	explicit, sealed = explicit[:o.params.explicit], sealed[o.params.explicit:]
	nonce := slices.Concat(c.salt, explicit)
	if o.params.explicit == 0 {
		nonce = xorSequence(c.salt, o.sequence)
	}
	plain, err := c.aead.Open(nil, nonce, sealed, o.extra(r, size))
	if err != nil {
		return 0, nil, ErrOpen
	}
	return r.Type, plain, nil
}

// extra is what is authenticated beside the text: sequence number and header with
// the plain length.
func (o *Opener) extra(r wire.Record, size int) []byte {
	return append(binary.BigEndian.AppendUint64(nil, o.sequence), header(r, size)...)
}
