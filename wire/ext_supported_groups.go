package wire

import "shakedown/wire/internal/codec"

// ParseSupportedGroups reads the data of supported_groups (RFC 8446 4.2.7),
// called elliptic_curves before (RFC 8422 5.1.1).
func ParseSupportedGroups(data []byte) (Codes, error) {
	return parseCodes16("supported_groups", data)
}

// ParseSignatureAlgorithms reads the data of signature_algorithms and of
// signature_algorithms_cert (RFC 8446 4.2.3).
func ParseSignatureAlgorithms(data []byte) (Codes, error) {
	return parseCodes16("signature_algorithms", data)
}

// AppendCodeList writes the data of supported_groups or signature_algorithms: the
// code points with their length of 2 bytes.
func AppendCodeList(dst []byte, codes ...uint16) []byte {
	return AppendCodes(codec.Append16(dst, uint16(2*len(codes))), codes...)
}

func parseCodes16(what string, data []byte) (Codes, error) {
	if data == nil {
		return nil, nil
	}
	r := codec.Reader{What: what, All: data}
	codes := codes16(&r)
	return codes, r.Done()
}
