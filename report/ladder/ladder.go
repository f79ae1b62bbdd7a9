package ladder

import (
	"io"

	"shakedown/result"
)

// Columns that a drawing takes.
const (
	Usual = 100 // where the width is not known
	Least = 80  // below it lines would not hold a message and its figures
)

// Text draws a handshake in lines of at most width columns, [Least] of them at
// least; a width of 0 or less stands for [Usual]. Each character counts as one
// column. Whatever a terminal might obey in a name is escaped. The error is that
// of w.
func Text(w io.Writer, t result.Transcript, width int) error {
	p := newPage(width)
	p.head(t)
	p.ladder(t)
	p.totals(t)
	p.offer(t)
	p.fit(t.Fit)
	p.window(t)
	p.troubles(t)
	p.legend(t)
	_, err := io.WriteString(w, p.text.String())
	return err
}
