package content

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"shakedown/plan"
	"shakedown/report/internal/number"
	"shakedown/report/internal/prose"
	"shakedown/report/internal/table"
	"shakedown/result"
)

// wireTitle heads what was seen on the wire.
const wireTitle = "On the wire: one handshake of each case, in a pass in which nothing is timed"

// Exchange is what was seen of a row on the wire, nil where nothing was.
func Exchange(r result.Row) *result.Exchange {
	if r.Wire == nil {
		return nil
	}
	return r.Wire.Exchange
}

// seen tells whether at least one row was seen on the wire.
func seen(rows []result.Row) bool {
	return slices.ContainsFunc(rows, func(r result.Row) bool { return Exchange(r) != nil })
}

// wireGroup is columns of the table of the wire. What others published of them
// follows in a group of its own.
type wireGroup struct {
	title, unit string
	columns     []wireColumn
}

type wireColumn struct {
	metric, title string // metric: as published figures name it, "" where there are none
	cell          func(*result.Exchange) string
}

// wireGroups are the columns of the table of the wire, in its order.
var wireGroups = []wireGroup{
	{"handshake", "", []wireColumn{
		{"messages", "messages", messages},
		{"", "after", func(x *result.Exchange) string { return some(x.MessagesPost) }},
		{"", "flights", func(x *result.Exchange) string { return some(x.Flights) }},
		{"round_trips", "round trips", func(x *result.Exchange) string { return number.Grouped(x.RoundTrips) }},
		{"", "as seen", tripsSeen},
	}},
	{"hellos, B", "B", []wireColumn{
		{"client_hello", "ClientHello", func(x *result.Exchange) string { return some(x.ClientHello.Message) }},
		{"server_hello", "ServerHello", func(x *result.Exchange) string { return some(x.ServerHello.Message) }},
		{"hellos", "both", func(x *result.Exchange) string { return both(x.ClientHello.Message, x.ServerHello.Message) }},
	}},
	{"sent, B", "B", []wireColumn{
		{"", "client", func(x *result.Exchange) string { return some(x.ClientBytes) }},
		{"", "server", func(x *result.Exchange) string { return some(x.ServerBytes) }},
		{"", "both", func(x *result.Exchange) string { return both(x.ClientBytes, x.ServerBytes) }},
		{"", "0-RTT", func(x *result.Exchange) string { return some(x.EarlyBytes) }},
	}},
	{packetsTitle, "", []wireColumn{
		{"", "ClientHello", func(x *result.Exchange) string { return some(x.ClientHello.Packets) }},
		{"", "client", func(x *result.Exchange) string { return some(x.ClientPackets) }},
		{"", "server", func(x *result.Exchange) string { return some(x.ServerPackets) }},
	}},
}

// packetsTitle heads packets, with their label where all rows have the same.
const packetsTitle = "packets"

// labels are those of the packets of rows.
func labels(rows []result.Row) (all []result.Label) {
	for _, r := range rows {
		if x := Exchange(r); x != nil && !slices.Contains(all, x.PacketsLabel) {
			all = append(all, x.PacketsLabel)
		}
	}
	return all
}

// title is the heading of a group.
func (f *columns) title(g wireGroup) string {
	if all := labels(f.rows); g.title == packetsTitle && len(all) == 1 {
		return g.title + " (" + string(all[0]) + ")"
	}
	return g.title
}

// some writes a count of which zero says that there is none.
func some(n int) string {
	if n == 0 {
		return number.None
	}
	return number.Grouped(n)
}

// both writes a sum of which no part is missing.
func both(a, b int) string {
	if a == 0 || b == 0 {
		return number.None
	}
	return number.Grouped(a + b)
}

// messages writes both readings where they differ: "6 (5)".
func messages(x *result.Exchange) string {
	text := number.Grouped(x.Messages)
	if twoReadings(x) {
		text += " (" + number.Grouped(x.MessagesPaper) + ")"
	}
	return text
}

// tripsSeen writes the round trips that packets showed.
func tripsSeen(x *result.Exchange) string {
	if x.Packets == nil || x.RoundTripsSeen == nil {
		return number.None
	}
	return strconv.FormatFloat(*x.RoundTripsSeen, 'f', -1, 64)
}

func twoReadings(x *result.Exchange) bool {
	return x.MessagesPaper > 0 && x.MessagesPaper != x.Messages
}

// wire makes the columns of what was seen on the wire.
func (f *columns) wire() {
	for _, g := range wireGroups {
		f.wireGroup(g)
	}
	f.negotiated()
	f.wireNotes()
}

// wireGroup adds the columns in which a row has something.
func (f *columns) wireGroup(g wireGroup) {
	var of []table.Column
	var metrics []publishedColumn
	for _, c := range g.columns {
		column := table.Column{Title: c.title}
		for _, r := range f.rows {
			cell := number.None
			if x := Exchange(r); x != nil {
				cell = c.cell(x)
			}
			column.Cells = append(column.Cells, cell)
		}
		if holds(column) {
			of = append(of, column)
		}
		if c.metric != "" {
			metrics = append(metrics, publishedColumn{c.metric, c.title})
		}
	}
	if len(of) > 0 {
		f.add(f.title(g), of...)
	}
	f.published(func(p plan.Published) string { return number.PublishedCount(cmp.Or(p.Unit, g.unit), p.Value) }, metrics...)
}

// holds tells whether a column says anything.
func holds(c table.Column) bool {
	return slices.ContainsFunc(c.Cells, func(cell string) bool { return cell != number.None })
}

// retried marks a handshake with a HelloRetryRequest.
const retried = "(retry)"

// negotiated adds the group that the wire shows.
func (f *columns) negotiated() {
	c := table.Column{Title: "group"}
	for _, r := range f.rows {
		cell := ""
		if r.Proof.Wire != nil {
			cell = r.Proof.Wire.Group
		}
		if x := Exchange(r); x != nil && x.HelloRetry {
			cell = strings.TrimSpace(cell + " " + retried)
		}
		c.Cells = append(c.Cells, cmp.Or(cell, number.None))
	}
	if holds(c) {
		f.add("negotiated", c)
	}
}

// wireNotes say what is counted.
func (f *columns) wireNotes() {
	f.notes = append(f.notes,
		"messages: of the handshake, with ChangeCipherSpec up to TLS 1.2; after: tickets and what else follows it.",
		"round trips: before the client may send its request; that of TCP is not in it.",
		"hellos: the message with its header of 4 B, the first ClientHello. sent: records with their headers, as TCP carries them, up to that side's last message.",
		f.packetNote())
	has := func(is func(*result.Exchange) bool) bool {
		return slices.ContainsFunc(f.rows, func(r result.Row) bool { x := Exchange(r); return x != nil && is(x) })
	}
	if has(func(x *result.Exchange) bool { return tripsSeen(x) != number.None }) {
		f.notes = append(f.notes, "as seen: those of packets that waited for one another, for a full window among them.")
	}
	if has(twoReadings) {
		f.notes = append(f.notes, "messages in brackets: without EndOfEarlyData, as papers count; RFC 8446, section 4.5, has it.")
	}
	if has(func(x *result.Exchange) bool { return x.EarlyBytes != 0 }) {
		f.notes = append(f.notes, "0-RTT: early data, a part of what the client sent.")
	}
	if has(func(x *result.Exchange) bool { return x.HelloRetry }) {
		f.notes = append(f.notes, retried+": the server asked for another key share with a HelloRetryRequest.")
	}
}

// packetNote says where packets come from.
func (f *columns) packetNote() string {
	composed := "composed, never seen: so many these bytes make, flight by flight, when each packet is filled" + f.filled() + "."
	const measured = "those with payload that went over the emulated link, each when it was first sent."
	switch all := labels(f.rows); {
	case len(all) > 1:
		return "packets: on emulated links " + measured + " On loopback " + composed
	case len(all) == 1 && all[0] == result.Measured:
		return "packets: " + measured
	}
	return "packets: " + composed
}

// filled says to how many bytes packets are filled, where that is known.
func (f *columns) filled() string {
	var sizes []string
	for _, r := range f.rows {
		if x := Exchange(r); x != nil && x.MSS > 0 && x.Packets == nil && !slices.Contains(sizes, number.Grouped(x.MSS)) {
			sizes = append(sizes, number.Grouped(x.MSS))
		}
	}
	if len(sizes) == 0 {
		return ""
	}
	return " to the MSS, " + prose.All(sizes) + " B of payload"
}
