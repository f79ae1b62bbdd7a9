package wire

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestNextRecord(t *testing.T) {
	for _, c := range []struct {
		name, in string
		size     int // of the record; 0 for none
		reason   string
	}{
		{"handshake", "\x16\x03\x01\x00\x02abrest", 7, ""},
		{"unknown type", "\x63\x03\x03\x00\x03abc", 8, ""},
		{"empty application data", "\x17\x03\x03\x00\x00", 5, ""},
		{"longest", "\x17\x03\x03\x48\x00" + strings.Repeat("x", MaxCiphertext12), 5 + MaxCiphertext12, ""},
		{"nothing", "", 0, "more bytes"},
		{"half a header", "\x16\x03", 0, "more bytes"},
		{"half a fragment", "\x16\x03\x01\x00\x05abc", 0, "more bytes"},
		{"too long", "\x17\x03\x03\x48\x01", 0, "longer than any version"},
		{"empty handshake", "\x16\x03\x01\x00\x00", 0, "empty handshake record"},
		{"empty alert", "\x15\x03\x01\x00\x00", 0, "empty alert record"},
		{"not TLS", "GET / HTTP/1.1", 0, "no record of TLS"},
	} {
		r, rest, err := NextRecord([]byte(c.in))
		if c.size == 0 {
			if err == nil || !strings.Contains(err.Error(), c.reason) {
				t.Errorf("%s: error %v", c.name, err)
			}
			if string(rest) != c.in {
				t.Errorf("%s: an error moved on", c.name)
			}
			continue
		}
		if err != nil || r.Size() != c.size || len(rest) != len(c.in)-c.size {
			t.Errorf("%s: %d bytes, %d left, %v", c.name, r.Size(), len(rest), err)
		}
	}
}

func TestReassembler(t *testing.T) {
	message := append([]byte{byte(TypeCertificate), 0, 1, 0}, bytes.Repeat([]byte("x"), 256)...)
	stream := append(bytes.Clone(message), 0x0E, 0, 0, 0)
	for size := 1; size <= len(stream); size++ {
		got := reassemble(stream, size)
		if want := string(message) + "|\x0e\x00\x00\x00|"; got != want {
			t.Fatalf("fragments of %d: %q", size, got)
		}
	}
}

func TestReassemblerLimit(t *testing.T) {
	r := Reassembler{Limit: 100}
	r.Push([]byte{byte(TypeCertificate), 0, 0, 96})
	if _, err := r.Next(); err != ErrIncomplete {
		t.Errorf("100 bytes: %v", err)
	}
	r.Reset()
	r.Push([]byte{byte(TypeCertificate), 0})
	if _, err := r.Next(); err != ErrIncomplete {
		t.Errorf("half a header: %v", err)
	}
	r.Push([]byte{0, 97})
	var e *Error
	if _, err := r.Next(); !errors.As(err, &e) || e.What != "Certificate" || e.Reason != "message is larger than the limit" {
		t.Errorf("101 bytes: %v", err)
	}
	if got := r.Held(); got > 4 {
		t.Errorf("holds %d bytes", got)
	}
}

// What a length claims costs nothing until the bytes come.
func TestReassemblerMemory(t *testing.T) {
	r := Reassembler{Limit: 1 << 24}
	r.Push([]byte("\x0b\xff\xff\xf0" + "only this"))
	if _, err := r.Next(); err != ErrIncomplete {
		t.Fatal(err)
	}
	if c := cap(r.held); c > 64 {
		t.Errorf("reserved %d bytes", c)
	}
}

func TestSSLv2ClientHello(t *testing.T) {
	in := []byte("\x80\x22\x01\x03\x01\x00\x06\x00\x00\x00\x13\x00\x00\x2f\x07\x00\xc0challenge of 19 bytrest")
	if !IsSSLv2ClientHello(in) || IsSSLv2ClientHello([]byte("\x16\x03\x01\x00\x05")) {
		t.Error("not told from a record of TLS")
	}
	m, rest, err := ParseSSLv2ClientHello(in)
	if err != nil || m.Version != VersionTLS10 || m.Size != 34 || len(m.Suites) != 6 || string(rest) != "rest" {
		t.Errorf("%+v, rest %q, %v", m, rest, err)
	}
	if got := m.Append(nil); !bytes.Equal(got, in[:36]) {
		t.Errorf("wrote %x", got)
	}
	if _, _, err := ParseSSLv2ClientHello(in[:30]); err != ErrIncomplete {
		t.Errorf("cut: %v", err)
	}
	in[10] = 20
	if _, _, err := ParseSSLv2ClientHello(in); err == nil {
		t.Error("a challenge that runs past the end")
	}
}

func TestNames(t *testing.T) {
	for got, want := range map[string]string{
		ContentHandshake.String():          "handshake",
		ContentType(99).String():           "content type 99",
		TypeCompressedCertificate.String(): "CompressedCertificate",
		HandshakeType(99).String():         "handshake type 99",
		ExtKeyShare.String():               "key_share",
		ExtensionType(0x5A5A).String():     "GREASE",
		ExtensionType(0x1234).String():     "extension 0x1234",
		AlertDescription(40).String():      "handshake_failure",
		AlertDescription(99).String():      "alert 99",
		VersionName(0x7F16):                "TLS 1.3 draft 22",
		VersionName(0xFB17):                "TLS 1.3 draft 23 (Facebook)",
		VersionName(0xFEFC):                "DTLS 1.3",
		VersionName(0x0100):                "DTLS 0.9",
		VersionName(0x1234):                "0x1234",
		CompressionName(2):                 "brotli",
		CompressionName(9):                 "algorithm 9",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A large message in fragments of one byte is put together in a handful of pieces of
// memory, and messages without end in none.
func TestReassemblerIsNotQuadratic(t *testing.T) {
	message := append([]byte{byte(TypeCertificate), 4, 0, 0}, make([]byte, 1<<18)...)
	n := testing.AllocsPerRun(1, func() {
		var r Reassembler
		for i := range message {
			r.Push(message[i : i+1])
			if m, err := r.Next(); (err == nil) != (i == len(message)-1) {
				t.Fatalf("after %d bytes: %d, %v", i+1, len(m.Raw), err)
			}
		}
	})
	var r Reassembler
	endless := bytes.Repeat([]byte("\x0e\x00\x00\x00"), MaxPlaintext/4)
	m := testing.AllocsPerRun(10, func() {
		r.Push(endless)
		for _, err := r.Next(); err == nil; _, err = r.Next() {
		}
	})
	if n > 100 || m > 0 {
		t.Errorf("%v and %v allocations", n, m)
	}
}
