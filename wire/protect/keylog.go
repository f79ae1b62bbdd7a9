package protect

import (
	"bytes"
	"encoding/hex"
	"errors"

	"shakedown/wire"
)

// Label names a secret of a key log (RFC 9850, the NSS key log format).
type Label string

// The labels that records are opened with.
const (
	MasterSecret           Label = "CLIENT_RANDOM" // up to TLS 1.2
	ClientEarlySecret      Label = "CLIENT_EARLY_TRAFFIC_SECRET"
	ClientHandshakeSecret  Label = "CLIENT_HANDSHAKE_TRAFFIC_SECRET"
	ServerHandshakeSecret  Label = "SERVER_HANDSHAKE_TRAFFIC_SECRET"
	ClientApplicationFirst Label = "CLIENT_TRAFFIC_SECRET_0"
	ServerApplicationFirst Label = "SERVER_TRAFFIC_SECRET_0"
)

// Limits of a key log, so that a hostile one costs little.
const (
	MaxKeyLog  = 64 << 20 // bytes that are looked at
	maxSecrets = 1 << 18  // secrets that are kept
	maxSecret  = 64       // bytes of a secret: the largest hash
)

// KeyLog holds the secrets of connections by the random of their ClientHello. Where
// a HelloRetryRequest made a client send two, both have the same random.
type KeyLog struct {
	secrets map[[wire.RandomSize]byte]map[Label][]byte
	count   int
}

// ErrKeyLog says that a key log is larger than this package reads; what was read
// before the limit is there.
var ErrKeyLog = errors.New("key log is too large")

// ParseKeyLog reads a key log: one secret a line, label, client random and secret
// in hexadecimal, parted by a space. Comments and lines in another form are passed
// over, as the format wants it.
func ParseKeyLog(text []byte) (*KeyLog, error) {
	k := &KeyLog{secrets: map[[wire.RandomSize]byte]map[Label][]byte{}}
	if len(text) > MaxKeyLog {
		text = text[:MaxKeyLog]
		k.Add(text)
		return k, ErrKeyLog
	}
	if !k.Add(text) {
		return k, ErrKeyLog
	}
	return k, nil
}

// Add reads more lines. It reports false when the log is full.
func (k *KeyLog) Add(text []byte) bool {
	for line := range bytes.Lines(text) {
		if k.count >= maxSecrets {
			return false
		}
		k.line(line)
	}
	return true
}

func (k *KeyLog) line(line []byte) {
	fields := bytes.Fields(line)
	if len(fields) != 3 || line[0] == '#' || len(fields[0]) > 64 || len(fields[2]) > 2*maxSecret {
		return
	}
	random, err := hex.DecodeString(string(fields[1][:min(len(fields[1]), 2*wire.RandomSize+1)]))
	secret, err2 := hex.DecodeString(string(fields[2]))
	if err != nil || err2 != nil || len(random) != wire.RandomSize || len(secret) == 0 {
		return
	}
	k.put([wire.RandomSize]byte(random), Label(fields[0]), secret)
}

func (k *KeyLog) put(random [wire.RandomSize]byte, label Label, secret []byte) {
	if k.secrets[random] == nil {
		k.secrets[random] = map[Label][]byte{}
	}
	if _, known := k.secrets[random][label]; !known {
		k.count++
	}
	k.secrets[random][label] = secret
}

// Secret returns a secret of the connection whose ClientHello has a random; nil
// for none. A nil log has none.
func (k *KeyLog) Secret(label Label, clientRandom []byte) []byte {
	if k == nil || len(clientRandom) != wire.RandomSize {
		return nil
	}
	return k.secrets[[wire.RandomSize]byte(clientRandom)][label]
}

// Len returns the number of secrets.
func (k *KeyLog) Len() int { return k.count }
