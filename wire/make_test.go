package wire

import "bytes"

// smallClientHello makes the body of a hello of one suite; with a cookie it is
// one of DTLS.
func smallClientHello(cookie []byte) []byte {
	m := ClientHello{
		Version: VersionTLS12, Random: bytes.Repeat([]byte{7}, 32), Cookie: cookie,
		Suites: AppendCodes(nil, 0x1301), Compressions: []byte{0},
		Extensions: Extensions(Extension{ExtSupportedVersions, AppendSupportedVersions(nil, VersionTLS13)}.Append(nil)),
	}
	return m.Append(nil)
}

func smallServerHello(version uint16) []byte {
	m := ServerHello{Version: version, Random: retryRandom, Suite: 0x1301}
	m.Extensions = Extensions(Extension{ExtKeyShare, []byte{0, 0x1D}}.Append(nil))
	return m.Append(nil)
}

// chromeLike makes the body of the hello that the description of JA4 has as its
// example, GREASE thrown in.
func chromeLike() []byte {
	m := ClientHello{Version: VersionTLS12, Random: make([]byte, 32), Compressions: []byte{0}}
	m.Suites = AppendCodes(nil, 0xAAAA, 0x1301, 0x1302, 0x1303, 0xC02B, 0xC02F, 0xC02C, 0xC030,
		0xCCA9, 0xCCA8, 0xC013, 0xC014, 0x009C, 0x009D, 0x002F, 0x0035)
	data := map[ExtensionType][]byte{
		ExtServerName:          AppendServerName(nil, "example.org"),
		ExtALPN:                AppendProtocolNames(nil, "h2", "http/1.1"),
		ExtSupportedVersions:   AppendSupportedVersions(nil, 0x2A2A, VersionTLS13, VersionTLS12),
		ExtSignatureAlgorithms: AppendCodeList(nil, 0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601),
		ExtKeyShare:            AppendKeyShares(nil, KeyShare{0x3A3A, []byte{0}}, KeyShare{0x001D, make([]byte, 32)}),
		ExtSupportedGroups:     AppendCodeList(nil, 0x3A3A, 0x001D, 0x0017, 0x0018),
		ExtCompressCertificate: []byte("\x02\x00\x02"),
		ExtPSKModes:            []byte("\x01\x01"),
	}
	var list []byte
	for _, t := range []ExtensionType{
		0x4A4A, 0x001B, 0, 0x0033, 0x0010, 0x4469, 0x0017, 0x002D, 0x000D, 0x0005,
		0x0023, 0x0012, 0x002B, 0xFF01, 0x000B, 0x000A, 0x5A5A, 0x0015,
	} {
		list = Extension{t, data[t]}.Append(list)
	}
	m.Extensions = list
	return m.Append(nil)
}
