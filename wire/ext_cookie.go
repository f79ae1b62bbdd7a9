package wire

// ParseCookie reads the data of the cookie extension of TLS 1.3 and DTLS 1.3
// (RFC 8446 4.2.2).
func ParseCookie(data []byte) ([]byte, error) {
	r := reader{what: "cookie", all: data}
	cookie := r.vector16()
	return cookie, r.done()
}
