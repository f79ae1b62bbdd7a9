package wire

import "fmt"

// ParseCertificateCompression reads the data of compress_certificate: the
// algorithms that the sender can undo (RFC 8879 3).
func ParseCertificateCompression(data []byte) (Codes, error) {
	r := reader{what: "compress_certificate", all: data}
	algorithms := r.codes8()
	return algorithms, r.done()
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
