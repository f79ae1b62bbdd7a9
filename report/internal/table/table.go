// Package table holds the tables of a report before they have a form: rows of
// cells in columns, and how they are cut to fit a width.
package table

import "unicode/utf8"

// Table is rows of cells: key columns, at least one, say which case a row is;
// groups of columns, to the right of them, hold what is said of it.
type Table struct {
	Keys   []Column
	Groups []Group
}

// Group is columns under a heading of their own.
type Group struct {
	Title   string
	Columns []Column
	Beside  bool // it is read beside the group before it
}

// Column is a cell of each row under a title.
type Column struct {
	Title string
	Cells []string
}

// Spaces between columns and between groups.
const (
	ColumnGap = "  "
	GroupGap  = "   "
)

// Size is how many characters a text takes.
func Size(s string) int { return utf8.RuneCountInString(s) }

// Size is the width of the widest cell, the title included.
func (c Column) Size() int {
	widest := Size(c.Title)
	for _, cell := range c.Cells {
		widest = max(widest, Size(cell))
	}
	return widest
}

// ColumnsSize is the width of the columns of a group without its heading.
func (g Group) ColumnsSize() int {
	sum := len(ColumnGap) * (len(g.Columns) - 1)
	for _, c := range g.Columns {
		sum += c.Size()
	}
	return sum
}

// Size is the width of a group.
func (g Group) Size() int { return max(Size(g.Title), g.ColumnsSize()) }

// Parts cuts a table into such as are no wider than that, as far as possible.
// Groups for which a line has no room follow in a further table with the same
// first key; that one keeps the other keys for which there is room.
func (t Table) Parts(width int) []Table {
	var out []Table
	keys := t.Keys
	for rest, first := t.Groups, true; len(rest) > 0; first = false {
		for !first && len(keys) > 1 && fitting(rest, width-keysSize(keys)) < len(rest) {
			keys = keys[:len(keys)-1]
		}
		n := fitting(rest, width-keysSize(keys))
		if n == 0 && !first {
			n = 1
		}
		out = append(out, Table{keys, rest[:n]})
		rest = rest[n:]
	}
	return out
}

func keysSize(keys []Column) int {
	sum := 0
	for _, k := range keys {
		sum += k.Size() + len(ColumnGap)
	}
	return sum
}

// fitting is how many groups fit into the room that the keys leave, without
// tearing apart those that are read beside each other.
func fitting(groups []Group, room int) int {
	n := 0
	for i, g := range groups {
		if room -= len(GroupGap) + g.Size(); room < 0 {
			break
		}
		if i+1 == len(groups) || !groups[i+1].Beside {
			n = i + 1
		}
	}
	return n
}
