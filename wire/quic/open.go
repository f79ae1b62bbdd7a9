package quic

import (
	"shakedown/wire"
	"shakedown/wire/internal/codec"
)

// ErrNotAuthentic says that a packet was not made with these keys: another
// connection, another version, or no packet at all.
var ErrNotAuthentic = &wire.Error{What: "QUIC packet", Reason: "does not open with these keys"}

// sampleAt is how far behind the start of the packet number the sample for header
// protection begins, in bytes: as if the number had its full length.
const sampleAt = 4

// Open removes the protection of an Initial packet and returns its packet number
// and its frames. The frames lie in buffer, whose content is overwritten; a
// capacity of len(p.Raw) saves an allocation. The packet is left as it is. The
// error is [ErrNotAuthentic] for every packet that does not open.
func (k *Keys) Open(buffer []byte, p Packet) (number uint64, frames []byte, err error) {
	at := p.NumberAt
	if k.aead == nil || at == 0 || len(p.Raw) < at+sampleAt+len(k.mask) {
		return 0, nil, ErrNotAuthentic
	}
	k.header.Encrypt(k.mask[:], p.Raw[at+sampleAt:])
	first := p.Raw[0] ^ k.mask[0]&0x0F
	size := int(first&3) + 1
	head := append(buffer[:0], p.Raw[:at+size]...)
	head[0] = first
	short := uint64(0)
	for i := range size {
		head[at+i] ^= k.mask[1+i]
		short = short<<8 | uint64(head[at+i])
	}
	number = fullNumber(k.next, short, size)
	k.setNonce(number)
	frames, failed := k.aead.Open(head[len(head):], k.nonce[:], p.Raw[at+size:], head)
	if failed != nil {
		return 0, nil, ErrNotAuthentic
	}
	k.next = max(k.next, number+1)
	return number, frames, nil
}

// fullNumber is the packet number nearest to the expected one that ends in the
// size bytes of short (RFC 9000 A.3).
func fullNumber(expected, short uint64, size int) uint64 {
	window := uint64(1) << (8 * size)
	number := expected&^(window-1) | short
	switch {
	case number+window/2 <= expected && number < MaxVarint+1-window:
		return number + window
	case number > expected+window/2 && number >= window:
		return number - window
	}
	return number
}

// Seal appends an Initial packet with the version, identifiers and token of p, a
// packet number of 4 bytes, and frames. The datagram that carries a client's must
// be filled up with PADDING to 1,200 bytes (RFC 9000 14.1); that is the caller's.
// The keys must have been derived.
func (k *Keys) Seal(dst []byte, p Packet, number uint64, frames []byte) []byte {
	const numberSize = 4
	start := len(dst)
	dst = codec.Append32(append(dst, firstByte(p.Version, PacketInitial)|numberSize-1), p.Version)
	dst = appendVarvector(codec.AppendVector8(codec.AppendVector8(dst, p.DCID), p.SCID), p.Token)
	dst = appendLength(dst, numberSize+len(frames)+k.aead.Overhead())
	at := len(dst)
	dst = codec.Append32(dst, uint32(number))
	k.setNonce(number)
	dst = k.aead.Seal(dst, k.nonce[:], frames, dst[start:])
	k.header.Encrypt(k.mask[:], dst[at+sampleAt:])
	dst[start] ^= k.mask[0] & 0x0F
	for i := range numberSize {
		dst[at+i] ^= k.mask[1+i]
	}
	return dst
}

// appendLength writes a length in 2 bytes where they hold it, as is usual.
func appendLength(dst []byte, size int) []byte {
	if size < 1<<14 {
		return codec.Append16(dst, uint16(size)|1<<14)
	}
	return AppendVarint(dst, uint64(size))
}
