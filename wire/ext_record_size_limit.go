package wire

import "shakedown/wire/internal/codec"

// ParseRecordSizeLimit reads the data of record_size_limit: the largest plain
// record in bytes that the sender takes (RFC 8449 4).
func ParseRecordSizeLimit(data []byte) (uint16, error) {
	r := codec.Reader{What: "record_size_limit", All: data}
	limit := r.U16()
	if limit < 64 {
		r.Fail(0, "limit is below 64 bytes")
	}
	return limit, r.Done()
}
