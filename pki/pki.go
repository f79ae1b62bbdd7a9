// Package pki makes the certificates and pre-shared keys of one run.
//
// Everything is new for each run and trusted by nobody else: a root, a chain
// below it of the length and size a case asks for, and the key of its leaf.
// A chain is made of one algorithm throughout, so that its cost is the cost of
// that algorithm alone.
package pki

import (
	"crypto"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// Bounds of what New makes. MaxChain is what default builds of mbedTLS and wolfSSL
// verify (leaf and eight intermediates). With MaxLeafBytes a chain stays below the
// 256 KiB of certificates that crypto/tls accepts; OpenSSL takes 100 kB by default,
// others less.
const (
	MaxChain     = 9
	MaxLeafBytes = 240 << 10
)

// Validity of every certificate, from the moment of New. The hour in the past
// forgives a peer whose clock is slow.
const (
	ValidBefore = time.Hour
	ValidAfter  = 30 * 24 * time.Hour
)

// Options says which identity New makes.
type Options struct {
	Auth         string   // ecdsa-p256, ecdsa-p384, ed25519, rsa-2048, rsa-3072, mldsa44, mldsa65 or mldsa87
	Chain        int      // certificates sent below the root: 1 is the leaf alone, which 0 means too
	MinLeafBytes int      // the leaf's DER is padded to at least this many bytes; 0 pads nothing
	Names        []string // further DNS names and IP addresses, besides localhost, 127.0.0.1 and ::1
	Client       bool     // the leaf authenticates a client instead of a server
}

// Identity is what one endpoint proves itself with, and the root that its peer
// must trust to believe it.
type Identity struct {
	Root  []byte        // DER, self-signed, never sent
	Chain [][]byte      // DER, as sent: leaf first, without the root
	Key   crypto.Signer // the leaf's private key

	pkcs8 []byte
}

// New makes a root, the intermediates and a leaf with its key. The
// intermediates of an RSA chain share the root's key, because making RSA keys
// takes seconds on a small machine. The error names the option that is wrong.
func New(o Options) (*Identity, error) {
	alg, names, err := o.check()
	if err != nil {
		return nil, err
	}
	b := builder{alg: alg, now: time.Now()}
	root, err := b.authority("shakedown root", nil)
	if err != nil {
		return nil, fmt.Errorf("root certificate: %w", err)
	}
	id := &Identity{Root: root.der}
	issuer := root
	for i := 1; i < o.Chain; i++ {
		if issuer, err = b.authority(fmt.Sprintf("shakedown intermediate %d", i), issuer); err != nil {
			return nil, fmt.Errorf("intermediate certificate %d: %w", i, err)
		}
		id.Chain = append(id.Chain, issuer.der)
	}
	if err := id.addLeaf(b, o, names, issuer); err != nil {
		return nil, err
	}
	return id, nil
}

// addLeaf makes the leaf and its key, and turns the chain leaf first.
func (id *Identity) addLeaf(b builder, o Options, names altNames, issuer *node) error {
	leaf, err := b.leaf(o, names, issuer)
	if err != nil {
		return fmt.Errorf("leaf certificate: %w", err)
	}
	if id.pkcs8, err = b.alg.pkcs8(leaf.key); err != nil {
		return fmt.Errorf("private key: %w", err)
	}
	id.Chain = append(id.Chain, leaf.der)
	slices.Reverse(id.Chain)
	id.Key = leaf.key
	return nil
}

// LeafBytes is the size of the leaf in bytes of DER.
func (id *Identity) LeafBytes() int { return len(id.Chain[0]) }

// ChainBytes is the size of all certificates sent, in bytes of DER, without
// the framing that TLS adds to each (3 bytes in TLS 1.2, 5 in TLS 1.3).
func (id *Identity) ChainBytes() int {
	n := 0
	for _, der := range id.Chain {
		n += len(der)
	}
	return n
}

// check refuses what New cannot make.
func (o Options) check() (algorithm, altNames, error) {
	alg, err := find(o.Auth)
	if err != nil {
		return algorithm{}, altNames{}, err
	}
	if o.Chain < 0 || o.Chain > MaxChain {
		return algorithm{}, altNames{}, fmt.Errorf("chain of %d certificates: want 1 to %d", o.Chain, MaxChain)
	}
	if o.MinLeafBytes < 0 || o.MinLeafBytes > MaxLeafBytes {
		return algorithm{}, altNames{}, fmt.Errorf("leaf of at least %d bytes: want 0 to %d", o.MinLeafBytes, MaxLeafBytes)
	}
	names, err := parseNames(o.Names)
	return alg, names, err
}

// altNames are the subject alternative names of a leaf (RFC 5280, 4.2.1.6).
type altNames struct {
	dns []string
	ip  []netip.Addr
}

// parseNames adds the given names to those of the loopback.
func parseNames(more []string) (altNames, error) {
	names := altNames{
		dns: []string{"localhost"},
		ip:  []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()},
	}
	for _, name := range more {
		if ip, err := netip.ParseAddr(name); err == nil && ip.Zone() == "" {
			names.ip = appendNew(names.ip, ip.Unmap())
			continue
		}
		if !isDNSName(name) {
			return altNames{}, fmt.Errorf("name %q: neither a DNS name nor an IP address (write international names in punycode)", name)
		}
		names.dns = appendNew(names.dns, name)
	}
	return names, nil
}

func appendNew[T comparable](list []T, v T) []T {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}

// isDNSName tells whether name fits in a certificate: labels of 1 to 63
// letters, digits, hyphens and underscores (RFC 1035, 2.3.4), or a wildcard
// first.
func isDNSName(name string) bool {
	if len(name) > 253 {
		return false
	}
	for label := range strings.SplitSeq(strings.TrimPrefix(name, "*."), ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, letters) != "" {
			return false
		}
	}
	return true
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
