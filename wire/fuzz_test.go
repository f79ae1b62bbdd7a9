package wire

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// body is a message that can be read and written.
type body interface {
	Parse([]byte) error
	Append([]byte) []byte
}

// fuzzBody holds a message against the one property of all: what was read is
// written back byte for byte. The seeds stand beside those of testdata/fuzz.
func fuzzBody(f *testing.F, m body, seeds ...string) {
	f.Helper()
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := m.Parse(data); err != nil {
			checkError(t, err, len(data))
			return
		}
		if got := m.Append(nil); !bytes.Equal(got, data) {
			t.Errorf("read %x, wrote %x", data, got)
		}
	})
}

// checkError refuses errors that point outside the input or say nothing.
func checkError(t *testing.T, err error, size int) {
	t.Helper()
	e, ok := err.(*Error)
	if !ok || e.Offset < 0 || e.Offset > size || e.What == "" || e.Reason == "" {
		t.Errorf("error %v of an input of %d bytes", err, size)
	}
}

func FuzzAlert(f *testing.F)             { fuzzBody(f, &Alert{}, "\x02\x28", "\x01\x00") }
func FuzzChangeCipherSpec(f *testing.F)  { fuzzBody(f, &ChangeCipherSpec{}, "\x01", "\x02") }
func FuzzHelloRequest(f *testing.F)      { fuzzBody(f, &HelloRequest{}, "", "x") }
func FuzzServerHelloDone(f *testing.F)   { fuzzBody(f, &ServerHelloDone{}, "", "x") }
func FuzzEndOfEarlyData(f *testing.F)    { fuzzBody(f, &EndOfEarlyData{}, "", "x") }
func FuzzKeyUpdate(f *testing.F)         { fuzzBody(f, &KeyUpdate{}, "\x00", "\x01", "\x02") }
func FuzzFinished(f *testing.F)          { fuzzBody(f, &Finished{}, "0123456789ab") }
func FuzzClientKeyExchange(f *testing.F) { fuzzBody(f, &ClientKeyExchange{}, "\x04abcd") }
func FuzzEncryptedExtensions(f *testing.F) {
	fuzzBody(f, &EncryptedExtensions{}, "\x00\x04\x00\x2a\x00\x00")
}

func FuzzCertificateStatus(f *testing.F) { fuzzBody(f, &CertificateStatus{}, "\x01\x00\x00\x02ab") }

func FuzzCompressedCertificate(f *testing.F) {
	fuzzBody(f, &CompressedCertificate{}, "\x00\x02\x00\x10\x00\x00\x00\x03abc")
}

// variants fuzzes a message that has one form for each version: the first byte
// chooses.
type variants struct {
	forms []body
	used  body
	first byte
}

func (v *variants) Parse(data []byte) error {
	if len(data) == 0 {
		return &Error{"variant", 0, reasonEmpty}
	}
	v.first = data[0]
	v.used = v.forms[int(v.first)%len(v.forms)]
	return v.used.Parse(data[1:])
}

func (v *variants) Append(dst []byte) []byte { return v.used.Append(append(dst, v.first)) }

func FuzzCertificate(f *testing.F) {
	forms := []body{&Certificate{}, &Certificate{TLS13: true}}
	fuzzBody(f, &variants{forms: forms}, "\x00\x00\x00\x06\x00\x00\x03abc", "\x01\x00\x00\x00\x08\x00\x00\x03abc\x00\x00")
}

func FuzzCertificateRequest(f *testing.F) {
	forms := []body{
		&CertificateRequest{Version: VersionTLS10}, &CertificateRequest{Version: VersionTLS12},
		&CertificateRequest{Version: VersionTLS13},
	}
	fuzzBody(f, &variants{forms: forms}, "\x00\x01\x40\x00\x00", "\x01\x01\x40\x00\x02\x04\x03\x00\x00", "\x02\x00\x00\x00")
}

func FuzzCertificateVerify(f *testing.F) {
	forms := []body{&CertificateVerify{Version: VersionTLS10}, &CertificateVerify{Version: VersionTLS13}}
	fuzzBody(f, &variants{forms: forms}, "\x00\x00\x02ab", "\x01\x04\x03\x00\x02ab")
}

func FuzzNewSessionTicket(f *testing.F) {
	forms := []body{&NewSessionTicket{}, &NewSessionTicket{TLS13: true}}
	fuzzBody(f, &variants{forms: forms}, "\x00\x00\x00\x0e\x10\x00\x02ab", "\x01\x00\x00\x0e\x10abcd\x01n\x00\x02ab\x00\x00")
}

func FuzzServerKeyExchange(f *testing.F) {
	var forms []body
	for _, exchange := range []KeyExchange{ECDHE, ECDHEAnon, ECDHEPSK, DHE, DHEAnon, DHEPSK, PlainPSK} {
		forms = append(forms, &ServerKeyExchange{Exchange: exchange, Version: VersionTLS12},
			&ServerKeyExchange{Exchange: exchange, Version: VersionTLS11})
	}
	fuzzBody(f, &variants{forms: forms}, "\x00\x03\x00\x1d\x02pq\x04\x03\x00\x02ab", "\x06\x00\x01p\x00\x01g\x00\x01y\x08\x04\x00\x01s", "\x0c\x00\x04hint")
}

func FuzzClientHello(f *testing.F) {
	fuzzBody(f, &checkedHello{}, string(smallClientHello(nil)), string(chromeLike()))
}

// checkedHello asks a hello all its questions before it is written back.
type checkedHello struct{ ClientHello }

func (m *checkedHello) Parse(data []byte) error {
	if err := m.ClientHello.Parse(data); err != nil {
		_ = m.JA4(JA4TLS)
		return err
	}
	sum := 0
	for ext := range m.Extensions.All() {
		sum += ext.Cost()
	}
	if sum != len(m.Extensions) {
		return &Error{"", 0, "extensions do not sum up"}
	}
	_, _, _, _ = m.Check(), m.JA4(JA4TLS), m.MaxVersion(), m.ServerName()
	return nil
}

func FuzzClientHelloDTLS(f *testing.F) {
	f.Add(smallClientHello([]byte("cookie")))
	var m ClientHello
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := m.ParseDTLS(data); err != nil {
			checkError(t, err, len(data))
		} else if got := m.Append(nil); !bytes.Equal(got, data) {
			t.Errorf("read %x, wrote %x", data, got)
		}
	})
}

func FuzzServerHello(f *testing.F) {
	fuzzBody(f, &checkedAnswer{}, string(smallServerHello(VersionTLS12)), string(smallServerHello(0x7F12)))
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
			checkError(t, err, 1<<16)
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
				checkError(t, err, len(stream))
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

// fuzzData runs a parser of extension data on anything.
func fuzzData(f *testing.F, parse func([]byte) error, seeds ...string) {
	f.Helper()
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := parse(data); err != nil {
			checkError(t, err, len(data)+2)
		}
	})
}

func FuzzServerName(f *testing.F) {
	fuzzData(f, func(b []byte) error { _, err := ParseServerName(b); return err }, string(AppendServerName(nil, "localhost")))
}

func FuzzProtocolNames(f *testing.F) {
	fuzzData(f, func(b []byte) error {
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
	fuzzData(f, func(b []byte) error { _, err := ParseSupportedVersions(b); return err }, "\x04\x03\x04\x03\x03", "\x01\x03")
}

func FuzzSupportedGroups(f *testing.F) {
	fuzzData(f, func(b []byte) error { _, err := ParseSupportedGroups(b); return err }, "\x00\x02\x00\x1d", "\x00\x01\x1d")
}

func FuzzSignatureAlgorithms(f *testing.F) {
	fuzzData(f, func(b []byte) error { _, err := ParseSignatureAlgorithms(b); return err }, "\x00\x02\x04\x03")
}

func FuzzKeyShares(f *testing.F) {
	fuzzData(f, func(b []byte) error {
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
	fuzzData(f, func(b []byte) error { _, err := ParseKeyShare(b); return err }, "\x00\x1d\x00\x02ab")
}

func FuzzRetryGroup(f *testing.F) {
	fuzzData(f, func(b []byte) error { _, err := ParseRetryGroup(b); return err }, "\x00\x1d")
}

func FuzzPreSharedKeys(f *testing.F) {
	fuzzData(f, func(b []byte) error {
		keys, err := ParsePreSharedKeys(b)
		if err == nil && !bytes.Equal(keys.Append(nil), b) && b != nil {
			return &Error{}
		}
		keys.Len()
		return err
	}, "\x00\x08\x00\x02ab\x00\x00\x00\x01\x00\x03\x02xy")
}

func FuzzPSKModes(f *testing.F) {
	fuzzData(f, func(b []byte) error { _, err := ParsePSKModes(b); return err }, "\x01\x01")
}

func FuzzCookie(f *testing.F) {
	fuzzData(f, func(b []byte) error { _, err := ParseCookie(b); return err }, "\x00\x02ab")
}

func FuzzEarlyData(f *testing.F) {
	fuzzData(f, func(b []byte) error { _, err := ParseEarlyData(b); return err }, "\x00\x00\x40\x00")
}

func FuzzECH(f *testing.F) {
	fuzzData(f, func(b []byte) error {
		ech, err := ParseECH(b)
		if err == nil && !bytes.Equal(ech.Append(nil), b) {
			return &Error{}
		}
		return err
	}, "\x01", "\x00\x00\x01\x00\x01\x07\x00\x01k\x00\x01p")
}

func FuzzRecordSizeLimit(f *testing.F) {
	fuzzData(f, func(b []byte) error { _, err := ParseRecordSizeLimit(b); return err }, "\x40\x01", "\x00\x01")
}

func FuzzCertificateCompression(f *testing.F) {
	fuzzData(f, func(b []byte) error { _, err := ParseCertificateCompression(b); return err }, "\x02\x00\x02")
}

// TestEachParserHasAFuzzTarget finds every Parse… and Next… of the package and
// asks for a target of its name.
func TestEachParserHasAFuzzTarget(t *testing.T) {
	parsers, targets := map[string]bool{}, map[string]bool{}
	for _, file := range goFiles(t) {
		for _, decl := range file.tree.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			switch {
			case !ok:
			case file.test:
				targets[fn.Name.Name] = true
			case targetOf(fn) != "":
				parsers[targetOf(fn)] = true
			}
		}
	}
	if len(parsers) < 30 {
		t.Errorf("found %d parsers only", len(parsers))
	}
	for parser := range parsers {
		if !targets[parser] {
			t.Errorf("no fuzz target %s", parser)
		}
	}
}

// targetOf names the fuzz target of a parser: ParseX and NextX have FuzzX, the
// methods Parse and Next of T have FuzzT, ParseY of T has FuzzTY.
func targetOf(fn *ast.FuncDecl) string {
	for _, verb := range []string{"Parse", "Next"} {
		if rest, ok := strings.CutPrefix(fn.Name.Name, verb); ok {
			return "Fuzz" + receiver(fn) + rest
		}
	}
	return ""
}

func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	kind := fn.Recv.List[0].Type
	if star, ok := kind.(*ast.StarExpr); ok {
		kind = star.X
	}
	return kind.(*ast.Ident).Name
}

type goFile struct {
	test bool
	tree *ast.File
}

func goFiles(t *testing.T) (files []goFile) {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), entry.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, goFile{strings.HasSuffix(entry.Name(), "_test.go"), tree})
	}
	return files
}
