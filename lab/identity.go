package lab

import (
	"encoding/hex"
	"fmt"
	"os"
	"sync"

	"shakedown/driver"
	"shakedown/pki"
	"shakedown/spec"
)

// identities makes the certificates and keys of a run, each once, in a private
// directory that goes away with it.
type identities struct {
	dir   string
	mu    sync.Mutex
	files map[string]pki.Files
	psk   string // hex, of the one external pre-shared key
	name  string // its identity
}

func newIdentities() (*identities, error) {
	dir, err := os.MkdirTemp("", "shakedown-keys-")
	if err != nil {
		return nil, fmt.Errorf("no place for the keys of the run: %w", err)
	}
	name, key, err := pki.NewPSK()
	if err != nil {
		return nil, err
	}
	return &identities{dir: dir, files: map[string]pki.Files{}, psk: hex.EncodeToString(key), name: name}, nil
}

func (ids *identities) close() { _ = os.RemoveAll(ids.dir) }

// files returns the chain of one end, made on first use.
func (ids *identities) get(c spec.Case, client bool) (pki.Files, error) {
	end := "server"
	if client {
		end = "client"
	}
	ids.mu.Lock()
	defer ids.mu.Unlock()
	name := fmt.Sprintf("%s-%s-%d-%d", end, c.Auth, c.ChainLength(), c.Leaf)
	if f, made := ids.files[name]; made {
		return f, nil
	}
	id, err := pki.New(pki.Options{Auth: string(c.Auth), Chain: c.ChainLength(), MinLeafBytes: c.Leaf, Client: client})
	if err != nil {
		return pki.Files{}, err
	}
	f, err := id.WriteFiles(ids.dir, name)
	if err != nil {
		return f, err
	}
	ids.files[name] = f
	return f, nil
}

// fill sets the credentials of both ends. Without an authentication the server
// has a certificate of its own.
func (ids *identities) fill(c spec.Case, server, client *driver.Config) error {
	if c.Auth == "" {
		return nil
	}
	if c.Auth == spec.AuthPSK {
		server.PSK, server.PSKIdentity = ids.psk, ids.name
		client.PSK, client.PSKIdentity = ids.psk, ids.name
		return nil
	}
	own, err := ids.get(c, false)
	if err != nil {
		return err
	}
	server.Cert, server.Key, client.CA = own.Chain, own.Key, own.Root
	if !c.Mutual {
		return nil
	}
	theirs, err := ids.get(c, true)
	if err != nil {
		return err
	}
	client.Cert, client.Key, server.CA = theirs.Chain, theirs.Key, theirs.Root
	return nil
}

// fillBoth sets the credentials of a driver that plays both ends.
func (ids *identities) fillBoth(c spec.Case, both *driver.Config) error {
	var client driver.Config
	err := ids.fill(c, both, &client)
	both.CA = client.CA
	return err
}
