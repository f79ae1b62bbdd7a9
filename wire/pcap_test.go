package wire_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// This file reads the UDP datagrams of a capture: as much of pcap, pcapng and the
// layers below UDP as the public captures with DTLS and QUIC have.

// datagram is one UDP datagram; frame counts the packets of the file from 1.
type datagram struct {
	frame    int
	src, dst string
	data     []byte
}

// sharedCaptures is the directory of the public captures with known answers: where
// the environment says, else in a folder `shared` beside a directory above.
func sharedCaptures(tb testing.TB) string {
	tb.Helper()
	tried := []string{os.Getenv("SHAKEDOWN_CAPTURES")}
	for up := ".."; len(up) < 30; up += "/.." {
		tried = append(tried, filepath.Join(up, "shared", "captures"), filepath.Join(up, "testdata", "captures"))
	}
	for _, dir := range tried {
		if _, err := os.Stat(filepath.Join(dir, "expected.json")); dir != "" && err == nil {
			return dir
		}
	}
	tb.Skip("no captures: set SHAKEDOWN_CAPTURES to their directory")
	return ""
}

// readDatagrams returns what could be read before the end or the damage.
func readDatagrams(tb testing.TB, path string) (out []datagram) {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	if unzip, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
		if data, err = io.ReadAll(unzip); err != nil {
			tb.Fatal(err)
		}
	}
	frame := 0
	eachPacket(data, func(link uint32, packet []byte) {
		frame++
		if d, ok := toDatagram(toIP(link, packet)); ok {
			d.frame = frame
			out = append(out, d)
		}
	})
	return out
}

func eachPacket(data []byte, yield func(link uint32, packet []byte)) {
	if len(data) < 24 {
		return
	}
	little, big := binary.LittleEndian.Uint32(data), binary.BigEndian.Uint32(data)
	switch {
	case big == 0x0A0D0D0A:
		eachBlock(data, yield)
	case little == 0xA1B2C3D4, little == 0xA1B23C4D:
		eachRecord(data, binary.LittleEndian, 16, yield)
	case little == 0xA1B2CD34:
		eachRecord(data, binary.LittleEndian, 24, yield)
	case big == 0xA1B2C3D4, big == 0xA1B23C4D:
		eachRecord(data, binary.BigEndian, 16, yield)
	}
}

func eachRecord(data []byte, order binary.ByteOrder, header int, yield func(uint32, []byte)) {
	link := order.Uint32(data[20:]) & 0xFFFF
	for data = data[24:]; len(data) >= header; {
		end := header + int(order.Uint32(data[8:]))
		if end > len(data) {
			return
		}
		yield(link, data[header:end])
		data = data[end:]
	}
}

func eachBlock(data []byte, yield func(uint32, []byte)) {
	order, links := binary.ByteOrder(binary.LittleEndian), []uint32{}
	for len(data) >= 12 {
		kind := order.Uint32(data)
		if kind == 0x0A0D0D0A {
			order, links = binary.LittleEndian, nil
			if binary.BigEndian.Uint32(data[8:]) == 0x1A2B3C4D {
				order = binary.BigEndian
			}
		}
		size := int(order.Uint32(data[4:]))
		if size < 12 || size > len(data) {
			return
		}
		body := data[8 : size-4]
		data = data[size:]
		switch {
		case kind == 1 && len(body) >= 8:
			links = append(links, uint32(order.Uint16(body)))
		case kind == 6 && len(body) >= 20:
			iface, n := order.Uint32(body), int(order.Uint32(body[12:]))
			if int(iface) < len(links) && n <= len(body)-20 {
				yield(links[iface], body[20:20+n])
			}
		case kind == 3 && len(body) >= 4 && len(links) > 0:
			n := min(int(order.Uint32(body)), len(body)-4)
			yield(links[0], body[4:4+n])
		}
	}
}

// toIP takes the link layer off, nil where there is no IP behind it.
func toIP(link uint32, p []byte) []byte {
	header, ok := map[uint32]int{0: 4, 108: 4, 9: 2, 1: 14, 113: 16, 276: 20, 101: 0, 12: 0, 14: 0, 228: 0, 229: 0}[link]
	if link == 9 && len(p) > 2 && p[0] == 0xFF && p[1] == 3 {
		header = 4
	}
	if link == 1 {
		for len(p) >= header+4 && (p[header-2] == 0x81 && p[header-1] == 0 || p[header-2] == 0x88 && p[header-1] == 0xA8) {
			header += 4
		}
	}
	if !ok || len(p) <= header {
		return nil
	}
	return p[header:]
}

func toDatagram(ip []byte) (d datagram, ok bool) {
	var src, dst net.IP
	var udp []byte
	switch {
	case len(ip) >= 20 && ip[0]>>4 == 4 && ip[9] == 17 && binary.BigEndian.Uint16(ip[6:])&0x3FFF == 0:
		src, dst = ip[12:16], ip[16:20]
		udp = ip[min(4*int(ip[0]&15), len(ip)):]
	case len(ip) >= 40 && ip[0]>>4 == 6 && ip[6] == 17:
		src, dst, udp = ip[8:24], ip[24:40], ip[40:]
	}
	if len(udp) < 8 {
		return d, false
	}
	port := func(at int) string { return strconv.Itoa(int(binary.BigEndian.Uint16(udp[at:]))) }
	d.src, d.dst = net.JoinHostPort(src.String(), port(0)), net.JoinHostPort(dst.String(), port(2))
	d.data = udp[8:min(max(int(binary.BigEndian.Uint16(udp[4:])), 8), len(udp))]
	return d, true
}
