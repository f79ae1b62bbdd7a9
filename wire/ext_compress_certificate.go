package wire

import (
	"fmt"

	"shakedown/wire/internal/codec"
)

// ParseCertificateCompression reads the data of compress_certificate: the
// algorithms that the sender can undo (RFC 8879 3).
func ParseCertificateCompression(data []byte) (Codes, error) {
	r := codec.Reader{What: "compress_certificate", All: data}
	algorithms := codes8(&r)
	return algorithms, r.Done()
}

// CompressionName returns "zlib", "brotli", "zstd" or "algorithm 99".
func CompressionName(algorithm uint16) string {
	switch algorithm {
	case 1:
		return "zlib"
	case 2:
		return "brotli"
	case 3:
		return "zstd"
	}
	return fmt.Sprintf("algorithm %d", algorithm)
}
