package capture

import (
	"fmt"
	"net/netip"
	"strings"
	"time"

	"shakedown/wire/transcript"
)

// Conversation is one TCP connection as the byte streams that a relay saw.
type Conversation struct {
	Client, Server netip.AddrPort
	Began          time.Time          // 1970 or later
	Chunks         []transcript.Chunk // times are since Began
	Ended          time.Duration      // since Began; the last chunk's time where that is later
}

// check says what cannot be written.
func (c Conversation) check() error {
	for side, a := range []netip.AddrPort{c.Client, c.Server} {
		if !a.IsValid() {
			return fmt.Errorf("the %s has no address", transcript.Side(side))
		}
	}
	if ends := c.ends(); ends[0] == ends[1] {
		return fmt.Errorf("client and server are both %s: nothing tells their packets apart", c.Client)
	}
	if c.Began.Unix() < 0 {
		return fmt.Errorf("it began at %s, and a capture file counts from 1970", c.Began.Format(time.DateTime))
	}
	for i, chunk := range c.Chunks {
		if chunk.From > transcript.Server || chunk.Time < 0 {
			return fmt.Errorf("chunk %d: from %d at %s is neither a side nor a time since the beginning", i, chunk.From, chunk.Time)
		}
	}
	return nil
}

// end is when the conversation ended: not before its last byte was seen.
func (c Conversation) end() time.Duration {
	end := max(c.Ended, 0)
	for _, chunk := range c.Chunks {
		end = max(end, chunk.Time)
	}
	return end
}

// ends returns client and server as packets have them, without zones and in one
// family: where they have two, IPv4 is written as IPv4-mapped IPv6 (RFC 4291
// 2.5.5.2).
func (c Conversation) ends() [2]netip.AddrPort {
	client, server := c.Client.Addr().Unmap(), c.Server.Addr().Unmap()
	if client.Is4() != server.Is4() {
		client, server = netip.AddrFrom16(client.As16()), netip.AddrFrom16(server.As16())
	}
	return [2]netip.AddrPort{
		netip.AddrPortFrom(client.WithZone(""), c.Client.Port()),
		netip.AddrPortFrom(server.WithZone(""), c.Server.Port()),
	}
}

// MaxMSS is the largest MSS in bytes: what an IPv4 packet holds beside headers of
// 20 bytes each.
const MaxMSS = 65535 - 20 - 20

// Options say how a conversation is written.
type Options struct {
	// MSS is the most payload in a segment, in bytes, from 1 to [MaxMSS]; 0 is what
	// Ethernet carries: 1460 with IPv4, 1440 with IPv6.
	MSS int
	// Command is what made the recording, for the file's comment:
	// "shakedown trace go openssl".
	Command string
}

// mss returns the MSS for a family in bytes.
func (o Options) mss(ip4 bool) (int, error) {
	switch {
	case o.MSS < 0 || o.MSS > MaxMSS:
		return 0, fmt.Errorf("an MSS of %d bytes is not from 1 to %d", o.MSS, MaxMSS)
	case o.MSS > 0:
		return o.MSS, nil
	case ip4:
		return 1460, nil
	default:
		return 1440, nil
	}
}

// maxCommand bounds the command in the comment in bytes, whose length has 16 bits.
const maxCommand = 4096

// comment tells a reader of the file what in it was seen and what was not.
func (o Options) comment(mss int) string {
	command := o.Command
	if len(command) > maxCommand {
		command = command[:maxCommand] + " ..."
	}
	if command == "" {
		command = "shakedown"
	}
	return fmt.Sprintf("%s: composed from the byte streams of a relay, which sees no packets. "+
		"Seen: each byte, its direction, and when the relay read it. "+
		"Composed: connect and close, segments (MSS %d), sequence numbers, acknowledgements, all of IP and TCP that is not an address or a port.",
		strings.ToValidUTF8(command, "?"), mss)
}
