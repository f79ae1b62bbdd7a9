package label

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
)

// The server's handshake key and IV of RFC 8448, section 3.
func TestExpand(t *testing.T) {
	secret, _ := hex.DecodeString("b67b7d690cc16c4e75e54213cb2d37b4e9c912bcded9105d42befd59d391ad38")
	for name, want := range map[string]string{"key": "3fce516009c21727d0f2e4e86ee403bc", "iv": "5d313eb2671276ee13000b30"} {
		got, err := Expand(sha256.New, secret, TLS13, name, nil, len(want)/2)
		if err != nil || hex.EncodeToString(got) != want {
			t.Errorf("%s is %x (%v), want %s", name, got, err, want)
		}
	}
	if _, err := Expand(sha256.New, secret, TLS13, "key", nil, 255*32+1); err == nil {
		t.Error("more than HKDF can give, without an error")
	}
}
