package ccm

import (
	"bytes"
	"crypto/aes"
	"encoding/hex"
	"testing"
)

// Packet vectors of RFC 3610, section 8: key, nonce, header and message of the
// first and of two with other sizes, and the sealed message.
var vectors = []struct {
	number                     int
	tag                        int
	nonce, extra, text, sealed string
}{
	{
		1, 8, "00000003020100a0a1a2a3a4a5", "0001020304050607",
		"08090a0b0c0d0e0f101112131415161718191a1b1c1d1e",
		"588c979a61c663d2f066d0c2c0f989806d5f6b61dac38417e8d12cfdf926e0",
	},
	{
		2, 8, "00000004030201a0a1a2a3a4a5", "0001020304050607",
		"08090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
		"72c91a36e135f8cf291ca894085c87e3cc15c439c9e43a3ba091d56e10400916",
	},
	{
		7, 10, "00000009080706a0a1a2a3a4a5", "0001020304050607",
		"08090a0b0c0d0e0f101112131415161718191a1b1c1d1e",
		"0135d1b2c95f41d5d1d4fec185d166b8094e999dfed96c048c56602c97acbb7490",
	},
}

func TestVectorsOfRFC3610(t *testing.T) {
	key := unhex(t, "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf")
	block, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		aead, err := New(block, 13, v.tag)
		if err != nil {
			t.Fatal(err)
		}
		nonce, extra := unhex(t, v.nonce), unhex(t, v.extra)
		sealed := aead.Seal(nil, nonce, unhex(t, v.text), extra)
		if hex.EncodeToString(sealed) != v.sealed {
			t.Errorf("vector %d: sealed %x, want %s", v.number, sealed, v.sealed)
		}
		plain, err := aead.Open(nil, nonce, unhex(t, v.sealed), extra)
		if err != nil || hex.EncodeToString(plain) != v.text {
			t.Errorf("vector %d: opened %x, %v", v.number, plain, err)
		}
		sealed[0] ^= 1
		if _, err := aead.Open(nil, nonce, sealed, extra); err == nil {
			t.Errorf("vector %d: opened a changed message", v.number)
		}
	}
}

// The example of NIST SP 800-38C, C.4, has 65,536 bytes of extra data, whose
// length takes 6 bytes.
func TestLongExtraData(t *testing.T) {
	block, err := aes.NewCipher(unhex(t, "404142434445464748494a4b4c4d4e4f"))
	if err != nil {
		t.Fatal(err)
	}
	aead, err := New(block, 13, 14)
	if err != nil {
		t.Fatal(err)
	}
	extra := make([]byte, 65536)
	for i := range extra {
		extra[i] = byte(i)
	}
	text := unhex(t, "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f")
	got := aead.Seal(nil, unhex(t, "101112131415161718191a1b1c"), text, extra)
	want := "69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72b4ac6bec93e8598e7f0dadbcea5b"
	if hex.EncodeToString(got) != want {
		t.Errorf("sealed %x", got)
	}
}

func TestEmptyAndShort(t *testing.T) {
	block, _ := aes.NewCipher(make([]byte, 16))
	aead, err := New(block, 12, 16)
	if err != nil {
		t.Fatal(err)
	}
	sealed := aead.Seal([]byte("prefix"), make([]byte, 12), nil, nil)
	if len(sealed) != 6+16 {
		t.Fatalf("%d bytes", len(sealed))
	}
	opened, err := aead.Open([]byte("x"), make([]byte, 12), sealed[6:], nil)
	if err != nil || !bytes.Equal(opened, []byte("x")) {
		t.Errorf("opened %q, %v", opened, err)
	}
	if _, err := aead.Open(nil, make([]byte, 12), sealed[:15], nil); err == nil {
		t.Error("opened less than a tag")
	}
	if _, err := New(block, 14, 16); err == nil {
		t.Error("a nonce of 14 bytes")
	}
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
