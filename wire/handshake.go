package wire

import (
	"fmt"

	"shakedown/wire/internal/codec"
)

// HandshakeType names a handshake message (IANA "TLS HandshakeType").
type HandshakeType uint8

// The handshake types.
const (
	TypeHelloRequest          HandshakeType = 0 // up to TLS 1.2
	TypeClientHello           HandshakeType = 1
	TypeServerHello           HandshakeType = 2 // HelloRetryRequest too, see [ServerHello]
	TypeHelloVerifyRequest    HandshakeType = 3 // DTLS up to 1.2
	TypeNewSessionTicket      HandshakeType = 4
	TypeEndOfEarlyData        HandshakeType = 5
	TypeHelloRetryRequest     HandshakeType = 6 // drafts of TLS 1.3 before 22
	TypeEncryptedExtensions   HandshakeType = 8
	TypeRequestConnectionID   HandshakeType = 9  // DTLS 1.3
	TypeNewConnectionID       HandshakeType = 10 // DTLS 1.3
	TypeCertificate           HandshakeType = 11
	TypeServerKeyExchange     HandshakeType = 12
	TypeCertificateRequest    HandshakeType = 13
	TypeServerHelloDone       HandshakeType = 14
	TypeCertificateVerify     HandshakeType = 15
	TypeClientKeyExchange     HandshakeType = 16
	TypeFinished              HandshakeType = 20
	TypeCertificateURL        HandshakeType = 21 // RFC 6066
	TypeCertificateStatus     HandshakeType = 22 // RFC 6066
	TypeSupplementalData      HandshakeType = 23 // RFC 4680
	TypeKeyUpdate             HandshakeType = 24
	TypeCompressedCertificate HandshakeType = 25  // RFC 8879
	TypeMessageHash           HandshakeType = 254 // only in hashes (RFC 8446 4.4.1)
)

// handshakeNames spells the types as the RFCs do.
var handshakeNames = map[HandshakeType]string{
	TypeHelloRequest: "HelloRequest", TypeClientHello: "ClientHello", TypeServerHello: "ServerHello",
	TypeHelloVerifyRequest: "HelloVerifyRequest", TypeNewSessionTicket: "NewSessionTicket",
	TypeEndOfEarlyData: "EndOfEarlyData", TypeHelloRetryRequest: "HelloRetryRequest",
	TypeEncryptedExtensions: "EncryptedExtensions", TypeRequestConnectionID: "RequestConnectionId",
	TypeNewConnectionID: "NewConnectionId", TypeCertificate: "Certificate",
	TypeServerKeyExchange: "ServerKeyExchange", TypeCertificateRequest: "CertificateRequest",
	TypeServerHelloDone: "ServerHelloDone", TypeCertificateVerify: "CertificateVerify",
	TypeClientKeyExchange: "ClientKeyExchange", TypeFinished: "Finished",
	TypeCertificateURL: "CertificateURL", TypeCertificateStatus: "CertificateStatus",
	TypeSupplementalData: "SupplementalData", TypeKeyUpdate: "KeyUpdate",
	TypeCompressedCertificate: "CompressedCertificate", TypeMessageHash: "MessageHash",
}

// String returns the name, or "handshake type 99".
func (t HandshakeType) String() string {
	if name, ok := handshakeNames[t]; ok {
		return name
	}
	return fmt.Sprintf("handshake type %d", uint8(t))
}

// HandshakeHeader is the length in bytes of type and length in front of a body.
const HandshakeHeader = 4

// Handshake is one handshake message of TLS or QUIC. Raw is the whole message,
// Body what follows its header.
type Handshake struct {
	Type HandshakeType
	Body []byte
	Raw  []byte
}

// NextHandshake reads the message at the start of b and returns what follows it.
// The error is [ErrIncomplete] while bytes are missing.
func NextHandshake(b []byte) (m Handshake, rest []byte, err error) {
	if len(b) < HandshakeHeader {
		return m, b, ErrIncomplete
	}
	m.Type = HandshakeType(b[0])
	end := HandshakeHeader + codec.U24(b[1:])
	if len(b) < end {
		return m, b, ErrIncomplete
	}
	m.Raw, m.Body = b[:end:end], b[HandshakeHeader:end:end]
	return m, b[end:], nil
}

// Message is a handshake message that can be written.
type Message interface {
	Type() HandshakeType
	Append(dst []byte) []byte // the body
}

// AppendMessage writes a message with its header of 4 bytes.
func AppendMessage(dst []byte, m Message) []byte {
	at := len(dst)
	dst = m.Append(append(dst, byte(m.Type()), 0, 0, 0))
	codec.Append24(dst[:at+1], len(dst)-at-HandshakeHeader)
	return dst
}
