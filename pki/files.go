package pki

import (
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Files are the paths that WriteFiles wrote.
type Files struct {
	Chain string // NAME.crt: what the endpoint sends, leaf first
	Key   string // NAME.key: PKCS #8, readable by its owner alone
	Root  string // NAME-ca.crt: what the peer trusts
}

// ChainPEM is the chain as sent, leaf first, as PEM (RFC 7468).
func (id *Identity) ChainPEM() []byte {
	var out []byte
	for _, der := range id.Chain {
		out = append(out, encode("CERTIFICATE", der)...)
	}
	return out
}

// KeyPEM is the leaf's private key as PKCS #8 in PEM. An ML-DSA key holds both
// its seed and its expanded form (RFC 9881, 6).
func (id *Identity) KeyPEM() []byte { return encode("PRIVATE KEY", id.pkcs8) }

// RootPEM is the root as PEM.
func (id *Identity) RootPEM() []byte { return encode("CERTIFICATE", id.Root) }

func encode(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// WriteFiles writes the identity as three PEM files into dir and replaces those
// of the same name. A missing dir is made with mode 0700; the mode of an
// existing one is its owner's business. The name is a plain file name.
func (id *Identity) WriteFiles(dir, name string) (Files, error) {
	if name == "" || name == "." || name == ".." || !filepath.IsLocal(name) || filepath.Base(name) != name {
		return Files{}, fmt.Errorf("identity name %q: want a plain file name such as %q", name, "server")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Files{}, err
	}
	path := filepath.Join(dir, name)
	files := Files{Chain: path + ".crt", Key: path + ".key", Root: path + "-ca.crt"}
	err := errors.Join(
		replace(files.Chain, id.ChainPEM(), 0o644),
		replace(files.Key, id.KeyPEM(), 0o600),
		replace(files.Root, id.RootPEM(), 0o644),
	)
	if err != nil {
		return Files{}, err
	}
	return files, nil
}

// replace writes a new file, never into an old one or through a link, so that
// a key is at no time readable under another file's mode.
func replace(path string, data []byte, mode fs.FileMode) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}
