package protect

import (
	"bytes"
	"crypto/cipher"
	"crypto/hmac"
	"errors"
	"slices"
	"testing"

	"shakedown/wire"
)

// seal13 protects a record as the sender of TLS 1.3 does, with padding.
func seal13(o *Opener, sequence uint64, content wire.ContentType, text []byte, padding int) wire.Record {
	c := o.cipher.(*aead13)
	inner := append(append(bytes.Clone(text), byte(content)), make([]byte, padding)...)
	r := wire.Record{Type: wire.ContentApplicationData, Version: wire.VersionTLS12}
	size := len(inner) + c.aead.Overhead()
	r.Fragment = c.aead.Seal(nil, xorSequence(c.iv, sequence), inner, header(r, size))
	return r
}

func TestEverySuiteOf13(t *testing.T) {
	for suite, size := range map[uint16]int{0x1301: 32, 0x1302: 48, 0x1303: 32, 0x1304: 32, 0x1305: 32} {
		o, err := New13(suite, bytes.Repeat([]byte{9}, size))
		if err != nil {
			t.Fatal(err)
		}
		first := seal13(o, 0, wire.ContentHandshake, []byte("first"), 3)
		second := seal13(o, 1, wire.ContentApplicationData, []byte("second"), 0)
		if _, _, err := o.Open(second); !errors.Is(err, ErrOpen) {
			t.Errorf("%04x: opened out of order: %v", suite, err)
		}
		for i, r := range []wire.Record{first, second} {
			content, plain, err := o.Open(r)
			want := []string{"first", "second"}[i]
			if err != nil || string(plain) != want || (content == wire.ContentHandshake) != (i == 0) {
				t.Errorf("%04x: record %d: %s %q %v", suite, i, content, plain, err)
			}
		}
	}
}

func TestKeyUpdateOf13(t *testing.T) {
	secret := bytes.Repeat([]byte{9}, 32)
	before, _ := New13(0x1301, secret)
	after, _ := New13(0x1301, secret)
	if err := after.Update(); err != nil {
		t.Fatal(err)
	}
	r := seal13(after, 0, wire.ContentApplicationData, []byte("new"), 0)
	if _, _, err := before.Open(r); !errors.Is(err, ErrOpen) {
		t.Error("opened with the old keys")
	}
	if err := before.Update(); err != nil {
		t.Fatal(err)
	}
	if _, plain, err := before.Open(r); err != nil || string(plain) != "new" {
		t.Errorf("%q %v", plain, err)
	}
}

func TestRecordOfPaddingAlone(t *testing.T) {
	o, _ := New13(0x1301, bytes.Repeat([]byte{9}, 32))
	r := seal13(o, 0, 0, nil, 5)
	if _, _, err := o.Open(r); !errors.Is(err, ErrOpen) {
		t.Errorf("opened: %v", err)
	}
}

func session(suite uint16) Session12 {
	return Session12{
		Version: wire.VersionTLS12, Suite: suite, Master: bytes.Repeat([]byte{5}, 48),
		ClientRandom: bytes.Repeat([]byte{1}, 32), ServerRandom: bytes.Repeat([]byte{2}, 32),
	}
}

// AES-CCM with tags of 16 and 8 bytes, which crypto/tls does not speak.
func TestCCMOf12(t *testing.T) {
	for _, suite := range []uint16{0xC0AC, 0xC0AD, 0xC0AE, 0xC0AF} {
		client, server, err := New12(session(suite))
		if err != nil {
			t.Fatal(err)
		}
		r := wire.Record{Type: wire.ContentHandshake, Version: wire.VersionTLS12}
		c := server.cipher.(*aead12)
		nonce := []byte("explicit")
		r.Fragment = c.aead.Seal(nonce, slices.Concat(c.salt, nonce), []byte("text"), server.extra(r, 4))
		content, plain, err := server.Open(r)
		if err != nil || content != wire.ContentHandshake || string(plain) != "text" {
			t.Errorf("%04x: %s %q %v", suite, content, plain, err)
		}
		if _, _, err := client.Open(r); !errors.Is(err, ErrOpen) {
			t.Errorf("%04x: the keys of the client open it: %v", suite, err)
		}
	}
}

// Encrypt-then-MAC (RFC 7366), which crypto/tls does not speak.
func TestEncryptThenMAC(t *testing.T) {
	s := session(0xC009)
	s.EncryptThenMAC = true
	client, _, err := New12(s)
	if err != nil {
		t.Fatal(err)
	}
	c := client.cipher.(*cbc)
	text := append([]byte("hello world"), bytes.Repeat([]byte{4}, 5)...)
	iv := bytes.Repeat([]byte{8}, 16)
	cipher.NewCBCEncrypter(c.block, iv).CryptBlocks(text, text)
	r := wire.Record{Type: wire.ContentApplicationData, Version: wire.VersionTLS12, Fragment: slices.Concat(iv, text)}
	m := hmac.New(client.params.mac, c.mac)
	m.Write(client.extra(r, len(r.Fragment)))
	m.Write(r.Fragment)
	r.Fragment = m.Sum(r.Fragment)
	if _, plain, err := client.Open(r); err != nil || string(plain) != "hello world" {
		t.Errorf("%q %v", plain, err)
	}
}

func TestUnsupported(t *testing.T) {
	if _, err := New13(0x1306, make([]byte, 64)); !errors.Is(err, ErrUnsupported) {
		t.Errorf("AEGIS: %v", err)
	}
	if _, err := New13(0x1301, make([]byte, 48)); !errors.Is(err, ErrUnsupported) {
		t.Errorf("a secret of 48 bytes: %v", err)
	}
	for _, suite := range []uint16{0x0005, 0x0002, 0x1234} {
		if _, _, err := New12(session(suite)); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%04x: %v", suite, err)
		}
	}
	s := session(0xC02B)
	s.Version = wire.VersionSSL3
	if _, _, err := New12(s); !errors.Is(err, ErrUnsupported) {
		t.Errorf("SSL 3.0: %v", err)
	}
}

// FuzzOpen gives openers of each kind records of any content: they refuse, and do
// not panic.
func FuzzOpen(f *testing.F) {
	f.Add(uint8(0), []byte("short"))
	f.Add(uint8(1), make([]byte, 64))
	f.Fuzz(func(t *testing.T, which uint8, fragment []byte) {
		var o *Opener
		var err error
		s := session([]uint16{0xC02B, 0xC009, 0xC0AE, 0xCCA9, 0x000A}[which%5])
		s.EncryptThenMAC = which&0x80 != 0
		if which&0x40 != 0 {
			s.Version = wire.VersionTLS10
		}
		if o, _, err = New12(s); which%7 == 6 {
			o, err = New13(0x1303, bytes.Repeat([]byte{which}, 32))
		}
		if err != nil {
			t.Fatal(err)
		}
		_, plain, err := o.Open(wire.Record{Type: 23, Version: wire.VersionTLS12, Fragment: fragment})
		if err == nil {
			t.Errorf("opened %x: %x", fragment, plain)
		}
	})
}
