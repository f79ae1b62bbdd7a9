package wire

// ParseRecordSizeLimit reads the data of record_size_limit: the largest plain
// record in bytes that the sender takes (RFC 8449 4).
func ParseRecordSizeLimit(data []byte) (uint16, error) {
	r := reader{what: "record_size_limit", all: data}
	limit := r.u16()
	if limit < 64 {
		r.fail(0, "limit is below 64 bytes")
	}
	return limit, r.done()
}
