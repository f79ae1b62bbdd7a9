package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// width is how many columns a report may take.
const width = 120

// text gathers a report line by line. The zero value is ready.
type text struct{ buf bytes.Buffer }

// line adds one line, without spaces at its end.
func (t *text) line(format string, args ...any) {
	t.buf.WriteString(strings.TrimRight(strings.Map(printable, fmt.Sprintf(format, args...)), " "))
	t.buf.WriteByte('\n')
}

// printable replaces what a terminal might obey: reasons come from peers.
func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return '?'
}

// blank adds an empty line, unless there is one or nothing yet.
func (t *text) blank() {
	if b := t.buf.Bytes(); len(b) > 0 && !bytes.HasSuffix(b, []byte("\n\n")) {
		t.buf.WriteByte('\n')
	}
}

// wrap adds words in lines of at most width columns, the first behind first and
// the others behind rest.
func (t *text) wrap(first, rest, words string) {
	line, empty := first, true
	for _, word := range glued(words) {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			t.line("%s", line)
			line, empty = rest, true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	t.line("%s", line)
}

// units stay on the line of their number, as versions do with their protocol.
var units = []string{"%", "s", "ms", "µs", "ns", "B", "KiB", "MiB", "GiB", "min"}

// glued splits words where a line may break.
func glued(words string) []string {
	var out []string
	for _, word := range strings.Fields(words) {
		unit := slices.Contains(units, strings.TrimRight(word, ").,;:"))
		if len(out) > 0 && (unit || out[len(out)-1] == "TLS") {
			out[len(out)-1] += " " + word
			continue
		}
		out = append(out, word)
	}
	return out
}

// to writes what was gathered.
func (t *text) to(w io.Writer) error {
	_, err := w.Write(t.buf.Bytes())
	return err
}
