package wire

import "shakedown/wire/internal/codec"

// hostName is the only name type of server_name (RFC 6066 3).
const hostName = 0

// ParseServerName reads the data of server_name in a ClientHello and returns the
// host name. The answer of a server is empty, and so is the name then.
func ParseServerName(data []byte) ([]byte, error) {
	if len(data) == 0 {
		return nil, nil
	}
	outer := codec.Reader{What: "server_name", All: data}
	list := codec.Reader{What: "server_name", All: outer.Vector16()}
	if err := outer.Done(); err != nil {
		return nil, err
	}
	for list.Left() > 0 {
		kind, name := list.U8(), list.Vector16()
		if kind == hostName && name != nil {
			return name, nil
		}
	}
	return nil, list.Err()
}

// AppendServerName writes the data of server_name with one host name.
func AppendServerName(dst []byte, name string) []byte {
	dst, at := reserve16(dst)
	dst = codec.Append16(append(dst, hostName), uint16(len(name)))
	return close16(append(dst, name...), at)
}
