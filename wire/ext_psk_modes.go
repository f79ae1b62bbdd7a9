package wire

import "shakedown/wire/internal/codec"

// Modes of psk_key_exchange_modes (RFC 8446 4.2.9).
const (
	PSKOnly  uint8 = 0 // psk_ke: no forward secrecy
	PSKDHE   uint8 = 1 // psk_dhe_ke: with a key exchange
	pskModes       = "psk_key_exchange_modes"
)

// ParsePSKModes reads the data of psk_key_exchange_modes: one byte a mode.
func ParsePSKModes(data []byte) ([]byte, error) {
	r := codec.Reader{What: pskModes, All: data}
	modes := r.Vector8()
	return modes, r.Done()
}
