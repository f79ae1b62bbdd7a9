package wire

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
	r := reader{what: "encrypted_client_hello", all: data}
	var e ECH
	switch kind := r.u8(); kind {
	case 0:
		e.KDF, e.AEAD, e.Config = r.u16(), r.u16(), r.u8()
		e.Key, e.Payload = r.vector16(), r.vector16()
	case 1:
		e.Inner = true
	default:
		r.fail(0, "type is neither outer nor inner")
	}
	return e, r.done()
}

// Append writes the data of the extension.
func (e ECH) Append(dst []byte) []byte {
	if e.Inner {
		return append(dst, 1)
	}
	dst = append(append16(append16(append(dst, 0), e.KDF), e.AEAD), e.Config)
	return appendVector16(appendVector16(dst, e.Key), e.Payload)
}
