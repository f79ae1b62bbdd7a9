package result

import "shakedown/spec"

// Transcript is one handshake message by message, as it went over the wire. The
// lab takes it in a pass of its own, in which nothing is timed for a row.
type Transcript struct {
	Schema    int       `json:"schema"`
	ID        string    `json:"id"` // of the case
	Label     Label     `json:"label"`
	Case      spec.Case `json:"case"`
	Decrypted bool      `json:"decrypted"` // no record stayed closed
	Messages  []Message `json:"messages"`
	Flights   []Flight  `json:"flights"`
	Hello     *Offer    `json:"offer,omitempty"` // of the first ClientHello
	Fit       *Fit      `json:"fit,omitempty"`   // of the first ClientHello
	Wire      Exchange  `json:"wire"`
	Proof     Proof     `json:"proof"`
	Problem   string    `json:"problem,omitempty"` // why reading ended early
	Warnings  []string  `json:"warnings,omitempty"`
}

// Message is one handshake message, or one record that carries something else.
type Message struct {
	From    string  `json:"from"`              // "client" or "server"
	Name    string  `json:"name"`              // "ClientHello", "application data", "alert close_notify"
	Epoch   string  `json:"epoch"`             // "clear", "early", "handshake", "application"; "closed": no key opened it
	Size    int     `json:"message"`           // B with the header; 0 when closed
	Record  int     `json:"record"`            // B on the wire; what several messages share counts for the first
	Records int     `json:"records"`           // that carry a part of it
	Shared  bool    `json:"shared,omitempty"`  // one of them carries another message too
	Packets int     `json:"packets"`           // that carry a part of it, see Exchange.PacketsLabel
	Flight  int     `json:"flight,omitempty"`  // from 1; 0: of no flight
	Counted bool    `json:"counted,omitempty"` // one of Exchange.Messages
	Post    bool    `json:"post,omitempty"`    // one of Exchange.MessagesPost
	Time    float64 `json:"time"`              // s since the client's first byte, when its last byte was seen
}

// Flight is what one side sends before it waits for the other.
type Flight struct {
	Number  int     `json:"flight"` // from 1
	From    string  `json:"from"`
	Bytes   int     `json:"bytes"`   // of its records
	Packets int     `json:"packets"` // see Exchange.PacketsLabel
	Extra   int     `json:"extra"`   // round trips that its sender waits for acknowledgements, the initial window being full; composed or seen as the packets
	Start   float64 `json:"start"`   // s since the client's first byte; where packets were seen, when its first byte was sent
	End     float64 `json:"end"`
}

// Offer is what the first ClientHello offers, and what each part of it costs.
type Offer struct {
	JA4        string      `json:"ja4"`
	Extensions []Extension `json:"extensions"` // in their order
	Other      int         `json:"other"`      // B of the message outside extensions
}

// Extension is one extension of a ClientHello.
type Extension struct {
	Name  string `json:"name"` // IANA's name
	Code  uint16 `json:"code"`
	Bytes int    `json:"bytes"`           // with its header of 4
	Parts []Part `json:"parts,omitempty"` // of what costs much: key shares, tickets
}

// Part is a share of an extension's bytes.
type Part struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
}

// Fit says whether the ClientHello leaves in one packet, and what would make it
// fit. It is composed from the measured message.
type Fit struct {
	Label   Label `json:"label"`
	MSS     int   `json:"mss"`
	Bytes   int   `json:"bytes"` // of the records of the ClientHello
	Packets int   `json:"packets"`
	Spare   int   `json:"spare"` // B left in one packet; negative: B too many
	// Ways are single changes, the cheapest to give up first; Enough is the
	// shortest list of them, in that order, after which it fits.
	Ways   []Way    `json:"ways,omitempty"`
	Enough []string `json:"enough,omitempty"`
}

// Way is a change to the ClientHello that saves bytes.
type Way struct {
	Name  string `json:"name"` // "no x25519 share", "no ticket"
	Saves int    `json:"saves"`
	Bytes int    `json:"bytes"` // of the records after it
	Fits  bool   `json:"fits"`
	Price string `json:"price"` // what is given up
}
