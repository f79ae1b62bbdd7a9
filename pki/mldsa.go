package pki

import (
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding"
	"encoding/asn1"
	"errors"

	"github.com/cloudflare/circl/sign"
)

// ML-DSA in certificates and keys is RFC 9881: the algorithm identifier has no
// parameters, and the signature has the empty context string.

// publicKeyInfo is SubjectPublicKeyInfo (RFC 5280, 4.1).
type publicKeyInfo struct {
	Algorithm pkix.AlgorithmIdentifier
	PublicKey asn1.BitString
}

// privateKeyInfo is OneAsymmetricKey without its optional fields (RFC 5958, 2).
type privateKeyInfo struct {
	Version    int
	Algorithm  pkix.AlgorithmIdentifier
	PrivateKey []byte
}

// seedAndKey is the form "both" of ML-DSA-PrivateKey (RFC 9881, 6): readers
// that know only seeds or only expanded keys each find theirs.
type seedAndKey struct {
	Seed, Expanded []byte
}

// certificate and tbsCertificate are those of RFC 5280, 4.1, open only where
// graft changes them.
type certificate struct {
	TBS       asn1.RawValue
	Algorithm pkix.AlgorithmIdentifier
	Signature asn1.BitString
}

type tbsCertificate struct {
	Version, Serial                      asn1.RawValue
	Algorithm                            pkix.AlgorithmIdentifier
	Issuer, Validity, Subject, PublicKey asn1.RawValue
	Extensions                           asn1.RawValue
}

// mldsaKey makes keys that remember their seed.
func mldsaKey(scheme sign.Scheme) func() (crypto.Signer, error) {
	return func() (crypto.Signer, error) {
		seed := make([]byte, scheme.SeedSize())
		if _, err := rand.Read(seed); err != nil {
			return nil, err
		}
		_, key := scheme.DeriveKey(seed)
		return key, nil
	}
}

func mldsaSPKI(oid asn1.ObjectIdentifier, key crypto.Signer) ([]byte, error) {
	pub, ok := key.Public().(encoding.BinaryMarshaler)
	if !ok {
		return nil, errors.New("not an ML-DSA public key")
	}
	raw, err := pub.MarshalBinary()
	if err != nil {
		return nil, err
	}
	return asn1.Marshal(publicKeyInfo{
		Algorithm: pkix.AlgorithmIdentifier{Algorithm: oid},
		PublicKey: bitString(raw),
	})
}

func mldsaPKCS8(oid asn1.ObjectIdentifier, key crypto.Signer) ([]byte, error) {
	priv, ok := key.(interface {
		sign.Seeded
		encoding.BinaryMarshaler
	})
	if !ok {
		return nil, errors.New("not an ML-DSA private key with its seed")
	}
	raw, err := priv.MarshalBinary()
	if err != nil {
		return nil, err
	}
	both, err := asn1.Marshal(seedAndKey{Seed: priv.Seed(), Expanded: raw})
	if err != nil {
		return nil, err
	}
	return asn1.Marshal(privateKeyInfo{Algorithm: pkix.AlgorithmIdentifier{Algorithm: oid}, PrivateKey: both})
}

// mldsaCertificate lets crypto/x509, which cannot sign with ML-DSA, encode the
// certificate with a throw-away key, and grafts the true keys onto it. What it
// shares with a classical certificate is therefore the same byte for byte.
func mldsaCertificate(oid asn1.ObjectIdentifier, template, parent *x509.Certificate, spki []byte, issuer crypto.Signer) ([]byte, error) {
	_, standIn, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, standIn.Public(), standIn)
	if err != nil {
		return nil, err
	}
	return graft(der, pkix.AlgorithmIdentifier{Algorithm: oid}, spki, issuer)
}

// graft puts another algorithm and public key into a certificate and signs it
// anew.
func graft(der []byte, alg pkix.AlgorithmIdentifier, spki []byte, issuer crypto.Signer) ([]byte, error) {
	var cert certificate
	var tbs tbsCertificate
	if _, err := asn1.Unmarshal(der, &cert); err != nil {
		return nil, err
	}
	if _, err := asn1.Unmarshal(cert.TBS.FullBytes, &tbs); err != nil {
		return nil, err
	}
	tbs.Algorithm, tbs.PublicKey = alg, asn1.RawValue{FullBytes: spki}
	signed, err := asn1.Marshal(tbs)
	if err != nil {
		return nil, err
	}
	signature, err := issuer.Sign(rand.Reader, signed, crypto.Hash(0))
	if err != nil {
		return nil, err
	}
	return asn1.Marshal(certificate{TBS: asn1.RawValue{FullBytes: signed}, Algorithm: alg, Signature: bitString(signature)})
}

func bitString(b []byte) asn1.BitString {
	return asn1.BitString{Bytes: b, BitLength: 8 * len(b)}
}
