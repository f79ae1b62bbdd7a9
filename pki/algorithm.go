package pki

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/asn1"
	"errors"
	"fmt"
	"strings"

	"github.com/cloudflare/circl/sign/mldsa/mldsa44"
	"github.com/cloudflare/circl/sign/mldsa/mldsa65"
	"github.com/cloudflare/circl/sign/mldsa/mldsa87"
)

// An algorithm makes keys and encodes them. ECDSA signs with the hash of its
// curve's strength (SHA-256, SHA-384), RSA with PKCS #1 v1.5 and SHA-256, as
// public authorities do.
type algorithm struct {
	name     string
	generate func() (crypto.Signer, error)
	oid      asn1.ObjectIdentifier // of ML-DSA; nil where crypto/x509 knows the algorithm
	slowKeys bool                  // intermediates take the root's key
}

// algorithms holds every authentication that has certificates. The object
// identifiers are those of RFC 9881, section 2.
var algorithms = []algorithm{
	{name: "ecdsa-p256", generate: ecdsaKey(elliptic.P256())},
	{name: "ecdsa-p384", generate: ecdsaKey(elliptic.P384())},
	{name: "ed25519", generate: ed25519Key},
	{name: "rsa-2048", generate: rsaKey(2048), slowKeys: true},
	{name: "rsa-3072", generate: rsaKey(3072), slowKeys: true},
	{name: "mldsa44", generate: mldsaKey(mldsa44.Scheme()), oid: asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 3, 17}},
	{name: "mldsa65", generate: mldsaKey(mldsa65.Scheme()), oid: asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 3, 18}},
	{name: "mldsa87", generate: mldsaKey(mldsa87.Scheme()), oid: asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 3, 19}},
}

// find looks an authentication up by its name.
func find(auth string) (algorithm, error) {
	var names []string
	for _, a := range algorithms {
		if a.name == auth {
			return a, nil
		}
		names = append(names, a.name)
	}
	if auth == "psk" {
		return algorithm{}, errors.New("authentication psk has no certificate: take a pre-shared key instead")
	}
	return algorithm{}, fmt.Errorf("unknown authentication %q: want one of %s", auth, strings.Join(names, ", "))
}

func ecdsaKey(curve elliptic.Curve) func() (crypto.Signer, error) {
	return func() (crypto.Signer, error) { return ecdsa.GenerateKey(curve, rand.Reader) }
}

func ed25519Key() (crypto.Signer, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	return key, err
}

func rsaKey(bits int) func() (crypto.Signer, error) {
	return func() (crypto.Signer, error) { return rsa.GenerateKey(rand.Reader, bits) }
}

// spki is the SubjectPublicKeyInfo of a key (RFC 5280, 4.1.2.7).
func (a algorithm) spki(key crypto.Signer) ([]byte, error) {
	if a.oid != nil {
		return mldsaSPKI(a.oid, key)
	}
	return x509.MarshalPKIXPublicKey(key.Public())
}

// pkcs8 is the private key as OneAsymmetricKey (RFC 5958).
func (a algorithm) pkcs8(key crypto.Signer) ([]byte, error) {
	if a.oid != nil {
		return mldsaPKCS8(a.oid, key)
	}
	return x509.MarshalPKCS8PrivateKey(key)
}
