package pki

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"math/big"
	"slices"
	"time"
)

// paddingOID marks the private extension that only makes a leaf larger. It
// lies under the number reserved for examples (RFC 5612).
var paddingOID = asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 32473, 1}

// builder issues the certificates of one identity.
type builder struct {
	alg algorithm
	now time.Time
}

// node is a certificate with its key, ready to issue the next.
type node struct {
	template *x509.Certificate
	key      crypto.Signer
	spki     []byte
	der      []byte
}

// authority makes a root (issuer nil) or an intermediate.
func (b builder) authority(name string, issuer *node) (*node, error) {
	n, err := b.node(name, issuer)
	if err != nil {
		return nil, err
	}
	n.template.IsCA = true
	n.template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign
	if issuer == nil {
		issuer = n
	}
	n.der, err = b.issue(n, issuer)
	return n, err
}

// leaf makes the certificate of the endpoint itself.
func (b builder) leaf(o Options, names altNames, issuer *node) (*node, error) {
	name, use := "shakedown server", x509.ExtKeyUsageServerAuth
	if o.Client {
		name, use = "shakedown client", x509.ExtKeyUsageClientAuth
	}
	n, err := b.node(name, nil)
	if err != nil {
		return nil, err
	}
	n.template.KeyUsage = leafUsage(n.key)
	n.template.ExtKeyUsage = []x509.ExtKeyUsage{use}
	n.template.DNSNames = names.dns
	for _, ip := range names.ip {
		n.template.IPAddresses = append(n.template.IPAddresses, ip.AsSlice())
	}
	n.der, err = b.padded(n, issuer, o.MinLeafBytes)
	return n, err
}

// leafUsage allows signatures, and for RSA also the key transport of TLS 1.2.
func leafUsage(key crypto.Signer) x509.KeyUsage {
	if _, ok := key.(*rsa.PrivateKey); ok {
		return x509.KeyUsageDigitalSignature | x509.KeyUsageKeyEncipherment
	}
	return x509.KeyUsageDigitalSignature
}

// padded issues until the certificate holds at least size bytes. The first
// padding is empty, so that the next is short by what is missing and no more
// than a few bytes of lengths are in excess.
func (b builder) padded(n, issuer *node, size int) ([]byte, error) {
	der, err := b.issue(n, issuer)
	for pad := 0; err == nil && len(der) < size; pad += size - len(der) {
		if n.template.ExtraExtensions, err = padding(pad); err != nil {
			return nil, err
		}
		der, err = b.issue(n, issuer)
	}
	return der, err
}

// padding is a non-critical extension of size random bytes, which no
// certificate compression (RFC 8879) can shrink.
func padding(size int) ([]pkix.Extension, error) {
	filler := make([]byte, max(size, 0))
	if _, err := rand.Read(filler); err != nil {
		return nil, err
	}
	value, err := asn1.Marshal(filler)
	return []pkix.Extension{{Id: paddingOID, Value: value}}, err
}

// node makes a key and what all certificates have in common. A slow key is
// taken from the issuer, where there is one.
func (b builder) node(name string, issuer *node) (*node, error) {
	key, err := b.key(issuer)
	if err != nil {
		return nil, err
	}
	spki, err := b.alg.spki(key)
	if err != nil {
		return nil, err
	}
	serial, err := serialNumber()
	if err != nil {
		return nil, err
	}
	return &node{key: key, spki: spki, template: &x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{CommonName: name},
		NotBefore:             b.now.Add(-ValidBefore),
		NotAfter:              b.now.Add(ValidAfter),
		BasicConstraintsValid: true,
		SubjectKeyId:          keyID(name, spki),
	}}, nil
}

func (b builder) key(issuer *node) (crypto.Signer, error) {
	if b.alg.slowKeys && issuer != nil {
		return issuer.key, nil
	}
	return b.alg.generate()
}

// issue signs n's certificate with the issuer's key.
func (b builder) issue(n, issuer *node) ([]byte, error) {
	if b.alg.oid != nil {
		return mldsaCertificate(b.alg.oid, n.template, issuer.template, n.spki, issuer.key)
	}
	return x509.CreateCertificate(rand.Reader, n.template, issuer.template, n.key.Public(), issuer.key)
}

// serialNumber is positive, random and always 16 bytes long, so that the size
// of a certificate does not vary with it.
func serialNumber() (*big.Int, error) {
	b := make([]byte, 16)
	if _, err := rand.Read(b); err != nil {
		return nil, err
	}
	b[0] = b[0]&0x7f | 0x40
	return new(big.Int).SetBytes(b), nil
}

// keyID is a subject key identifier. The name is part of it because the
// authorities of an RSA chain share a key, and a verifier must still tell them
// apart (RFC 5280, 4.2.1.2, leaves the method open).
func keyID(name string, spki []byte) []byte {
	sum := sha256.Sum256(slices.Concat([]byte(name), spki))
	return sum[:20]
}
