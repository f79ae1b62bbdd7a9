package wire

import "shakedown/wire/internal/codec"

// ParseCookie reads the data of the cookie extension of TLS 1.3 and DTLS 1.3
// (RFC 8446 4.2.2).
func ParseCookie(data []byte) ([]byte, error) {
	r := codec.Reader{What: "cookie", All: data}
	cookie := r.Vector16()
	return cookie, r.Done()
}
