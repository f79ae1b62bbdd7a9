package virtual

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"math/big"
	"testing"
	"time"

	"shakedown/link/profile"
)

// oneWay is the delay of each direction of the protocols' link; a round trip takes
// 100 ms.
const oneWay = 50 * time.Millisecond

const ms = time.Millisecond

// bothWays is a link with the same both ways.
func bothWays(d profile.Direction) profile.Profile { return profile.Profile{Up: d, Down: d} }

// open makes a link that ends with the bubble's function.
func open(t *testing.T, p profile.Profile, seed uint64) *Network {
	t.Helper()
	n, err := New(p, seed)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// certificate makes one for P-256, with so many bytes of an extension nobody knows,
// to make it long.
func certificate(t *testing.T, padding int) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"server.test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	if padding > 0 {
		template.ExtraExtensions = []pkix.Extension{{Id: asn1.ObjectIdentifier{2, 25, 1}, Value: make([]byte, padding)}}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}

// trust is the pool of a client that trusts one certificate.
func trust(c tls.Certificate) *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(c.Leaf)
	return pool
}
