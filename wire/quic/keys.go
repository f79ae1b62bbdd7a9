package quic

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"

	"shakedown/wire"
)

// Keys opens and seals the Initial packets of one direction (RFC 9001 5). They are
// the same for all Initial packets of a connection until a Retry: derive them once
// and keep them. A Keys is for one goroutine at a time.
type Keys struct {
	aead   cipher.AEAD
	header cipher.Block
	iv     [12]byte
	next   uint64 // one above the highest packet number that was opened

	mask  [aes.BlockSize]byte // of the last header
	nonce [12]byte            // of the last packet
}

// DeriveClient makes the keys of what the client sends, from the version and the
// destination identifier of the client's first Initial packet, or of the first
// after a Retry (RFC 9001 5.2). It fails for versions that are not known.
func (k *Keys) DeriveClient(version uint32, dcid []byte) error {
	return k.derive(version, dcid, "client in")
}

// DeriveServer makes the keys of what the server sends, from the same.
func (k *Keys) DeriveServer(version uint32, dcid []byte) error {
	return k.derive(version, dcid, "server in")
}

func (k *Keys) derive(version uint32, dcid []byte, side string) error {
	*k = Keys{}
	salt := saltOf(version)
	if salt == "" {
		return &wire.Error{What: "QUIC keys", Reason: "unknown version " + VersionName(version)}
	}
	initial := shortHMAC([]byte(salt), dcid)
	secret := shortExpand(initial, side, sha256.Size)
	return k.expand(secret, version == Version2)
}

// expand makes key, IV and header key from the secret of a direction. The labels
// of v2 are its own (RFC 9369 3.3.2).
func (k *Keys) expand(secret [sha256.Size]byte, v2 bool) (err error) {
	keyName, ivName, headerName := "quic key", "quic iv", "quic hp"
	if v2 {
		keyName, ivName, headerName = "quicv2 key", "quicv2 iv", "quicv2 hp"
	}
	key, iv, header := shortExpand(secret, keyName, 16), shortExpand(secret, ivName, len(k.iv)), shortExpand(secret, headerName, 16)
	copy(k.iv[:], iv[:])
	if k.aead, err = newGCM(key[:16]); err != nil {
		return err
	}
	k.header, err = aes.NewCipher(header[:16])
	return err
}

// setNonce combines the IV with a packet number (RFC 9001 5.3).
func (k *Keys) setNonce(number uint64) {
	k.nonce = k.iv
	low := k.nonce[len(k.nonce)-8:]
	binary.BigEndian.PutUint64(low, binary.BigEndian.Uint64(low)^number)
}
