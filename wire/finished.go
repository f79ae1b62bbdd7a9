package wire

// Finished ends the handshake of one side: a hash over all messages before it (RFC
// 8446 4.4.4, RFC 5246 7.4.9).
type Finished struct {
	VerifyData []byte // 12 bytes up to TLS 1.2, the size of the hash in TLS 1.3
}

// Type returns TypeFinished.
func (*Finished) Type() HandshakeType { return TypeFinished }

// Parse keeps the body.
func (m *Finished) Parse(body []byte) error {
	if len(body) == 0 {
		return &Error{What: "Finished", Reason: "verify_data " + reasonEmpty}
	}
	m.VerifyData = body
	return nil
}

// Append writes the body.
func (m *Finished) Append(dst []byte) []byte { return append(dst, m.VerifyData...) }
