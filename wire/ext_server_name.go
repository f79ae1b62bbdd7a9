package wire

// hostName is the only name type of server_name (RFC 6066 3).
const hostName = 0

// ParseServerName reads the data of server_name in a ClientHello and returns the
// host name. The answer of a server is empty, and so is the name then.
func ParseServerName(data []byte) ([]byte, error) {
	if len(data) == 0 {
		return nil, nil
	}
	outer := reader{what: "server_name", all: data}
	list := reader{what: "server_name", all: outer.vector16()}
	if err := outer.done(); err != nil {
		return nil, err
	}
	for list.left() > 0 {
		kind, name := list.u8(), list.vector16()
		if kind == hostName && name != nil {
			return name, nil
		}
	}
	return nil, list.err()
}

// AppendServerName writes the data of server_name with one host name.
func AppendServerName(dst []byte, name string) []byte {
	dst, at := reserve16(dst)
	dst = append16(append(dst, hostName), uint16(len(name)))
	return close16(append(dst, name...), at)
}
