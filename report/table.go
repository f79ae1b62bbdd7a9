package report

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// table is rows of cells: key columns, at least one, say which case a row is;
// groups of columns, to the right of them, hold what is said of it.
type table struct {
	keys   []column
	groups []group
}

// group is columns under a heading of their own.
type group struct {
	title   string
	columns []column
}

type column struct {
	title string
	cells []string
}

// Spaces between columns and between groups.
const (
	columnGap = "  "
	groupGap  = "   "
)

// size is how many characters a text takes.
func size(s string) int { return utf8.RuneCountInString(s) }

func (c column) size() int {
	widest := size(c.title)
	for _, cell := range c.cells {
		widest = max(widest, size(cell))
	}
	return widest
}

// columnsSize is the width of the columns of a group without its heading.
func (g group) columnsSize() int {
	sum := len(columnGap) * (len(g.columns) - 1)
	for _, c := range g.columns {
		sum += c.size()
	}
	return sum
}

func (g group) size() int { return max(size(g.title), g.columnsSize()) }

// table adds a table. Groups for which a line has no room follow in a further
// table under the same numbers; that one keeps the keys for which there is room.
func (t *text) table(tb table) {
	for _, part := range tb.parts(width) {
		t.blank()
		t.part(part.keys, part.groups)
	}
}

// parts cuts a table into such as are no wider than that, as far as possible.
func (tb table) parts(width int) []table {
	var out []table
	keys := tb.keys
	for rest, first := tb.groups, true; len(rest) > 0; first = false {
		for !first && len(keys) > 1 && fitting(rest, width-keysSize(keys)) < len(rest) {
			keys = keys[:len(keys)-1]
		}
		n := fitting(rest, width-keysSize(keys))
		if n == 0 && !first {
			n = 1
		}
		out = append(out, table{keys, rest[:n]})
		rest = rest[n:]
	}
	return out
}

func keysSize(keys []column) int {
	sum := 0
	for _, k := range keys {
		sum += k.size() + len(columnGap)
	}
	return sum
}

// fitting is how many groups fit into the room that the keys leave.
func fitting(groups []group, room int) int {
	for i, g := range groups {
		if room -= len(groupGap) + g.size(); room < 0 {
			return i
		}
	}
	return len(groups)
}

// part adds a table that fits into the width.
func (t *text) part(keys []column, groups []group) {
	if slices.ContainsFunc(groups, func(g group) bool { return g.title != "" }) {
		t.row(keys, groups, func(column) string { return "" }, true)
	}
	t.row(keys, groups, func(c column) string { return c.title }, false)
	for i := range keys[0].cells {
		t.row(keys, groups, func(c column) string { return c.cells[i] }, false)
	}
}

// row adds one line: the headings of the groups, or a cell of each column.
func (t *text) row(keys []column, groups []group, cell func(column) string, headings bool) {
	var line strings.Builder
	for _, k := range keys {
		line.WriteString(left(cell(k), k.size()) + columnGap)
	}
	for i, g := range groups {
		if i > 0 {
			line.WriteString(groupGap)
		}
		if headings {
			line.WriteString(left(g.title, g.size()))
			continue
		}
		line.WriteString(g.cells(cell))
	}
	t.line("%s", line.String())
}

// cells is the cells of one row; the first column takes what room the heading
// of the group leaves.
func (g group) cells(cell func(column) string) string {
	spare := g.size() - g.columnsSize()
	parts := make([]string, len(g.columns))
	for i, c := range g.columns {
		parts[i] = right(cell(c), c.size()+spare)
		spare = 0
	}
	return strings.Join(parts, columnGap)
}

func left(s string, n int) string  { return s + strings.Repeat(" ", max(0, n-size(s))) }
func right(s string, n int) string { return strings.Repeat(" ", max(0, n-size(s))) + s }
