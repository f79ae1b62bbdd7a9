package wire

import "shakedown/wire/internal/codec"

// ECH is the encrypted_client_hello extension of an outer ClientHello (RFC 9849
// 5). GREASE fills it with random bytes, so it looks the same.
type ECH struct {
	Inner   bool // marks an inner ClientHello; the other fields are empty then
	KDF     uint16
	AEAD    uint16
	Config  uint8 // identifier of the server's configuration
	Key     []byte
	Payload []byte // the encrypted hello
}

// ParseECH reads the data of the extension in a ClientHello.
func ParseECH(data []byte) (ECH, error) {
	r := codec.Reader{What: "encrypted_client_hello", All: data}
	var e ECH
	switch kind := r.U8(); kind {
	case 0:
		e.KDF, e.AEAD, e.Config = r.U16(), r.U16(), r.U8()
		e.Key, e.Payload = r.Vector16(), r.Vector16()
	case 1:
		e.Inner = true
	default:
		r.Fail(0, "type is neither outer nor inner")
	}
	return e, r.Done()
}

// Append writes the data of the extension.
func (e ECH) Append(dst []byte) []byte {
	if e.Inner {
		return append(dst, 1)
	}
	dst = append(codec.Append16(codec.Append16(append(dst, 0), e.KDF), e.AEAD), e.Config)
	return codec.AppendVector16(codec.AppendVector16(dst, e.Key), e.Payload)
}
