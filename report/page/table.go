package page

import (
	"strings"

	"shakedown/report/internal/content"
	"shakedown/report/internal/table"
)

// pageTable is a table row by row.
type pageTable struct {
	Keys   []string
	Groups []pageGroup
	Rows   []pageRow
}

type pageGroup struct {
	Title, Class string
	Columns      []pageCell
}

// pageRow is the keys of a case and its cells.
type pageRow struct {
	Keys  []string
	Cells []pageCell
}

type pageCell struct{ Text, Class string }

// pageWidth is how many characters a table of the page may take.
const pageWidth = 132

// tablesOf turns a table into such as fit on a page.
func tablesOf(tb table.Table) []pageTable {
	var out []pageTable
	for _, part := range tb.Parts(pageWidth) {
		t := pageTable{Rows: make([]pageRow, len(part.Keys[0].Cells))}
		for _, k := range part.Keys {
			t.Keys = append(t.Keys, k.Title)
			for i := range t.Rows {
				t.Rows[i].Keys = append(t.Rows[i].Keys, k.Cells[i])
			}
		}
		for _, g := range part.Groups {
			t.add(g)
		}
		out = append(out, t)
	}
	return out
}

// add puts a group of columns to the right. Classes tell where a group begins
// and which figures are somebody else's.
func (t *pageTable) add(g table.Group) {
	class := ""
	if g.Title == content.PublishedTitle {
		class = " published"
	}
	head := pageGroup{Title: g.Title, Class: "first" + class}
	for n, c := range g.Columns {
		of := strings.TrimSpace(class)
		if n == 0 {
			of = head.Class
		}
		head.Columns = append(head.Columns, pageCell{c.Title, of})
		for i := range t.Rows {
			t.Rows[i].Cells = append(t.Rows[i].Cells, pageCell{c.Cells[i], of})
		}
	}
	t.Groups = append(t.Groups, head)
}
