package capture

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gopacket/gopacket/layers"
)

// raw are the packets of a conversation, as another file has them.
func raw(t *testing.T, c Conversation) (all []Packet) {
	t.Helper()
	reader := open(t, written(t, c, Options{}))
	for {
		data, info, err := reader.ReadPacketData()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, Packet{Time: info.Timestamp, Data: data})
	}
}

// TestPacketsAreRead: times to the nanosecond, bytes, interface and comment.
func TestPacketsAreRead(t *testing.T) {
	for _, ip6 := range []bool{false, true} {
		want := raw(t, talk(ip6, 1, 1461, 70000))
		for i := range want {
			want[i].Time = began.Add(time.Duration(i*i) * 1234567)
		}
		want = append(want, Packet{Time: time.Unix(0, 1), Data: want[0].Data}, // out of order, just after 1970
			Packet{Time: time.Date(2100, 1, 1, 0, 0, 0, 999999999, time.FixedZone("", 3600)), Data: bytes.Repeat([]byte{0x45}, 65535)})
		var file bytes.Buffer
		if err := WritePackets(&file, want, "client", "shakedown trace go go --link lte-m"); err != nil {
			t.Fatal(err)
		}
		reader := open(t, file.Bytes())
		for i, w := range want {
			data, info, err := reader.ReadPacketData()
			if err != nil || !info.Timestamp.Equal(w.Time) || !bytes.Equal(data, w.Data) || info.Length != len(w.Data) || info.CaptureLength != len(w.Data) {
				t.Fatalf("packet %d: %v, %s of %d bytes, want %s of %d", i, err, info.Timestamp, len(data), w.Time, len(w.Data))
			}
		}
		if _, _, err := reader.ReadPacketData(); !errors.Is(err, io.EOF) {
			t.Errorf("behind the last packet: %v", err)
		}
		point, err := reader.Interface(0)
		if err != nil || point.Name != "client" || point.LinkType != layers.LinkTypeRaw || point.SnapLength != 0 || reader.NInterfaces() != 1 {
			t.Errorf("interface %+v of %d, %v", point, reader.NInterfaces(), err)
		}
		section := reader.SectionInfo()
		if section.Application != "shakedown" || section.Comment != "shakedown trace go go --link lte-m: packets of an emulated link, as the client sent and received them." {
			t.Errorf("section %+v", section)
		}
	}
}

// TestNoPackets: a file without packets is a file, and says who wrote it.
func TestNoPackets(t *testing.T) {
	var file bytes.Buffer
	if err := WritePackets(&file, nil, "server", ""); err != nil {
		t.Fatal(err)
	}
	reader := open(t, file.Bytes())
	if _, _, err := reader.ReadPacketData(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	if comment := reader.SectionInfo().Comment; comment != "shakedown: packets of an emulated link, as the server sent and received them." {
		t.Errorf("comment %q", comment)
	}
}

// TestPacketsFromBefore1970 are refused.
func TestPacketsFromBefore1970(t *testing.T) {
	for _, at := range []time.Time{{}, time.Unix(0, -1), time.Date(1969, 12, 31, 23, 59, 59, 0, time.UTC)} {
		err := WritePackets(io.Discard, []Packet{{Time: began}, {Time: at}}, "client", "")
		if err == nil || !strings.HasPrefix(err.Error(), "capture: packet 1 is from ") || !strings.HasSuffix(err.Error(), "1970") {
			t.Errorf("%s: %v", at, err)
		}
	}
	if err := WritePackets(io.Discard, []Packet{{Time: time.Unix(0, 0)}}, "client", ""); err != nil {
		t.Error(err)
	}
}

// TestPacketWriterFails: whatever part of the file cannot be written is told.
func TestPacketWriterFails(t *testing.T) {
	all := raw(t, talk(false, 10000))
	var whole bytes.Buffer
	if err := WritePackets(&whole, all, "client", ""); err != nil {
		t.Fatal(err)
	}
	for room := 0; room < whole.Len(); room += 97 {
		if err := WritePackets(&full{room: room}, all, "client", ""); !errors.Is(err, errFull) || !strings.HasPrefix(err.Error(), "capture: ") {
			t.Errorf("after %d bytes: %v", room, err)
		}
	}
}

// TestWiresharkReadsPackets: tshark reads times, and decrypts a handshake, out of
// packets as they were seen.
func TestWiresharkReadsPackets(t *testing.T) {
	for _, host := range []string{"127.0.0.1", "::1"} {
		r := record(t, host, tls.VersionTLS13)
		all := raw(t, r.Conversation)
		s := shown(t, func(w io.Writer) error { return WritePackets(w, all, "client", "") })
		s.clean(t)
		as := fmt.Sprintf("tcp.port==%d,tls", r.Server.Port())
		if got, want := s.messages(t, r.Conversation, "-o", r.keyFile(t, s), "-d", as), r.read(t); got != want {
			t.Errorf("tshark shows\n%swe read\n%s", got, want)
		}
		lines := s.run(t, "-T", "fields", "-e", "frame.time_epoch", "-e", "frame.interface_name", "-e", "frame.len")
		if len(lines) != len(all) {
			t.Fatalf("tshark shows %d packets of %d", len(lines), len(all))
		}
		for i, p := range all {
			if want := fmt.Sprintf("%d.%09d\tclient\t%d", p.Time.Unix(), p.Time.Nanosecond(), len(p.Data)); lines[i] != want {
				t.Errorf("packet %d: %q, want %q", i, lines[i], want)
			}
		}
	}
}
