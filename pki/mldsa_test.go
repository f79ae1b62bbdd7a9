package pki

import (
	"bytes"
	"crypto/x509"
	"encoding/asn1"
	"encoding/pem"
	"slices"
	"testing"

	"github.com/cloudflare/circl/sign"
	"github.com/cloudflare/circl/sign/mldsa/mldsa44"
	"github.com/cloudflare/circl/sign/mldsa/mldsa65"
	"github.com/cloudflare/circl/sign/mldsa/mldsa87"
)

// postQuantum lists ML-DSA with the sizes of FIPS 204, table 2.
var postQuantum = []struct {
	auth              string
	scheme            sign.Scheme
	oid               string
	public, signature int
}{
	{"mldsa44", mldsa44.Scheme(), "2.16.840.1.101.3.4.3.17", 1312, 2420},
	{"mldsa65", mldsa65.Scheme(), "2.16.840.1.101.3.4.3.18", 1952, 3309},
	{"mldsa87", mldsa87.Scheme(), "2.16.840.1.101.3.4.3.19", 2592, 4627},
}

// mldsaPublic reads a public key out of a certificate.
func mldsaPublic(t *testing.T, scheme sign.Scheme, oid string, cert *x509.Certificate) sign.PublicKey {
	t.Helper()
	var info publicKeyInfo
	if rest, err := asn1.Unmarshal(cert.RawSubjectPublicKeyInfo, &info); err != nil || len(rest) != 0 {
		t.Fatalf("public key of %s: %v", cert.Subject, err)
	}
	if info.Algorithm.Algorithm.String() != oid || info.Algorithm.Parameters.FullBytes != nil {
		t.Errorf("%s: algorithm %v, want %s without parameters", cert.Subject, info.Algorithm, oid)
	}
	pub, err := scheme.UnmarshalBinaryPublicKey(info.PublicKey.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return pub
}

func TestMLDSAChainVerifies(t *testing.T) {
	for _, c := range postQuantum {
		t.Run(c.auth, func(t *testing.T) {
			certs := downward(t, identity(t, c.auth, false))
			issuer := certs[0]
			for _, cert := range certs {
				pub := mldsaPublic(t, c.scheme, c.oid, issuer)
				if raw, _ := pub.MarshalBinary(); len(raw) != c.public || len(cert.Signature) != c.signature {
					t.Errorf("%s: public key %d bytes, signature %d", cert.Subject, len(raw), len(cert.Signature))
				}
				if !c.scheme.Verify(pub, cert.RawTBSCertificate, cert.Signature, nil) {
					t.Errorf("%s: signature does not verify with the key of %s", cert.Subject, issuer.Subject)
				}
				changed := slices.Clone(cert.RawTBSCertificate)
				changed[len(changed)-1] ^= 1
				if c.scheme.Verify(pub, changed, cert.Signature, nil) {
					t.Errorf("%s: a changed certificate verifies", cert.Subject)
				}
				issuer = cert
			}
		})
	}
}

// TestMLDSASignatureAlgorithm checks that both copies of the algorithm name
// ML-DSA (RFC 5280, 4.1.1.2) and the leaf's names and use survive the graft.
func TestMLDSASignatureAlgorithm(t *testing.T) {
	for _, c := range postQuantum {
		for _, cert := range downward(t, identity(t, c.auth, false)) {
			var outer certificate
			var inner tbsCertificate
			if _, err := asn1.Unmarshal(cert.Raw, &outer); err != nil {
				t.Fatal(err)
			}
			if _, err := asn1.Unmarshal(outer.TBS.FullBytes, &inner); err != nil {
				t.Fatal(err)
			}
			if outer.Algorithm.Algorithm.String() != c.oid || !outer.Algorithm.Algorithm.Equal(inner.Algorithm.Algorithm) {
				t.Errorf("%s: signature algorithms %v and %v", cert.Subject, outer.Algorithm, inner.Algorithm)
			}
		}
		leaf := parse(t, identity(t, c.auth, false).Chain[0])
		for _, name := range []string{"localhost", "127.0.0.1", "::1", "device.example", "192.0.2.7"} {
			if err := leaf.VerifyHostname(name); err != nil {
				t.Error(err)
			}
		}
		if !slices.Equal(leaf.ExtKeyUsage, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}) {
			t.Errorf("%s leaf: extended key usage %v", c.auth, leaf.ExtKeyUsage)
		}
	}
}

func TestMLDSAPrivateKey(t *testing.T) {
	for _, c := range postQuantum {
		id := identity(t, c.auth, false)
		block, _ := pem.Decode(id.KeyPEM())
		var info privateKeyInfo
		var both seedAndKey
		if rest, err := asn1.Unmarshal(block.Bytes, &info); err != nil || len(rest) != 0 || info.Version != 0 {
			t.Fatalf("%s: PKCS #8 version %d: %v", c.auth, info.Version, err)
		}
		if rest, err := asn1.Unmarshal(info.PrivateKey, &both); err != nil || len(rest) != 0 {
			t.Fatalf("%s: %v", c.auth, err)
		}
		if got := info.Algorithm.Algorithm.String(); got != c.oid {
			t.Errorf("%s: algorithm %s, want %s", c.auth, got, c.oid)
		}
		pub, key := c.scheme.DeriveKey(both.Seed)
		if raw, _ := key.MarshalBinary(); !bytes.Equal(raw, both.Expanded) {
			t.Errorf("%s: seed and expanded key disagree", c.auth)
		}
		if !pub.Equal(mldsaPublic(t, c.scheme, c.oid, parse(t, id.Chain[0]))) {
			t.Errorf("%s: the key is not that of the leaf", c.auth)
		}
	}
}
