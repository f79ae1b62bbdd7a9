package wire

import (
	"bytes"
	"strings"
	"testing"

	"shakedown/wire/internal/wiretest"
)

func FuzzAlert(f *testing.F)             { wiretest.FuzzBody(f, &Alert{}, "\x02\x28", "\x01\x00") }
func FuzzChangeCipherSpec(f *testing.F)  { wiretest.FuzzBody(f, &ChangeCipherSpec{}, "\x01", "\x02") }
func FuzzHelloRequest(f *testing.F)      { wiretest.FuzzBody(f, &HelloRequest{}, "", "x") }
func FuzzServerHelloDone(f *testing.F)   { wiretest.FuzzBody(f, &ServerHelloDone{}, "", "x") }
func FuzzEndOfEarlyData(f *testing.F)    { wiretest.FuzzBody(f, &EndOfEarlyData{}, "", "x") }
func FuzzKeyUpdate(f *testing.F)         { wiretest.FuzzBody(f, &KeyUpdate{}, "\x00", "\x01", "\x02") }
func FuzzFinished(f *testing.F)          { wiretest.FuzzBody(f, &Finished{}, "0123456789ab") }
func FuzzClientKeyExchange(f *testing.F) { wiretest.FuzzBody(f, &ClientKeyExchange{}, "\x04abcd") }
func FuzzEncryptedExtensions(f *testing.F) {
	wiretest.FuzzBody(f, &EncryptedExtensions{}, "\x00\x04\x00\x2a\x00\x00")
}

func FuzzCertificateStatus(f *testing.F) {
	wiretest.FuzzBody(f, &CertificateStatus{}, "\x01\x00\x00\x02ab")
}

func FuzzCompressedCertificate(f *testing.F) {
	wiretest.FuzzBody(f, &CompressedCertificate{}, "\x00\x02\x00\x10\x00\x00\x00\x03abc")
}

// variants fuzzes a message that has one form for each version: the first byte
// chooses.
type variants struct {
	forms []wiretest.Body
	used  wiretest.Body
	first byte
}

func (v *variants) Parse(data []byte) error {
	if len(data) == 0 {
		return &Error{What: "variant", Reason: reasonEmpty}
	}
	v.first = data[0]
	v.used = v.forms[int(v.first)%len(v.forms)]
	return v.used.Parse(data[1:])
}

func (v *variants) Append(dst []byte) []byte { return v.used.Append(append(dst, v.first)) }

func FuzzCertificate(f *testing.F) {
	forms := []wiretest.Body{&Certificate{}, &Certificate{TLS13: true}}
	wiretest.FuzzBody(f, &variants{forms: forms}, "\x00\x00\x00\x06\x00\x00\x03abc", "\x01\x00\x00\x00\x08\x00\x00\x03abc\x00\x00")
}

func FuzzCertificateRequest(f *testing.F) {
	forms := []wiretest.Body{
		&CertificateRequest{Version: VersionTLS10}, &CertificateRequest{Version: VersionTLS12},
		&CertificateRequest{Version: VersionTLS13},
	}
	wiretest.FuzzBody(f, &variants{forms: forms}, "\x00\x01\x40\x00\x00", "\x01\x01\x40\x00\x02\x04\x03\x00\x00", "\x02\x00\x00\x00")
}

func FuzzCertificateVerify(f *testing.F) {
	forms := []wiretest.Body{&CertificateVerify{Version: VersionTLS10}, &CertificateVerify{Version: VersionTLS13}}
	wiretest.FuzzBody(f, &variants{forms: forms}, "\x00\x00\x02ab", "\x01\x04\x03\x00\x02ab")
}

func FuzzNewSessionTicket(f *testing.F) {
	forms := []wiretest.Body{&NewSessionTicket{}, &NewSessionTicket{TLS13: true}}
	wiretest.FuzzBody(f, &variants{forms: forms}, "\x00\x00\x00\x0e\x10\x00\x02ab", "\x01\x00\x00\x0e\x10abcd\x01n\x00\x02ab\x00\x00")
}

func FuzzServerKeyExchange(f *testing.F) {
	var forms []wiretest.Body
	for _, exchange := range []KeyExchange{ECDHE, ECDHEAnon, ECDHEPSK, DHE, DHEAnon, DHEPSK, PlainPSK} {
		forms = append(forms, &ServerKeyExchange{Exchange: exchange, Version: VersionTLS12},
			&ServerKeyExchange{Exchange: exchange, Version: VersionTLS11})
	}
	wiretest.FuzzBody(f, &variants{forms: forms}, "\x00\x03\x00\x1d\x02pq\x04\x03\x00\x02ab", "\x06\x00\x01p\x00\x01g\x00\x01y\x08\x04\x00\x01s", "\x0c\x00\x04hint")
}

func FuzzClientHello(f *testing.F) {
	wiretest.FuzzBody(f, &checkedHello{}, string(wiretest.SmallHello(nil)), string(wiretest.ChromeHello()))
}

// checkedHello asks a hello all its questions before it is written back.
type checkedHello struct{ ClientHello }

func (m *checkedHello) Parse(data []byte) error {
	if err := m.ClientHello.Parse(data); err != nil {
		return err
	}
	sum := 0
	for ext := range m.Extensions.All() {
		sum += ext.Cost()
	}
	if sum != len(m.Extensions) {
		return &Error{What: "", Reason: "extensions do not sum up"}
	}
	_, _, _ = m.Check(), m.MaxVersion(), m.ServerName()
	return nil
}

func FuzzClientHelloDTLS(f *testing.F) {
	f.Add(wiretest.SmallHello([]byte("cookie")))
	var m ClientHello
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := m.ParseDTLS(data); err != nil {
			wiretest.CheckError(t, err, len(data))
		} else if got := m.Append(nil); !bytes.Equal(got, data) {
			t.Errorf("read %x, wrote %x", data, got)
		}
	})
}

func FuzzServerHello(f *testing.F) {
	wiretest.FuzzBody(f, &checkedAnswer{}, string(smallServerHello(VersionTLS12)), string(smallServerHello(0x7F12)))
}

type checkedAnswer struct{ ServerHello }

func (m *checkedAnswer) Parse(data []byte) error {
	err := m.ServerHello.Parse(data)
	_, _, _ = m.Check(), m.Chosen(), m.Downgrade()
	_, _ = m.KeyShare()
	_, _ = m.PreSharedKey()
	return err
}

func FuzzSSLv2ClientHello(f *testing.F) {
	f.Add([]byte("\x80\x1c\x01\x03\x01\x00\x03\x00\x00\x00\x10\x00\x00\x2f0123456789abcdef"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, rest, err := ParseSSLv2ClientHello(data)
		if err != nil {
			wiretest.CheckError(t, err, 1<<16)
		} else if got := m.Append(nil); !bytes.Equal(got, data[:len(data)-len(rest)]) {
			t.Errorf("read %x, wrote %x", data, got)
		}
	})
}

func FuzzRecord(f *testing.F) {
	f.Add([]byte("\x16\x03\x01\x00\x04\x0e\x00\x00\x00\x14\x03\x03\x00\x01\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for stream := data; ; {
			r, rest, err := NextRecord(stream)
			if err != nil {
				wiretest.CheckError(t, err, len(stream))
				return
			}
			if got := r.Append(nil); !bytes.Equal(got, stream[:len(stream)-len(rest)]) {
				t.Errorf("read %x, wrote %x", stream, got)
			}
			stream = rest
		}
	})
}

func FuzzHandshake(f *testing.F) {
	f.Add([]byte("\x0e\x00\x00\x00\x14\x00\x00\x02ab"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, rest, err := NextHandshake(data); err == nil && len(m.Raw)+len(rest) != len(data) {
			t.Errorf("%d + %d of %d bytes", len(m.Raw), len(rest), len(data))
		}
	})
}

// FuzzReassembler cuts a stream of messages into fragments of a size and expects
// the same messages as from one piece.
func FuzzReassembler(f *testing.F) {
	f.Add([]byte("\x0e\x00\x00\x00\x14\x00\x00\x02ab\x0b\x00\x00\x01x"), uint8(1))
	f.Add([]byte("\x01\xff\xff\xff\x14\x00\x00\x02ab"), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, size uint8) {
		whole := reassemble(data, max(len(data), 1))
		if cut := reassemble(data, max(int(size), 1)); whole != cut {
			t.Errorf("in one piece %q, in pieces of %d %q", whole, size, cut)
		}
	})
}

func reassemble(data []byte, size int) string {
	r := Reassembler{Limit: 1000}
	var out strings.Builder
	for len(data) > 0 {
		n := min(size, len(data))
		r.Push(data[:n])
		data = data[n:]
		for {
			m, err := r.Next()
			if err == ErrIncomplete {
				break
			}
			if err != nil {
				return out.String() + err.Error()
			}
			out.Write(m.Raw)
			out.WriteByte('|')
		}
	}
	return out.String()
}

func FuzzExtensions(f *testing.F) {
	f.Add([]byte("\x00\x04\x00\x2a\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := ParseExtensions(data)
		var again []byte
		for ext := range list.All() {
			again = ext.Append(again)
			list.Has(ext.Type)
		}
		if !bytes.Equal(again, list) {
			t.Errorf("list %x, its extensions %x", []byte(list), again)
		}
		if err == nil && !bytes.Equal(list.Append(nil), data) {
			t.Errorf("read %x, wrote %x", data, list.Append(nil))
		}
	})
}

func FuzzServerName(f *testing.F) {
	wiretest.FuzzData(f, func(b []byte) error { _, err := ParseServerName(b); return err }, string(AppendServerName(nil, "localhost")))
}

func FuzzProtocolNames(f *testing.F) {
	wiretest.FuzzData(f, func(b []byte) error {
		names, err := ParseProtocolNames(b)
		for name := range names.All() {
			if len(name) == 0 {
				return &Error{}
			}
		}
		return err
	}, string(AppendProtocolNames(nil, "h2", "http/1.1")), "\x00\x02\x05h")
}

func FuzzSupportedVersions(f *testing.F) {
	wiretest.FuzzData(f, func(b []byte) error { _, err := ParseSupportedVersions(b); return err }, "\x04\x03\x04\x03\x03", "\x01\x03")
}

func FuzzSupportedGroups(f *testing.F) {
	wiretest.FuzzData(f, func(b []byte) error { _, err := ParseSupportedGroups(b); return err }, "\x00\x02\x00\x1d", "\x00\x01\x1d")
}

func FuzzSignatureAlgorithms(f *testing.F) {
	wiretest.FuzzData(f, func(b []byte) error { _, err := ParseSignatureAlgorithms(b); return err }, "\x00\x02\x04\x03")
}

func FuzzKeyShares(f *testing.F) {
	wiretest.FuzzData(f, func(b []byte) error {
		shares, err := ParseKeyShares(b)
		again, size := []byte(nil), 0
		for share := range shares.All() {
			again, size = share.Append(again), size+1
		}
		if !bytes.Equal(again, shares) {
			return &Error{}
		}
		return err
	}, string(AppendKeyShares(nil, KeyShare{0x1D, []byte("share")})), "\x00\x04\x00\x1d\x00\x09")
}

func FuzzKeyShare(f *testing.F) {
	wiretest.FuzzData(f, func(b []byte) error { _, err := ParseKeyShare(b); return err }, "\x00\x1d\x00\x02ab")
}

func FuzzRetryGroup(f *testing.F) {
	wiretest.FuzzData(f, func(b []byte) error { _, err := ParseRetryGroup(b); return err }, "\x00\x1d")
}

func FuzzPreSharedKeys(f *testing.F) {
	wiretest.FuzzData(f, func(b []byte) error {
		keys, err := ParsePreSharedKeys(b)
		if err == nil && !bytes.Equal(keys.Append(nil), b) && b != nil {
			return &Error{}
		}
		keys.Len()
		return err
	}, "\x00\x08\x00\x02ab\x00\x00\x00\x01\x00\x03\x02xy")
}

func FuzzPSKModes(f *testing.F) {
	wiretest.FuzzData(f, func(b []byte) error { _, err := ParsePSKModes(b); return err }, "\x01\x01")
}

func FuzzCookie(f *testing.F) {
	wiretest.FuzzData(f, func(b []byte) error { _, err := ParseCookie(b); return err }, "\x00\x02ab")
}

func FuzzEarlyData(f *testing.F) {
	wiretest.FuzzData(f, func(b []byte) error { _, err := ParseEarlyData(b); return err }, "\x00\x00\x40\x00")
}

func FuzzECH(f *testing.F) {
	wiretest.FuzzData(f, func(b []byte) error {
		ech, err := ParseECH(b)
		if err == nil && !bytes.Equal(ech.Append(nil), b) {
			return &Error{}
		}
		return err
	}, "\x01", "\x00\x00\x01\x00\x01\x07\x00\x01k\x00\x01p")
}

func FuzzRecordSizeLimit(f *testing.F) {
	wiretest.FuzzData(f, func(b []byte) error { _, err := ParseRecordSizeLimit(b); return err }, "\x40\x01", "\x00\x01")
}

func FuzzCertificateCompression(f *testing.F) {
	wiretest.FuzzData(f, func(b []byte) error { _, err := ParseCertificateCompression(b); return err }, "\x02\x00\x02")
}

func TestEachParserHasAFuzzTarget(t *testing.T) { wiretest.EachParserHasAFuzzTarget(t, 30) }
