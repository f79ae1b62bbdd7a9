package emulate

import (
	"time"

	"shakedown/link/profile"
	"shakedown/link/shape"
)

// Config is the first line that the emulator reads from standard input.
type Config struct {
	Profile profile.Profile `json:"profile"`
	Seed    uint64          `json:"seed"`
	Quiet   bool            `json:"quiet,omitempty"` // keep no packets
}

// Report is the answer to a line "report": packets and lateness since the last one,
// counts since the start.
type Report struct {
	Began time.Time `json:"began"` // of the emulator: the times of packets are since then

	Up   shape.Counts `json:"up"` // client to server
	Down shape.Counts `json:"down"`
	// Packets are those of both directions in the order in which they were sent,
	// up to a limit; Unrecorded came after it.
	Packets    []Packet      `json:"packets"`
	Unrecorded int           `json:"unrecorded,omitempty"`
	TooBig     int           `json:"too_big,omitempty"` // packets that were too long for the path, since the last report
	Late       Lateness      `json:"late"`
	CPU        time.Duration `json:"cpu"` // of the emulator since its start, ns
}

// Packet is one packet that was sent.
type Packet struct {
	Down    bool          `json:"down,omitempty"` // from the server
	Sent    time.Duration `json:"sent"`           // since the emulator began, ns
	Arrived time.Duration `json:"arrived"`        // negative: it did not, or is still under way
	Lost    bool          `json:"lost,omitempty"` // by chance, a full queue or a filter: it will not arrive
	Data    []byte        `json:"data"`           // as IP has it
}

// Lateness is the error of the emulator: by how much packets were written after
// they were due.
type Lateness struct {
	Count  int           `json:"count"`
	Median time.Duration `json:"median"` // ns
	P99    time.Duration `json:"p99"`
	Max    time.Duration `json:"max"`
	Over   int           `json:"over"` // later than a tenth of a millisecond and a hundredth of the round trip
}
