package wire

import (
	"bytes"

	"shakedown/wire/internal/codec"
)

// ServerHello is the answer to a ClientHello (RFC 5246 7.4.1.3, RFC 8446 4.1.3).
// A HelloRetryRequest is a ServerHello with a random of its own.
type ServerHello struct {
	Version     uint16 // legacy_version; what was chosen is in Chosen
	Random      []byte
	SessionID   []byte
	Suite       uint16
	Compression uint8
	Extensions  Extensions
}

// retryRandom is the random that makes a ServerHello a HelloRetryRequest: the
// SHA-256 of "HelloRetryRequest" (RFC 8446 4.1.3).
var retryRandom = []byte{
	0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65, 0xB8, 0x91,
	0xC2, 0xA2, 0x11, 0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2, 0xC8, 0xA8, 0x33, 0x9C,
}

// Type returns TypeServerHello.
func (*ServerHello) Type() HandshakeType { return TypeServerHello }

// Parse reads the body. On an error the fields hold what could be read before it.
func (m *ServerHello) Parse(body []byte) error {
	r := codec.Reader{What: "ServerHello", All: body}
	*m = ServerHello{Version: r.U16(), Random: r.Bytes(RandomSize)}
	if m.bare() {
		m.Suite = r.U16()
		m.Extensions = optionalExtensions(&r)
		return r.Done()
	}
	m.SessionID = r.Vector8()
	if len(m.SessionID) > 32 {
		r.Fail(2+RandomSize, "session identifier is longer than 32 bytes")
	}
	m.Suite, m.Compression = r.U16(), r.U8()
	m.Extensions = optionalExtensions(&r)
	return r.Done()
}

// bare reports the layout of TLS 1.3 drafts before 22, which has neither session
// identifier nor compression and names the draft as its version.
func (m *ServerHello) bare() bool {
	return m.Version>>8 == draftIETF && m.Version&0xFF < 22
}

// Append writes the body.
func (m *ServerHello) Append(dst []byte) []byte {
	dst = append(codec.Append16(dst, m.Version), m.Random...)
	if m.bare() {
		return m.Extensions.Append(codec.Append16(dst, m.Suite))
	}
	dst = codec.Append16(codec.AppendVector8(dst, m.SessionID), m.Suite)
	return m.Extensions.Append(append(dst, m.Compression))
}

// RetryRequest reports whether the message is a HelloRetryRequest.
func (m *ServerHello) RetryRequest() bool { return bytes.Equal(m.Random, retryRandom) }

// Chosen returns the version that the server chose: supported_versions where
// present, else the legacy version.
func (m *ServerHello) Chosen() uint16 {
	if data, ok := m.Extensions.Find(ExtSupportedVersions); ok && len(data) == 2 {
		return Codes(data).At(0)
	}
	return m.Version
}

// KeyShare returns the server's share; false where there is none. In a
// HelloRetryRequest it is the group asked for, without data.
func (m *ServerHello) KeyShare() (KeyShare, bool) {
	data, ok := m.Extensions.Find(ExtKeyShare)
	if !ok {
		if data, ok = m.Extensions.Find(ExtKeyShareDraft); !ok {
			return KeyShare{}, false
		}
	}
	share, err := m.parseShare(data)
	return share, err == nil
}

func (m *ServerHello) parseShare(data []byte) (KeyShare, error) {
	if m.RetryRequest() {
		group, err := ParseRetryGroup(data)
		return KeyShare{Group: group}, err
	}
	return ParseKeyShare(data)
}

// PreSharedKey returns the index of the identity that the server took, and
// whether it took one: resumption, or an external key.
func (m *ServerHello) PreSharedKey() (index uint16, ok bool) {
	data, ok := m.Extensions.Find(ExtPreSharedKey)
	if !ok || len(data) != 2 {
		return 0, false
	}
	return Codes(data).At(0), true
}

// Downgrade tells what the last bytes of the random warn of (RFC 8446 4.1.3): a
// server of TLS 1.3 that was asked for TLS 1.2, or for something older. It is 0
// without the warning, else the highest version that the random admits.
func (m *ServerHello) Downgrade() uint16 {
	if len(m.Random) != RandomSize || string(m.Random[24:31]) != "DOWNGRD" {
		return 0
	}
	switch m.Random[31] {
	case 0:
		return VersionTLS11
	case 1:
		return VersionTLS12
	}
	return 0
}

// Check reads the inside of the extensions that have a form here, and returns
// the first error.
func (m *ServerHello) Check() error {
	for ext, rest, ok := m.Extensions.Next(); ok; ext, rest, ok = rest.Next() {
		if err := m.checkAnswer(ext); err != nil {
			return err
		}
	}
	return nil
}

func (m *ServerHello) checkAnswer(ext Extension) (err error) {
	switch ext.Type {
	case ExtSupportedVersions, ExtPreSharedKey:
		if len(ext.Data) != 2 {
			err = &Error{What: ext.Type.String(), Reason: "must have 2 bytes in a ServerHello"}
		}
	case ExtKeyShare, ExtKeyShareDraft:
		_, err = m.parseShare(ext.Data)
	case ExtALPN:
		_, err = ParseProtocolNames(ext.Data)
	case ExtCookie:
		_, err = ParseCookie(ext.Data)
	default:
	}
	return err
}
