package transcript

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"shakedown/wire"
	"shakedown/wire/internal/label"
	"shakedown/wire/protect"
)

// work reads a connection and returns what it took: bytes and pieces of memory. Both
// count all that was ever asked for, and so does the time: what would be copied or
// looked at again and again shows there.
func work(c Connection) (got *Transcript, size, pieces int) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got = Read(c)
	runtime.ReadMemStats(&after)
	return got, int(after.TotalAlloc - before.TotalAlloc), int(after.Mallocs - before.Mallocs)
}

// bytewise cuts each chunk into chunks of one byte.
func bytewise(c Connection) Connection {
	chunks := c.Chunks
	c.Chunks = nil
	for _, chunk := range chunks {
		for i := range chunk.Data {
			c.Chunks = append(c.Chunks, Chunk{From: chunk.From, Time: chunk.Time, Data: chunk.Data[i : i+1]})
		}
	}
	return c
}

// tiny cuts a fragment into records of one byte.
func tiny(fragment []byte) (stream []byte) {
	for i := range fragment {
		stream = append(stream, handshakeRecord(fragment[i:i+1])...)
	}
	return stream
}

// entryCost bounds the memory that one entry takes while the list grows, in bytes.
const entryCost = 8 * int(unsafe.Sizeof(Entry{}))

// Twice the input costs at most twice the memory, whatever it is made of, and never
// more than some times its own bytes and those of its entries.
func TestWorkGrowsWithTheInput(t *testing.T) {
	hello12 := answer(wire.VersionTLS12, 0xC02B)
	change := []byte("\x14\x03\x03\x00\x01\x01")
	random := hello(t)[wire.RecordHeader+wire.HandshakeHeader+2:][:wire.RandomSize]
	keys, err := protect.ParseKeyLog(fmt.Appendf(nil, "%s %x %096x", protect.MasterSecret, random, 1))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]func(n int) []byte{
		"a message in records of one byte": func(n int) []byte { return tiny(message(wire.TypeCertificate, make([]byte, n)...)) },
		"a message that does not end":      func(n int) []byte { return tiny([]byte("\x0b\x0f\xff\xf0" + string(make([]byte, n)))) },
		"messages without a body":          func(n int) []byte { return bytes.Repeat(messages(0), n/16) },
		"retries":                          func(n int) []byte { return bytes.Repeat(retry(), n/64) },
		"ChangeCipherSpec":                 func(n int) []byte { return slices.Concat(hello12, bytes.Repeat(change, n/16)) },
		"empty records of data":            func(n int) []byte { return bytes.Repeat([]byte("\x17\x03\x03\x00\x00"), n/16) },
	} {
		for _, whole := range []bool{true, false} {
			read := func(n int) (int, int, int) {
				c := serverSends(t, data(n))
				c.Keys = keys
				if !whole {
					c = bytewise(c)
				}
				got, size, pieces := work(c)
				return len(sideStream(c, Server)) + entryCost*len(got.Entries), size, pieces
			}
			bound, size, pieces := read(1 << 14)
			_, size2, pieces2 := read(1 << 15)
			if size2 > 5*size/2 || pieces2 > 5*pieces/2+100 {
				t.Errorf("%s, in one chunk %v: %d bytes in %d pieces, for twice the input %d in %d", name, whole, size, pieces, size2, pieces2)
			}
			if size > 4*bound+1<<16 {
				t.Errorf("%s, in one chunk %v: takes %d bytes, and has %d", name, whole, size, bound)
			}
		}
	}
}

// Entries are bounded, and reading ends with them: what comes behind costs nothing
// but the copy of its bytes.
func TestEntriesAreBounded(t *testing.T) {
	for name, record := range map[string][]byte{
		"messages": bytes.Repeat(messages(slices.Repeat([]wire.HandshakeType{99}, wire.MaxPlaintext/4)...), 20),
		"records":  bytes.Repeat([]byte("\x17\x03\x03\x00\x00"), 2*maxEntries),
	} {
		got, size, _ := work(serverSends(t, record))
		if len(got.Entries) != maxEntries || got.Problem != "server: more messages than a transcript holds" {
			t.Errorf("%s: %d entries, problem %q", name, len(got.Entries), got.Problem)
		}
		_, size10, pieces := work(serverSends(t, bytes.Repeat(record, 10)))
		if more := size10 - size; more > 10*len(record) || pieces > 2*maxEntries+1000 {
			t.Errorf("%s: %d bytes more for ten times %d, in %d pieces", name, more, len(record), pieces)
		}
	}
}

// sealed makes records of TLS 1.3 under the server's handshake secret of the trace.
type sealed struct {
	aead     cipher.AEAD
	iv       []byte
	sequence uint64
}

func newSealed(tb testing.TB, c Connection) *sealed {
	tb.Helper()
	random := c.Chunks[0].Data[wire.RecordHeader+wire.HandshakeHeader+2:][:wire.RandomSize]
	secret := c.Keys.Secret(protect.ServerHandshakeSecret, random)
	expand := func(name string, size int) []byte {
		out, err := label.Expand(sha256.New, secret, label.TLS13, name, nil, size)
		if err != nil {
			tb.Fatal(err)
		}
		return out
	}
	block, err := aes.NewCipher(expand("key", 16))
	if err != nil {
		tb.Fatal(err)
	}
	s := &sealed{iv: expand("iv", 12)}
	if s.aead, err = cipher.NewGCM(block); err != nil {
		tb.Fatal(err)
	}
	return s
}

func (s *sealed) record(content wire.ContentType, text ...byte) []byte {
	inner := append(text, byte(content))
	nonce := bytes.Clone(s.iv)
	low := nonce[len(nonce)-8:]
	binary.BigEndian.PutUint64(low, binary.BigEndian.Uint64(low)^s.sequence)
	s.sequence++
	size := uint16(len(inner) + s.aead.Overhead())
	head := binary.BigEndian.AppendUint16([]byte{byte(wire.ContentApplicationData), 3, 3}, size)
	return s.aead.Seal(head, nonce, inner, head)
}

// A server that holds the keys and breaks the rules behind them.
func TestHostileServerBehindKeys(t *testing.T) {
	c := trace(t, "rfc8448-3.txt")
	c.Chunks = c.Chunks[:2]
	for problem, flight := range map[string]func(s *sealed) []byte{
		"server: an empty handshake record": func(s *sealed) []byte {
			return slices.Concat(s.record(wire.ContentHandshake), s.record(wire.ContentHandshake))
		},
		"server: Certificate comes after Finished": func(s *sealed) []byte {
			return s.record(wire.ContentHandshake, append(message(wire.TypeFinished, 'x'), message(wire.TypeCertificate)...)...)
		},
		"server: EndOfEarlyData is no message of this side and version": func(s *sealed) []byte {
			return s.record(wire.ContentHandshake, message(wire.TypeEndOfEarlyData)...)
		},
		"server: Certificate at byte 1: message is larger than the limit": func(s *sealed) []byte {
			return s.record(wire.ContentHandshake, 0x0B, 0xFF, 0xFF, 0xFF)
		},
		"server: the stream ends inside a handshake message": func(s *sealed) []byte {
			return s.record(wire.ContentHandshake, 0x0B, 0, 1, 0)
		},
		"server: application_data comes inside a handshake message": func(s *sealed) []byte {
			return slices.Concat(s.record(wire.ContentHandshake, 0x0B, 0, 1, 0), s.record(wire.ContentApplicationData, 'x'))
		},
	} {
		hostile := c
		hostile.Chunks = slices.Clone(c.Chunks)
		hostile.Chunks[1].Data = slices.Concat(c.Chunks[1].Data, flight(newSealed(t, c)))
		got := Read(hostile)
		if got.Problem != problem || len(got.Entries) < 2 || got.Opaque > 0 {
			t.Errorf("%d entries, %d closed, problem %q, want %q", len(got.Entries), got.Opaque, got.Problem, problem)
		}
	}
}
