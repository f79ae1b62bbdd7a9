package capture

import (
	"cmp"
	"fmt"
	"io"
	"time"

	"github.com/gopacket/gopacket"
)

// Packet is an IP packet as it was seen.
type Packet struct {
	Time time.Time // 1970 or later
	Data []byte
}

// WritePackets writes packets that were seen as a pcapng file of raw IP packets with
// times in nanoseconds. The point is where they were seen, for the file's interface:
// "client". The command is what recorded them. Errors are those of w, and a packet
// from before 1970.
func WritePackets(w io.Writer, packets []Packet, point, command string) error {
	out, err := newWriter(w, point, fmt.Sprintf("%s: packets of an emulated link, as the %s sent and received them.", cmp.Or(command, "shakedown"), point))
	if err != nil {
		return fmt.Errorf("capture: %w", err)
	}
	for i, p := range packets {
		if p.Time.Unix() < 0 {
			return fmt.Errorf("capture: packet %d is from %s, and a capture file counts from 1970", i, p.Time.Format(time.DateTime))
		}
		info := gopacket.CaptureInfo{Timestamp: p.Time, CaptureLength: len(p.Data), Length: len(p.Data)}
		if err := out.WritePacket(info, p.Data); err != nil {
			return fmt.Errorf("capture: packet %d: %w", i, err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("capture: %w", err)
	}
	return nil
}
