package report

import (
	"bufio"
	"encoding/json"
	"io"

	"shakedown/result"
)

// JSON writes one row, planned case or transcript a line, in the order given. The
// error is that of w, or of a figure that JSON cannot hold.
func JSON[T result.Row | result.CaseEntry | result.Transcript](w io.Writer, rows []T) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for _, r := range rows {
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	return out.Flush()
}
