package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"shakedown/report/internal/prose"
	"shakedown/report/internal/table"
)

// width is how many columns a report may take.
const width = 120

// text gathers a report line by line. The zero value is ready.
type text struct{ buf bytes.Buffer }

// line adds one line, without spaces at its end.
func (t *text) line(format string, args ...any) {
	t.buf.WriteString(strings.TrimRight(strings.Map(prose.Printable, fmt.Sprintf(format, args...)), " "))
	t.buf.WriteByte('\n')
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
	for _, word := range prose.Glued(words) {
		if !empty && table.Size(line)+1+table.Size(word) > width {
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

// to writes what was gathered.
func (t *text) to(w io.Writer) error {
	_, err := w.Write(t.buf.Bytes())
	return err
}
