package wire

import "shakedown/wire/internal/codec"

// ParseEarlyData reads the data of early_data in a NewSessionTicket: the most
// bytes of 0-RTT data that the server takes (RFC 8446 4.2.10). In a ClientHello
// and in EncryptedExtensions the extension is empty and its presence is all.
func ParseEarlyData(data []byte) (maxSize uint32, err error) {
	r := codec.Reader{What: "early_data", All: data}
	maxSize = r.U32()
	return maxSize, r.Done()
}
