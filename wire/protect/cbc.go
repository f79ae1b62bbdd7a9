package protect

import (
	"bytes"
	"crypto/cipher"
	"crypto/hmac"

	"shakedown/wire"
)

// cbc is the protection of a block cipher and a MAC (RFC 5246 6.2.3.2). What it
// reads was recorded: no attacker waits for its answers.
type cbc struct {
	block cipher.Block
	mac   []byte
	iv    []byte // TLS 1.0: last block of the record before; else empty
	etm   bool   // the MAC is over the cipher text
}

func (p params) blockSize() int {
	block, err := p.block(make([]byte, p.keySize))
	if err != nil {
		return 0
	}
	return block.BlockSize()
}

func openCBC(o *Opener, r wire.Record) (wire.ContentType, []byte, error) {
	c := o.cipher.(*cbc)
	text := r.Fragment
	if c.etm {
		size := len(text) - o.params.macSize
		if size < 0 || !o.authentic(c, r, text[:size], text[size:]) {
			return 0, nil, ErrOpen
		}
		text = text[:size]
	}
	plain, next, ok := c.decrypt(text)
	if !ok {
		return 0, nil, ErrOpen
	}
	if !c.etm {
		size := len(plain) - o.params.macSize
		if size < 0 || !o.authentic(c, r, plain[:size], plain[size:]) {
			return 0, nil, ErrOpen
		}
		plain = plain[:size]
	}
	c.iv = next
	return r.Type, plain, nil
}

// decrypt returns the text without IV and padding, and the IV of the next record.
func (c *cbc) decrypt(text []byte) (plain, next []byte, ok bool) {
	size := c.block.BlockSize()
	iv := c.iv
	if len(iv) == 0 && len(text) >= size {
		iv, text = text[:size], text[size:]
	}
	if len(text) == 0 || len(text)%size != 0 || len(iv) != size {
		return nil, nil, false
	}
	plain = bytes.Clone(text)
	cipher.NewCBCDecrypter(c.block, iv).CryptBlocks(plain, plain)
	padding := int(plain[len(plain)-1]) + 1
	if padding > len(plain) {
		return nil, nil, false
	}
	if len(c.iv) > 0 {
		next = text[len(text)-size:]
	}
	return plain[:len(plain)-padding], next, true
}

func (o *Opener) authentic(c *cbc, r wire.Record, text, tag []byte) bool {
	m := hmac.New(o.params.mac, c.mac)
	m.Write(o.extra(r, len(text)))
	m.Write(text)
	return hmac.Equal(m.Sum(nil), tag)
}
