package ladder

import (
	"slices"
	"strings"

	"shakedown/result"
)

// The columns of the ladder.
const (
	timeColumn = iota
	railColumn
	nameColumn
	sizeColumn
	recordColumn
	packetColumn
	keyColumn
)

// Bounds of the widths of columns.
const (
	leastRails = 9
	mostRails  = 30
	leastName  = 10
	mostFigure = 13
)

// The ends of the two sides, as result.Message.From names them.
const (
	client = "client"
	server = "server"
)

// closed is the epoch of a record that no key opened.
const closed = "closed"

// rungs is the ladder of a transcript.
type rungs struct {
	*page
	messages []result.Message
	flights  map[int]result.Flight // by their numbers
	last     map[int]int           // index of the last message of each flight
	after    int                   // index of the first message behind the handshake
	clock    clock
	columns  []column
}

// ladder draws the messages one below the other, and the flights they make.
func (p *page) ladder(t result.Transcript) {
	p.line("")
	if len(t.Messages) == 0 {
		p.words("  ", "  ", "No message was seen.")
		return
	}
	r := rungsOf(p, t)
	r.heading()
	for i, m := range t.Messages {
		if i == r.after && i > 0 {
			r.rail(r.afterWords())
		}
		r.message(m)
		if r.last[m.Flight] == i {
			r.flight(m.Flight)
		}
	}
	p.closedWords(t.Messages)
}

func rungsOf(p *page, t result.Transcript) *rungs {
	r := &rungs{
		page: p, messages: t.Messages, flights: map[int]result.Flight{}, last: map[int]int{},
		after: afterHandshake(t.Messages), clock: clockFor(t.Messages),
	}
	for _, f := range t.Flights {
		r.flights[f.Number] = f
	}
	for i, m := range t.Messages {
		r.last[m.Flight] = i
	}
	r.measure()
	return r
}

// afterHandshake is the index behind the last message that is counted or of a
// flight.
func afterHandshake(messages []result.Message) int {
	for i, m := range slices.Backward(messages) {
		if m.Counted || m.Flight > 0 {
			return i + 1
		}
	}
	return 0
}

func (r *rungs) afterWords() string {
	if slices.ContainsFunc(r.messages[r.after:], isClosed) {
		return "handshake or data, no key tells:"
	}
	return "after the handshake:"
}

func isClosed(m result.Message) bool { return m.Epoch == closed }

// apart: what is no message of the handshake stands back. A closed record within a
// flight may be one.
func apart(m result.Message) bool { return !m.Counted && (m.Flight <= 0 || !isClosed(m)) }

// joins: a message that begins in the record of the one above has no record header
// of its own.
func joins(m result.Message) bool { return m.Shared && m.Record <= m.Size }

// cells are a message's, the one for the rails left empty.
func (r *rungs) cells(m result.Message) []string {
	size := figure(m.Size)
	if isClosed(m) && m.Size == 0 {
		size = none
	}
	return []string{r.clock.print(m.Time), "", nameOf(m), size, figure(m.Record), figure(m.Packets), keysOf(m)}
}

func nameOf(m result.Message) string {
	name := m.Name
	if joins(m) {
		name = "+ " + name
	}
	if apart(m) {
		name = "  " + name
	}
	if m.Records > 1 {
		name += ", in " + count(m.Records, "record")
	}
	return plain(name)
}

// keysOf says with which keys the message is locked.
func keysOf(m result.Message) string {
	words := map[string]string{
		"clear": none, "early": "early", "handshake": "handshake", "application": "application", closed: "not opened",
	}
	if known := words[m.Epoch]; known != "" {
		return known
	}
	return unknown
}

// measure gives the columns their widths: figures first, then names; the rails
// take what is left.
func (r *rungs) measure() {
	cells := r.allCells()
	r.columns = make([]column, len(cells))
	for i := range cells {
		r.columns[i] = fitting(mostFigure, cells[i])
		r.columns[i].right = i == timeColumn || i >= sizeColumn && i <= packetColumn
	}
	r.columns[railColumn].width, r.columns[nameColumn].width = 0, 0
	room := r.width - len("  ") - widthOf(r.columns)
	r.columns[nameColumn] = fitting(max(leastName, room-leastRails), cells[nameColumn])
	r.columns[railColumn].width = max(leastRails, min(mostRails, room-r.columns[nameColumn].width))
}

// allCells lists what each column holds.
func (r *rungs) allCells() [][]string {
	cells := headings(r.clock)
	for _, m := range r.messages {
		for i, cell := range r.cells(m) {
			cells[i] = append(cells[i], cell)
		}
	}
	for _, f := range r.flights {
		for i, cell := range flightCells(f) {
			cells[recordColumn+i] = append(cells[recordColumn+i], cell)
		}
	}
	return cells
}

// headings are the two lines above the columns.
func headings(c clock) [][]string {
	return [][]string{
		timeColumn: {"time", c.unit}, railColumn: {"", ""}, nameColumn: {"", ""}, sizeColumn: {"message", "B"},
		recordColumn: {"record", "B"}, packetColumn: {"packets", ""}, keyColumn: {"keys", ""},
	}
}

func (r *rungs) heading() {
	head := headings(r.clock)
	width := r.columns[railColumn].width
	head[railColumn] = []string{left(client, width-len(server)) + server, r.rails()}
	if width < len(client)+1+len(server) {
		head[railColumn][0] = left("C", width-1) + "S"
	}
	for line := range 2 {
		cells := make([]string, len(head))
		for i := range head {
			cells[i] = head[i][line]
		}
		r.row(r.columns, cells...)
	}
}

// rails are the two sides with nothing between them.
func (r *rungs) rails() string {
	return "│" + strings.Repeat(" ", r.columns[railColumn].width-2) + "│"
}

// rail adds a line with words from where names stand to its end.
func (r *rungs) rail(words string) {
	columns := []column{r.columns[timeColumn], r.columns[railColumn], {}}
	columns[2].width = r.width - 2 - widthOf(columns)
	for _, line := range wrap(words, columns[2].width) {
		r.row(columns, "", r.rails(), line)
	}
}

// message adds the lines of a message: more than one only where its name is longer
// than there is room.
func (r *rungs) message(m result.Message) {
	cells := r.cells(m)
	names := wrap(cells[nameColumn], r.columns[nameColumn].width)
	cells[nameColumn], cells[railColumn] = names[0], arrow(m, r.columns[railColumn].width)
	r.row(r.columns, cells...)
	for _, name := range names[1:] {
		r.row(r.columns, "", r.rails(), name)
	}
}

// flight adds the totals of a flight, where it is one, as a thin rule.
func (r *rungs) flight(number int) {
	f, known := r.flights[number]
	if !known || number <= 0 {
		return
	}
	name := column{width: r.columns[nameColumn].width + len(gap) + r.columns[sizeColumn].width}
	columns := append([]column{name}, r.columns[recordColumn:]...)
	parts := [][]string{{"flight " + figure(number)}}
	for _, cell := range flightCells(f) {
		parts = append(parts, []string{cell})
	}
	r.rail(ruled(joined(columns, parts, 0)))
}

// flightCells are the cells of a flight from its bytes on.
func flightCells(f result.Flight) []string {
	return []string{figure(f.Bytes), figure(f.Packets), "+" + figure(f.Extra) + " RTT"}
}

// ruled fills the room between cells with a thin rule.
func ruled(line string) string {
	rest := line
	var out strings.Builder
	for _, word := range strings.Fields(line) {
		at := strings.Index(rest, word)
		out.WriteString(rule(at, out.Len() > 0))
		out.WriteString(word)
		rest = rest[at+len(word):]
	}
	return out.String()
}

// rule is n characters of rule with a space at either end; too few stay spaces.
func rule(n int, inside bool) string {
	if !inside || n < 3 {
		return strings.Repeat(" ", n)
	}
	return " " + strings.Repeat("┄", n-2) + " "
}

// closedWords says what would open the records that stayed closed.
func (p *page) closedWords(messages []result.Message) {
	records, bytes := 0, 0
	for _, m := range messages {
		if isClosed(m) {
			records, bytes = records+1, bytes+max(0, m.Record)
		}
	}
	if records == 0 {
		return
	}
	p.line("")
	p.words("  ", "  ", "No key opened "+count(records, "record")+", "+octets(bytes)+" in all. "+
		"The key log of either end would (NSS format, the file that SSLKEYLOGFILE names).")
}
