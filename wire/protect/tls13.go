package protect

import (
	"crypto/cipher"
	"fmt"

	"shakedown/wire"
	"shakedown/wire/internal/label"
)

// aead13 is the protection of TLS 1.3 (RFC 8446 5.2).
type aead13 struct {
	aead cipher.AEAD
	iv   []byte
}

// New13 returns an opener for the records of TLS 1.3 under one traffic secret of
// the key log. It fails with [ErrUnsupported] for suites that cannot be opened.
func New13(suite uint16, secret []byte) (*Opener, error) {
	p, err := paramsOf(suite)
	if err != nil {
		return nil, err
	}
	if p.aead == nil || len(secret) != p.hash().Size() {
		return nil, fmt.Errorf("%w: suite %04x with a secret of %d bytes", ErrUnsupported, suite, len(secret))
	}
	o := &Opener{open: open13, params: p, secret: secret}
	return o, o.rekey()
}

// rekey derives key and IV of the traffic secret (RFC 8446 7.3).
func (o *Opener) rekey() error {
	key, err := o.expand("key", o.params.keySize)
	if err != nil {
		return err
	}
	iv, err := o.expand("iv", nonceSize)
	if err != nil {
		return err
	}
	aead, err := o.params.aead(key)
	o.cipher, o.sequence = &aead13{aead, iv}, 0
	return err
}

func (o *Opener) expand(name string, size int) ([]byte, error) {
	return label.Expand(o.params.hash, o.secret, label.TLS13, name, nil, size)
}

// Update moves on to the next keys, after a KeyUpdate of the same direction (RFC
// 8446 7.2).
func (o *Opener) Update() error {
	secret, err := o.expand("traffic upd", len(o.secret))
	if err != nil {
		return err
	}
	o.secret = secret
	return o.rekey()
}

func open13(o *Opener, r wire.Record) (wire.ContentType, []byte, error) {
	c := o.cipher.(*aead13)
	plain, err := c.aead.Open(nil, xorSequence(c.iv, o.sequence), r.Fragment, header(r, len(r.Fragment)))
	if err != nil {
		return 0, nil, ErrOpen
	}
	end := len(plain)
	for end > 0 && plain[end-1] == 0 {
		end--
	}
	if end == 0 {
		return 0, nil, fmt.Errorf("%w: no content type", ErrOpen)
	}
	return wire.ContentType(plain[end-1]), plain[:end-1], nil
}
