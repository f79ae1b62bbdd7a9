package pki

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// made holds one identity of three certificates for each algorithm and role,
// because RSA keys are slow to make.
var made struct {
	sync.Mutex
	byOptions map[string]*Identity
}

func identity(t *testing.T, auth string, client bool) *Identity {
	t.Helper()
	made.Lock()
	defer made.Unlock()
	key := auth
	if client {
		key += " client"
	}
	if id := made.byOptions[key]; id != nil {
		return id
	}
	if made.byOptions == nil {
		made.byOptions = map[string]*Identity{}
	}
	made.byOptions[key] = mustNew(t, Options{Auth: auth, Chain: 3, Client: client, Names: []string{"device.example", "192.0.2.7"}})
	return made.byOptions[key]
}

func mustNew(t testing.TB, o Options) *Identity {
	t.Helper()
	id, err := New(o)
	if err != nil {
		t.Fatalf("New(%+v): %v", o, err)
	}
	return id
}

func parse(t testing.TB, der []byte) *x509.Certificate {
	t.Helper()
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatalf("parse certificate: %v", err)
	}
	return cert
}

// classical lists the algorithms crypto/x509 verifies, and how it names their
// signatures and keys.
var classical = []struct {
	auth      string
	signature x509.SignatureAlgorithm
	bits      int
}{
	{"ecdsa-p256", x509.ECDSAWithSHA256, 256},
	{"ecdsa-p384", x509.ECDSAWithSHA384, 384},
	{"ed25519", x509.PureEd25519, 256},
	{"rsa-2048", x509.SHA256WithRSA, 2048},
	{"rsa-3072", x509.SHA256WithRSA, 3072},
}

func keyBits(t *testing.T, pub any) int {
	t.Helper()
	switch k := pub.(type) {
	case *ecdsa.PublicKey:
		return k.Curve.Params().BitSize
	case ed25519.PublicKey:
		return 8 * len(k)
	case *rsa.PublicKey:
		return k.N.BitLen()
	}
	t.Fatalf("unexpected public key %T", pub)
	return 0
}

func verify(id *Identity, t *testing.T, name string, use x509.ExtKeyUsage) error {
	roots, between := x509.NewCertPool(), x509.NewCertPool()
	roots.AddCert(parse(t, id.Root))
	for _, der := range id.Chain[1:] {
		between.AddCert(parse(t, der))
	}
	_, err := parse(t, id.Chain[0]).Verify(x509.VerifyOptions{
		DNSName: name, Roots: roots, Intermediates: between, KeyUsages: []x509.ExtKeyUsage{use},
	})
	return err
}

func TestClassicalChainVerifies(t *testing.T) {
	for _, c := range classical {
		t.Run(c.auth, func(t *testing.T) {
			id := identity(t, c.auth, false)
			for _, name := range []string{"localhost", "127.0.0.1", "::1", "device.example", "192.0.2.7"} {
				if err := verify(id, t, name, x509.ExtKeyUsageServerAuth); err != nil {
					t.Errorf("as server %s: %v", name, err)
				}
			}
			if verify(id, t, "other.example", x509.ExtKeyUsageServerAuth) == nil {
				t.Error("verified for a name it does not hold")
			}
			if verify(id, t, "localhost", x509.ExtKeyUsageClientAuth) == nil {
				t.Error("a server's certificate verified as a client's")
			}
			for i, der := range append([][]byte{id.Root}, id.Chain...) {
				cert := parse(t, der)
				if cert.SignatureAlgorithm != c.signature || keyBits(t, cert.PublicKey) != c.bits {
					t.Errorf("certificate %d: %v with %d bits, want %v with %d", i, cert.SignatureAlgorithm,
						keyBits(t, cert.PublicKey), c.signature, c.bits)
				}
			}
		})
	}
}

func TestClientCertificate(t *testing.T) {
	id := identity(t, "ecdsa-p256", true)
	if err := verify(id, t, "localhost", x509.ExtKeyUsageClientAuth); err != nil {
		t.Error(err)
	}
	if verify(id, t, "localhost", x509.ExtKeyUsageServerAuth) == nil {
		t.Error("a client's certificate verified as a server's")
	}
}

func TestKeyUsage(t *testing.T) {
	for _, a := range algorithms {
		want := x509.KeyUsageDigitalSignature
		if strings.HasPrefix(a.name, "rsa") {
			want |= x509.KeyUsageKeyEncipherment
		}
		id := identity(t, a.name, false)
		if got := parse(t, id.Chain[0]).KeyUsage; got != want {
			t.Errorf("%s leaf: key usage %b, want %b", a.name, got, want)
		}
		for _, der := range append([][]byte{id.Root}, id.Chain[1:]...) {
			if ca := parse(t, der); !ca.IsCA || ca.KeyUsage != x509.KeyUsageCertSign|x509.KeyUsageCRLSign {
				t.Errorf("%s authority %s: CA %v, key usage %b", a.name, ca.Subject, ca.IsCA, ca.KeyUsage)
			}
		}
	}
}

// downward parses all certificates, the root first and the leaf last.
func downward(t *testing.T, id *Identity) []*x509.Certificate {
	t.Helper()
	certs := []*x509.Certificate{parse(t, id.Root)}
	for _, der := range slices.Backward(id.Chain) {
		certs = append(certs, parse(t, der))
	}
	return certs
}

// TestAuthoritiesDiffer guards verifiers that look an issuer up by its key
// identifier, also where the authorities share one key.
func TestAuthoritiesDiffer(t *testing.T) {
	for _, a := range algorithms {
		id := identity(t, a.name, false)
		var ids, serials []string
		issuer := parse(t, id.Root)
		for _, cert := range downward(t, id) {
			ids = append(ids, string(cert.SubjectKeyId))
			serials = append(serials, cert.SerialNumber.String())
			if cert.AuthorityKeyId != nil && !bytes.Equal(cert.AuthorityKeyId, issuer.SubjectKeyId) {
				t.Errorf("%s: %s does not point at its issuer's key identifier", a.name, cert.Subject)
			}
			if !bytes.Equal(cert.RawIssuer, issuer.RawSubject) {
				t.Errorf("%s: %s is issued by %s, want %s", a.name, cert.Subject, cert.Issuer, issuer.Subject)
			}
			issuer = cert
		}
		for _, list := range [][]string{ids, serials} {
			slices.Sort(list)
			if n := len(slices.Compact(list)); n != 4 {
				t.Errorf("%s: %d different key identifiers or serial numbers, want 4", a.name, n)
			}
		}
	}
}

func TestValidity(t *testing.T) {
	before := time.Now().Truncate(time.Second)
	id := mustNew(t, Options{Auth: "ed25519", Chain: 2})
	after := time.Now()
	for _, der := range append([][]byte{id.Root}, id.Chain...) {
		cert := parse(t, der)
		start, end := cert.NotBefore.Add(ValidBefore), cert.NotAfter.Add(-ValidAfter)
		if start.Before(before) || start.After(after) || end.Before(before) || end.After(after) {
			t.Errorf("%s: valid from %v to %v", cert.Subject, cert.NotBefore, cert.NotAfter)
		}
		if n := len(cert.SerialNumber.Bytes()); n != 16 {
			t.Errorf("%s: serial number of %d bytes, want 16", cert.Subject, n)
		}
	}
}

func TestChainLength(t *testing.T) {
	for _, length := range []int{0, 1, 2, 4, MaxChain} {
		id := mustNew(t, Options{Auth: "ecdsa-p256", Chain: length})
		if got := len(id.Chain); got != max(length, 1) {
			t.Errorf("chain %d: %d certificates", length, got)
		}
		if err := verify(id, t, "localhost", x509.ExtKeyUsageServerAuth); err != nil {
			t.Errorf("chain %d: %v", length, err)
		}
	}
}

func TestMinLeafBytes(t *testing.T) {
	for _, auth := range []string{"ecdsa-p256", "ed25519", "mldsa44"} {
		plain := mustNew(t, Options{Auth: auth}).LeafBytes()
		for _, size := range []int{1, plain, plain + 1, plain + 40, plain + 200, plain + 5000, MaxLeafBytes} {
			id := mustNew(t, Options{Auth: auth, Chain: 2, MinLeafBytes: size})
			if got := id.LeafBytes(); got < size || got > max(size, plain)+40 {
				t.Errorf("%s: leaf of %d bytes for at least %d (plain %d)", auth, got, size, plain)
			}
			if size > plain+200 && id.LeafBytes() > size+20 {
				t.Errorf("%s: leaf of %d bytes exceeds %d by too much", auth, id.LeafBytes(), size)
			}
			if got := id.ChainBytes(); got != len(id.Chain[0])+len(id.Chain[1]) {
				t.Errorf("%s: chain of %d bytes", auth, got)
			}
			if len(parse(t, id.Chain[0]).UnhandledCriticalExtensions) != 0 {
				t.Errorf("%s: padding is critical", auth)
			}
		}
	}
}

func TestPaddedLeafVerifies(t *testing.T) {
	id := mustNew(t, Options{Auth: "ecdsa-p384", Chain: 2, MinLeafBytes: 8000})
	if err := verify(id, t, "localhost", x509.ExtKeyUsageServerAuth); err != nil {
		t.Error(err)
	}
}

func TestOptionErrors(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, "unknown authentication"},
		{Options{Auth: "mldsa66"}, "mldsa65"},
		{Options{Auth: "psk"}, "pre-shared key"},
		{Options{Auth: "ed25519", Chain: -1}, "want 1 to 9"},
		{Options{Auth: "ed25519", Chain: MaxChain + 1}, "want 1 to 9"},
		{Options{Auth: "ed25519", MinLeafBytes: -1}, "want 0 to 245760"},
		{Options{Auth: "ed25519", MinLeafBytes: MaxLeafBytes + 1}, "want 0 to 245760"},
		{Options{Auth: "ed25519", Names: []string{""}}, `name ""`},
		{Options{Auth: "ed25519", Names: []string{"a..b"}}, `name "a..b"`},
		{Options{Auth: "ed25519", Names: []string{"bücher.example"}}, "punycode"},
		{Options{Auth: "ed25519", Names: []string{strings.Repeat("a.", 127) + "a"}}, "neither"},
	} {
		id, err := New(c.o)
		if err == nil || id != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("New(%+v) = %v, %v; want an error with %q", c.o, id, err, c.want)
		}
	}
}

func TestPEMRoundTrip(t *testing.T) {
	id := identity(t, "ecdsa-p384", false)
	rest, chain := id.ChainPEM(), [][]byte(nil)
	for block, more := pem.Decode(rest); block != nil; block, more = pem.Decode(more) {
		chain = append(chain, block.Bytes)
	}
	if !slices.EqualFunc(chain, id.Chain, bytes.Equal) {
		t.Error("the chain read back differs")
	}
	block, _ := pem.Decode(id.RootPEM())
	if block == nil || !bytes.Equal(block.Bytes, id.Root) {
		t.Error("the root read back differs")
	}
	block, _ = pem.Decode(id.KeyPEM())
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	if !key.(*ecdsa.PrivateKey).Equal(id.Key) {
		t.Error("the key read back differs")
	}
}

func TestWriteFiles(t *testing.T) {
	id := identity(t, "ed25519", false)
	dir := filepath.Join(t.TempDir(), "new", "pki")
	want := Files{
		Chain: filepath.Join(dir, "server.crt"),
		Key:   filepath.Join(dir, "server.key"),
		Root:  filepath.Join(dir, "server-ca.crt"),
	}
	for range 2 {
		files, err := id.WriteFiles(dir, "server")
		if err != nil || files != want {
			t.Fatalf("WriteFiles = %+v, %v", files, err)
		}
		checkFile(t, want.Chain, id.ChainPEM(), 0o644)
		checkFile(t, want.Key, id.KeyPEM(), 0o600)
		checkFile(t, want.Root, id.RootPEM(), 0o644)
		checkMode(t, dir, os.ModeDir|0o700)
		if err := os.Chmod(want.Key, 0o666); err != nil { // the next turn must not keep it
			t.Fatal(err)
		}
	}
}

func checkFile(t *testing.T, path string, want []byte, mode os.FileMode) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: wrong content, error %v", filepath.Base(path), err)
	}
	checkMode(t, path, mode)
}

func checkMode(t *testing.T, path string, want os.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode(); runtime.GOOS != "windows" && got != want {
		t.Errorf("%s: mode %v, want %v", filepath.Base(path), got, want)
	}
}

func TestWriteFilesDoesNotFollowLinks(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(dir, "outside")
	if err := os.Symlink(outside, filepath.Join(dir, "a.key")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if _, err := identity(t, "ed25519", false).WriteFiles(dir, "a"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(outside); err == nil {
		t.Error("the key was written through a link")
	}
}

func TestWriteFilesErrors(t *testing.T) {
	id := identity(t, "ed25519", false)
	dir := t.TempDir()
	for _, name := range []string{"", ".", "..", "../x", "a/b", "/x"} {
		if _, err := id.WriteFiles(dir, name); err == nil || !strings.Contains(err.Error(), "plain file name") {
			t.Errorf("name %q: %v", name, err)
		}
	}
	if _, err := id.WriteFiles(filepath.Join(dir, "missing\x00"), "a"); err == nil {
		t.Error("no error for a directory that cannot be made")
	}
}

func TestNewPSK(t *testing.T) {
	name, key, err := NewPSK()
	if err != nil || name != "shakedown" || len(key) != 32 {
		t.Fatalf("NewPSK = %q, %d bytes, %v", name, len(key), err)
	}
	if _, other, _ := NewPSK(); bytes.Equal(key, other) {
		t.Error("two keys are equal")
	}
}

// FuzzNames checks that a name is either refused or makes a certificate that
// holds it and that crypto/x509 reads.
func FuzzNames(f *testing.F) {
	for _, name := range []string{"device.example", "*.example", "192.0.2.7", "2001:db8::1", "::ffff:192.0.2.7", "fe80::1%eth0", "", ".", "a b", "\x00", "-a", "1.2.3"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		id, err := New(Options{Auth: "ed25519", Names: []string{name}})
		if err != nil {
			return
		}
		leaf := parse(t, id.Chain[0])
		if err := leaf.VerifyHostname(strings.Replace(name, "*", "a", 1)); err != nil && !slices.Contains(leaf.DNSNames, name) {
			t.Errorf("name %q: %v", name, err)
		}
	})
}
