// Package result holds what a run writes and everything above reads: rows,
// blocks of samples, the description of the run, and the directory of plain
// files they live in.
package result

import (
	"shakedown/machine"
	"shakedown/plan"
	"shakedown/spec"
	"shakedown/stats"
)

// Schema is the version of the row format.
const Schema = 1

// Label says where a figure comes from. The four are never mixed in a column.
type Label string

// The labels.
const (
	Measured  Label = "measured"
	Composed  Label = "composed"
	Predicted Label = "predicted"
	Published Label = "published"
)

// Status says whether a row carries figures.
type Status string

// The statuses of a row.
const (
	OK     Status = "ok"     // measured, and the proof matches the label
	Cannot Status = "cannot" // a stack lacks what the case asks for
	Failed Status = "failed" // measured, but no repetition completed
	Error  Status = "error"  // the proof contradicts the label, or a driver broke
)

// Why sampling of a case stopped.
const (
	StoppedInterval  = "interval"
	StoppedSamples   = "samples"
	StoppedTime      = "time"
	StoppedInterrupt = "interrupt"
	StoppedFailures  = "failures" // nothing completes, or the proof contradicts the label
)

// Row is one case with its estimates and its proof.
type Row struct {
	Schema    int               `json:"schema"`
	ID        string            `json:"id"`
	Label     Label             `json:"label"`
	Status    Status            `json:"status"`
	Reason    string            `json:"reason,omitempty"` // why there are no figures
	Case      spec.Case         `json:"case"`
	Attempted int               `json:"attempted"`
	Completed int               `json:"completed"`
	Failures  []Failure         `json:"failures"`
	Metrics   map[string]Metric `json:"metrics"`
	Wire      *Wire             `json:"wire,omitempty"`
	Link      *Link             `json:"link,omitempty"` // nil on loopback
	Proof     Proof             `json:"proof"`
	Stopped   string            `json:"stopped,omitempty"`
	Warnings  []string          `json:"warnings"`
	Published []plan.Published  `json:"published,omitempty"`
	// Comparisons of the plan in which this row is compared with a base.
	Comparisons []Comparison `json:"comparisons,omitempty"`
}

// Metric is an estimate and, where it is not plain, what was measured.
type Metric struct {
	stats.Estimate
	What string `json:"what,omitempty"` // "heap" or "rss" of memory; "mean of a block" of CPU
}

// Failure counts repetitions that failed alike.
type Failure struct {
	Reason string `json:"reason"`
	Side   string `json:"side"`
	Alert  string `json:"alert"`
	Detail string `json:"detail,omitempty"`
	Count  int    `json:"count"`
}

// Proof is what the endpoints, and the wire where it was tapped, say happened.
type Proof struct {
	Client *spec.Proof `json:"client,omitempty"`
	Server *spec.Proof `json:"server,omitempty"`
	Wire   *spec.Proof `json:"wire,omitempty"`
}

// Wire is what was seen between the endpoints. A record row knows only the
// bytes of its record, a handshake row the whole exchange.
type Wire struct {
	RecordBytes int `json:"record_bytes,omitempty"`
	*Exchange
}

// Exchange is a handshake as the wire shows it.
type Exchange struct {
	// Messages counts handshake messages, and ChangeCipherSpec up to TLS 1.2;
	// tickets and what else follows the handshake is in MessagesPost.
	Messages     int `json:"messages"`
	MessagesPost int `json:"messages_post"`
	// MessagesPaper leaves EndOfEarlyData out, as papers do (RFC 8446 4.5 has it).
	MessagesPaper int `json:"messages_paper"`
	Flights       int `json:"flights"`
	// RoundTrips are those before the client may send its first application byte,
	// the TCP connect left out.
	RoundTrips int `json:"round_trips"`
	// Transport payload bytes of each side up to its last counted message.
	ClientBytes int `json:"client_bytes"`
	ServerBytes int `json:"server_bytes"`
	EarlyBytes  int `json:"early_bytes,omitempty"` // of 0-RTT data among ClientBytes
	// Packets with payload that these bytes make, flight by flight. On loopback they
	// are composed, each filled to the MSS; on an emulated link they were seen, each
	// counted when it was first sent.
	ClientPackets int   `json:"client_packets"`
	ServerPackets int   `json:"server_packets"`
	MSS           int   `json:"mss"` // B of payload in a full packet
	PacketsLabel  Label `json:"packets_label"`

	*Packets // nil on loopback

	ClientHello Hello `json:"client_hello"` // the first one
	ServerHello Hello `json:"server_hello"` // not a HelloRetryRequest
	HelloRetry  bool  `json:"hello_retry"`
}

// Packets is what packets show of a handshake that bytes do not.
type Packets struct {
	// With the headers of IP and TCP, all that each side sent from the first SYN until
	// both were seen to be complete.
	ClientWireBytes int `json:"client_wire_bytes"`
	ServerWireBytes int `json:"server_wire_bytes"`
	Lost            int `json:"lost"`            // packets that did not arrive, to the end of the connection
	Retransmissions int `json:"retransmissions"` // packets with nothing new, to the end of the connection
	// RoundTripsSeen are those before the client's first application byte left, the
	// TCP connect left out: half of the longest chain of packets of which each was sent
	// because the one before had arrived. Nil: that byte was not seen.
	RoundTripsSeen *float64 `json:"round_trips_seen,omitempty"`
	Connect        float64  `json:"connect"` // s, from the first SYN to the arrival of its answer
}

// Hello is the size of a hello.
type Hello struct {
	Message int `json:"message"` // B, header included
	Record  int `json:"record"`  // B on the wire
	Packets int `json:"packets"` // see Exchange.PacketsLabel
}

// Block is a series of repetitions of one case taken in a row: the unit of the
// journal. A block is written whole or not at all.
type Block struct {
	Case      string               `json:"case"`   // ID of the case
	Number    int                  `json:"block"`  // from 0, within the case
	Start     float64              `json:"start"`  // Unix time, s
	Length    float64              `json:"length"` // s
	Attempted int                  `json:"attempted"`
	Completed int                  `json:"completed"`
	Metrics   map[string][]float64 `json:"metrics,omitempty"` // samples, in the metric's unit
	What      map[string]string    `json:"what,omitempty"`    // metric → what was measured
	Failures  []Failure            `json:"failures,omitempty"`
	Host      machine.Usage        `json:"host,omitzero"` // load of the machine meanwhile
	CPU       float64              `json:"cpu,omitempty"` // s of processor time of the drivers themselves
	Proof     Proof                `json:"proof"`
	Record    int                  `json:"record_bytes,omitempty"`
	Wire      *Exchange            `json:"wire,omitempty"`     // of the pass behind the tap
	Link      *Link                `json:"link,omitempty"`     // nil on loopback
	Mismatch  string               `json:"mismatch,omitempty"` // the proof contradicts the label: how
	Warnings  []string             `json:"warnings,omitempty"`
}
