package report

import (
	"slices"
	"strings"

	"shakedown/report/internal/table"
)

// table adds a table. Groups for which a line has no room follow in a further
// table under the same numbers; that one keeps the keys for which there is room.
func (t *text) table(tb table.Table) {
	for _, part := range tb.Parts(width) {
		t.blank()
		t.part(part)
	}
}

// part adds a table that fits into the width.
func (t *text) part(tb table.Table) {
	if slices.ContainsFunc(tb.Groups, func(g table.Group) bool { return g.Title != "" }) {
		t.row(tb, func(table.Column) string { return "" }, true)
	}
	t.row(tb, func(c table.Column) string { return c.Title }, false)
	for i := range tb.Keys[0].Cells {
		t.row(tb, func(c table.Column) string { return c.Cells[i] }, false)
	}
}

// row adds one line: the headings of the groups, or a cell of each column.
func (t *text) row(tb table.Table, cell func(table.Column) string, headings bool) {
	var line strings.Builder
	for _, k := range tb.Keys {
		line.WriteString(left(cell(k), k.Size()) + table.ColumnGap)
	}
	for i, g := range tb.Groups {
		if i > 0 {
			line.WriteString(table.GroupGap)
		}
		if headings {
			line.WriteString(left(g.Title, g.Size()))
			continue
		}
		line.WriteString(cells(g, cell))
	}
	t.line("%s", line.String())
}

// cells is one row of a group; the first column takes what room the heading of
// the group leaves.
func cells(g table.Group, cell func(table.Column) string) string {
	spare := g.Size() - g.ColumnsSize()
	parts := make([]string, len(g.Columns))
	for i, c := range g.Columns {
		parts[i] = right(cell(c), c.Size()+spare)
		spare = 0
	}
	return strings.Join(parts, table.ColumnGap)
}

func left(s string, n int) string  { return s + strings.Repeat(" ", max(0, n-table.Size(s))) }
func right(s string, n int) string { return strings.Repeat(" ", max(0, n-table.Size(s))) + s }
