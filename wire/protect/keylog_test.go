package protect

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

const (
	randomA = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
	randomB = "ff0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
)

func TestKeyLog(t *testing.T) {
	log, err := ParseKeyLog([]byte("# comment\n" +
		"CLIENT_RANDOM " + randomA + " aabb\r\n" +
		"CLIENT_TRAFFIC_SECRET_0 " + strings.ToUpper(randomA) + " 0102\n" +
		"CLIENT_RANDOM " + randomB + " cc\n" +
		"CLIENT_RANDOM " + randomB[2:] + " cc\n" + // short random
		"CLIENT_RANDOM " + randomB + " ccd\n" + // odd digits
		"CLIENT_RANDOM " + randomB + "\n\n" +
		"SERVER_TRAFFIC_SECRET_0 " + randomB + " dd")) // no newline at the end
	if err != nil || log.Len() != 4 {
		t.Fatalf("%d secrets, %v", log.Len(), err)
	}
	a := append([]byte{0}, tail()...)
	b := append([]byte{0xff}, tail()...)
	for _, c := range []struct {
		label  Label
		random []byte
		want   []byte
	}{
		{MasterSecret, a, []byte{0xaa, 0xbb}},
		{ClientApplicationFirst, a, []byte{1, 2}},
		{MasterSecret, b, []byte{0xcc}},
		{ServerApplicationFirst, b, []byte{0xdd}},
		{ClientEarlySecret, a, nil},
		{MasterSecret, a[:31], nil},
	} {
		if got := log.Secret(c.label, c.random); !bytes.Equal(got, c.want) {
			t.Errorf("%s of %x is %x, want %x", c.label, c.random[:1], got, c.want)
		}
	}
	if (*KeyLog)(nil).Secret(MasterSecret, a) != nil {
		t.Error("no log has a secret")
	}
}

func tail() (b []byte) {
	for i := 1; i < 32; i++ {
		b = append(b, byte(i))
	}
	return b
}

func TestKeyLogIsBounded(t *testing.T) {
	var text bytes.Buffer
	for i := range maxSecrets + 10 {
		fmt.Fprintf(&text, "CLIENT_RANDOM %08x%s aa\n", i, randomA[8:])
	}
	log, err := ParseKeyLog(text.Bytes())
	if !errors.Is(err, ErrKeyLog) || log.Len() != maxSecrets {
		t.Errorf("%d secrets, %v", log.Len(), err)
	}
}

func FuzzKeyLog(f *testing.F) {
	f.Add([]byte("CLIENT_RANDOM " + randomA + " aabb\n# x\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		log, err := ParseKeyLog(text)
		if err != nil {
			t.Error(err)
		}
		if lines := bytes.Count(text, []byte("\n")) + 1; log.Len() > lines {
			t.Errorf("%d secrets in %d lines", log.Len(), lines)
		}
	})
}
