package driver

import "shakedown/spec"

// Kinds of the lines a driver prints.
const (
	KindInfo      = "info"
	KindReady     = "ready"
	KindHandshake = "handshake"
	KindReport    = "report"
	KindBlock     = "block"
	KindSamples   = "samples"
	KindError     = "error"
)

// Memory is a driver's memory between the end of its set-up and now, bytes.
type Memory struct {
	What string `json:"what"` // "heap" or "rss"
	Idle int64  `json:"idle"`
	Peak int64  `json:"peak"`
}

// Ready is printed once a driver can take commands.
type Ready struct {
	Kind        string   `json:"kind"`
	PID         int      `json:"pid"`
	Address     string   `json:"address,omitempty"`      // serve
	CA          string   `json:"ca,omitempty"`           // serve without --cert: PEM root of the server's own certificate
	Batch       int      `json:"batch,omitempty"`        // op: records in a sample
	RecordBytes int      `json:"record_bytes,omitempty"` // op record: bytes on the wire
	Proof       *OpProof `json:"proof,omitempty"`        // op record
}

// OpProof is what both ends of an in-memory handshake say.
type OpProof struct {
	Client spec.Proof `json:"client"`
	Server spec.Proof `json:"server"`
}

// Handshake is one side's account of one handshake. Marks are nanoseconds of
// the machine's monotonic clock, 0 where the mark was not reached.
type Handshake struct {
	Kind string `json:"kind"`
	Side string `json:"side"` // "client" or "server"
	Port int    `json:"port"` // the client's TCP port: joins the two sides
	OK   bool   `json:"ok"`
	// Prime marks a full handshake made only to obtain a session.
	Prime bool `json:"prime,omitempty"`

	Dial      int64 `json:"dial,omitempty"`
	Connected int64 `json:"connected,omitempty"`
	Accepted  int64 `json:"accepted,omitempty"`
	Start     int64 `json:"start,omitempty"`
	Complete  int64 `json:"complete,omitempty"`
	Request   int64 `json:"request,omitempty"`
	Response  int64 `json:"response,omitempty"`

	Proof *spec.Proof `json:"proof,omitempty"`

	Reason string `json:"reason,omitempty"`
	Alert  string `json:"alert,omitempty"`
	From   string `json:"from,omitempty"`
	Detail string `json:"detail,omitempty"`
}

// Report ends a server's answer to `report`.
type Report struct {
	Kind   string  `json:"kind"`
	Count  int     `json:"count"`
	CPU    float64 `json:"cpu"` // s of processor time since the last report
	Memory *Memory `json:"memory,omitempty"`
}

// Block ends a client's or operation's answer to `run N`.
type Block struct {
	Kind   string  `json:"kind"`
	Count  int     `json:"count"`
	CPU    float64 `json:"cpu"` // s of processor time within the block
	Memory *Memory `json:"memory,omitempty"`
}

// Samples carries the timed repetitions of an operation.
type Samples struct {
	Kind   string    `json:"kind"`
	Metric string    `json:"metric"` // "encrypt", "decrypt", "time"
	Unit   string    `json:"unit"`   // "s"
	Batch  int       `json:"batch"`
	Values []float64 `json:"values"`
}

// Error is a driver's last line when it could not set up.
type Error struct {
	Kind   string `json:"kind"`
	Reason string `json:"reason"` // "cannot" or "setup"
	What   string `json:"what,omitempty"`
	Detail string `json:"detail"`
}
