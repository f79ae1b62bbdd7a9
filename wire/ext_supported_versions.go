package wire

import "shakedown/wire/internal/codec"

// ParseSupportedVersions reads the data of supported_versions in a ClientHello
// (RFC 8446 4.2.1). In a ServerHello it is one code point, see
// [ServerHello.Chosen].
func ParseSupportedVersions(data []byte) (Codes, error) {
	if data == nil {
		return nil, nil
	}
	r := codec.Reader{What: "supported_versions", All: data}
	versions := codes8(&r)
	return versions, r.Done()
}

// AppendSupportedVersions writes the data of supported_versions in a ClientHello.
func AppendSupportedVersions(dst []byte, versions ...uint16) []byte {
	return AppendCodes(append(dst, byte(2*len(versions))), versions...)
}
