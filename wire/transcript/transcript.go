package transcript

import (
	"fmt"
	"time"

	"shakedown/spec"
	"shakedown/wire"
	"shakedown/wire/protect"
)

// Side is one end of a connection.
type Side uint8

// The sides.
const (
	Client Side = iota
	Server
)

// String returns "client" or "server".
func (s Side) String() string {
	if s == Server {
		return "server"
	}
	return "client"
}

// Chunk is a piece of the stream that a side sent, as it was seen.
type Chunk struct {
	From Side
	Time time.Duration // since any moment, the same for all chunks
	Sent time.Duration // when it left its sender, where that was seen; 0: as Time
	Data []byte
}

// Connection is what was recorded of one TLS connection, from its first byte of
// TLS on.
type Connection struct {
	Chunks []Chunk         // in the order in which they were seen
	Keys   *protect.KeyLog // nil for none
	Limit  int             // largest handshake message in bytes; 0 is [wire.DefaultLimit]
}

// Epoch says which keys protect a record.
type Epoch string

// The epochs.
const (
	Clear       Epoch = "clear"
	Early       Epoch = "early"       // 0-RTT, TLS 1.3
	Handshake   Epoch = "handshake"   // TLS 1.3
	Application Epoch = "application" // TLS 1.3; in TLS 1.2 all that follows ChangeCipherSpec
	Closed      Epoch = "closed"      // encrypted, and no key opened it
)

// Entry is one message, or one record that is not a handshake message.
type Entry struct {
	From    Side
	Content wire.ContentType   // of what the record carries; of the record itself when Closed
	Type    wire.HandshakeType // of handshake messages
	Name    string             // "ClientHello", "HelloRetryRequest", "alert close_notify", "application data"
	Epoch   Epoch
	Message []byte // as it is when opened, header included; nil when Closed

	Size    int           // of the message in bytes, header included
	Wire    int           // bytes on the wire; what several messages share counts for the first
	Records int           // records that carry a part of it
	Shared  bool          // one of them carries another message too
	Start   int           // where its first record begins in the sender's stream
	End     int           // where its last record ends
	Seen    time.Duration // when its first byte was seen, or sent where the chunks tell
	Time    time.Duration // when its last byte was seen

	Counted bool // one of the Messages
	Post    bool // a handshake message after, or beside, the handshake
	Flight  int  // from 1; 0 for what is in no flight
}

// Transcript is what happened on a connection, as the wire shows it.
type Transcript struct {
	Entries []Entry

	// Messages counts handshake messages, and ChangeCipherSpec up to TLS 1.2.
	// Tickets of TLS 1.3 and what follows the handshake is in Post.
	Messages, Post int
	Flights        int
	// RoundTrips are those before the client may send application data, the TCP
	// connect left out.
	RoundTrips int
	// The bytes of each side up to the record with its last counted message.
	ClientBytes, ServerBytes int
	// EarlyBytes are the wire bytes of 0-RTT data among ClientBytes.
	EarlyBytes int

	HelloRetry bool
	Complete   bool       // both sides were seen to finish
	Opaque     int        // records that stayed closed
	Problem    string     // what is wrong with the streams, the first of it; "" for nothing
	Proof      spec.Proof // what the wire shows of what was negotiated
}

// PaperMessages counts as papers do that leave EndOfEarlyData out, which RFC 8446
// 4.5 has: five messages of a 0-RTT resumption where Messages is six.
func (t *Transcript) PaperMessages() int {
	n := t.Messages
	for i := range t.Entries {
		if t.Entries[i].Type == wire.TypeEndOfEarlyData && t.Entries[i].Counted {
			n--
		}
	}
	return n
}

// maxEntries bounds the memory that a hostile peer can ask for.
const maxEntries = 1 << 16

// Read reads a connection, in time and memory that grow with its bytes and no faster.
// It always returns what could be read; Problem tells where the streams are no TLS,
// are cut, break the order of messages or ask for more than the limits. A handshake
// that just stops, or ends with an alert, has no Problem and is not Complete.
func Read(c Connection) *Transcript {
	r := &reader{chunks: c.Chunks, keys: c.Keys, out: &Transcript{}}
	r.data = [2][]byte{join(c.Chunks, Client), join(c.Chunks, Server)}
	r.learn(c.Limit)
	if r.tls13() {
		r.keys13()
	}
	for side := range r.sides {
		r.sides[side].joiner.Limit = c.Limit
	}
	for record := range r.records(r.out.problem) {
		if r.record(record); r.full {
			break
		}
	}
	r.finish()
	return r.out
}

// problem keeps the first thing that is wrong.
func (t *Transcript) problem(side Side, err error) {
	if t.Problem == "" {
		t.Problem = fmt.Sprintf("%s: %v", side, err)
	}
}
