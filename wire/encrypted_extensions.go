package wire

import "shakedown/wire/internal/codec"

// EncryptedExtensions is the server's answer to the extensions that do not choose
// keys (RFC 8446 4.3.1).
type EncryptedExtensions struct {
	Extensions Extensions
}

// Type returns TypeEncryptedExtensions.
func (*EncryptedExtensions) Type() HandshakeType { return TypeEncryptedExtensions }

// Parse reads the body.
func (m *EncryptedExtensions) Parse(body []byte) error {
	r := codec.Reader{What: "EncryptedExtensions", All: body}
	m.Extensions = extensions(&r)
	return r.Done()
}

// Append writes the body.
func (m *EncryptedExtensions) Append(dst []byte) []byte {
	return codec.AppendVector16(dst, m.Extensions)
}

// EarlyData reports whether the server accepted 0-RTT data.
func (m *EncryptedExtensions) EarlyData() bool { return m.Extensions.Has(ExtEarlyData) }

// Protocol returns the application protocol that the server chose, nil for none.
func (m *EncryptedExtensions) Protocol() []byte {
	data, _ := m.Extensions.Find(ExtALPN)
	names, _ := ParseProtocolNames(data)
	return names.First()
}
