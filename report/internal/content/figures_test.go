package content

import (
	"strings"
	"testing"

	"shakedown/report/internal/fixture"
	"shakedown/report/internal/number"
	"shakedown/spec"
)

func TestPublishedStandsApart(t *testing.T) {
	_, rows := fixture.Paper()
	f := columns{rows: rows[len(rows)-3:]}
	f.fill(spec.KindRecord)
	for _, g := range f.groups {
		for _, c := range g.Columns {
			for _, cell := range c.Cells {
				if strings.Contains(cell, "[1]") != (g.Title == "published" && cell != number.None) {
					t.Errorf("group %q, column %q holds %q", g.Title, c.Title, cell)
				}
			}
		}
	}
}
