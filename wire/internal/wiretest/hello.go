package wiretest

import (
	"bytes"
	"slices"

	"shakedown/wire/internal/codec"
)

// The hellos here are bodies of ClientHellos, written without the parsers that they
// are for. With a cookie that is not nil a hello is one of DTLS.

// SmallHello offers one suite and TLS 1.3.
func SmallHello(cookie []byte) []byte {
	return hello(7, cookie, []uint16{0x1301}, extension{43, "\x02\x03\x04"})
}

// ChromeHello is the hello that the description of JA4 has as its example, GREASE
// thrown in.
func ChromeHello() []byte { return hello(0, nil, chromeSuites, chromeExtensions...) }

// LargeHello is the same with a share of X25519MLKEM768 at its end: too large for one
// packet.
func LargeHello(cookie []byte) []byte {
	share := extension{51, "\x04\xc4\x11\xec\x04\xc0" + string(make([]byte, 1216))}
	return hello(0, cookie, chromeSuites, append(slices.Clone(chromeExtensions), share)...)
}

// extension is a type and the data.
type extension struct {
	code uint16
	data string
}

var chromeSuites = []uint16{
	0xAAAA, 0x1301, 0x1302, 0x1303, 0xC02B, 0xC02F, 0xC02C, 0xC030,
	0xCCA9, 0xCCA8, 0xC013, 0xC014, 0x009C, 0x009D, 0x002F, 0x0035,
}

var chromeExtensions = []extension{
	{0x4A4A, ""},
	{27, "\x02\x00\x02"},                   // compress_certificate: brotli
	{0, "\x00\x0e\x00\x00\x0bexample.org"}, // server_name
	{51, "\x00\x29\x3a\x3a\x00\x01\x00\x00\x1d\x00\x20" + string(make([]byte, 32))}, // key_share: GREASE, x25519
	{16, "\x00\x0c\x02h2\x08http/1.1"},                                              // ALPN
	{0x4469, ""},                                                                    // application_settings
	{23, ""},                                                                        // extended_master_secret
	{45, "\x01\x01"},                                                                // psk_key_exchange_modes
	{13, "\x00\x10\x04\x03\x08\x04\x04\x01\x05\x03\x08\x05\x05\x01\x08\x06\x06\x01"}, // signature_algorithms
	{5, ""},                              // status_request
	{35, ""},                             // session_ticket
	{18, ""},                             // signed_certificate_timestamp
	{43, "\x06\x2a\x2a\x03\x04\x03\x03"}, // supported_versions: GREASE, 1.3, 1.2
	{0xFF01, ""},                         // renegotiation_info
	{11, ""},                             // ec_point_formats
	{10, "\x00\x08\x3a\x3a\x00\x1d\x00\x17\x00\x18"}, // supported_groups
	{0x5A5A, ""},
	{21, ""}, // padding
}

// hello writes a body with a random of one byte over and over.
func hello(random byte, cookie []byte, suites []uint16, extensions ...extension) []byte {
	b := append([]byte{3, 3}, bytes.Repeat([]byte{random}, 32)...)
	b = append(b, 0) // no session identifier
	if cookie != nil {
		b = codec.AppendVector8(b, cookie)
	}
	b = codec.Append16(b, uint16(2*len(suites)))
	for _, suite := range suites {
		b = codec.Append16(b, suite)
	}
	b = append(b, 1, 0) // no compression
	var list []byte
	for _, e := range extensions {
		list = codec.AppendVector16(codec.Append16(list, e.code), []byte(e.data))
	}
	return codec.AppendVector16(b, list)
}
