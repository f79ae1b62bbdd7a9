package ladder

import (
	"strings"
	"unicode/utf8"
)

// page gathers a drawing line by line.
type page struct {
	text  strings.Builder
	width int // columns
}

func newPage(width int) *page {
	if width <= 0 {
		width = Usual
	}
	return &page{width: max(width, Least)}
}

// line adds one line, without spaces at its end.
func (p *page) line(s string) {
	p.text.WriteString(strings.TrimRight(s, " "))
	p.text.WriteByte('\n')
}

// section begins a part of the page.
func (p *page) section(title string) {
	p.line("")
	p.words("", "  ", title)
}

// words adds prose, its first line behind first and the others behind rest, which
// are equally wide or short.
func (p *page) words(first, rest, prose string) {
	for _, line := range wrap(prose, p.width-max(size(first), size(rest))) {
		p.line(first + line)
		first = rest
	}
}

// fact adds what is said of something.
func (p *page) fact(what, prose string) {
	first := "  " + left(what, 13)
	p.words(first, strings.Repeat(" ", size(first)), prose)
}

// gap stands between columns.
const gap = "  "

// column is a column of a table.
type column struct {
	width int
	right bool // its cells are flush right
}

// fitting makes a column as wide as its widest cell, and no wider than limit.
func fitting(limit int, cells []string) column {
	widest := 1
	for _, c := range cells {
		widest = max(widest, size(c))
	}
	return column{width: max(1, min(widest, limit))}
}

// columns makes the columns of a table as wide as their cells. The one that is
// wide takes no more than the others leave, and those a third of a line each.
func (p *page) columns(rows [][]string, wide int) []column {
	var columns []column
	for _, row := range rows {
		for i := len(columns); i < len(row); i++ {
			columns = append(columns, fitting(p.width/3, cellsOf(rows, i)))
		}
	}
	columns[wide].width = 0
	columns[wide] = fitting(p.width-len("  ")-widthOf(columns), cellsOf(rows, wide))
	return columns
}

// cellsOf lists the cells of one column.
func cellsOf(rows [][]string, i int) (cells []string) {
	for _, row := range rows {
		if i < len(row) {
			cells = append(cells, plain(row[i]))
		}
	}
	return cells
}

// widthOf is what columns take, the gaps between them included.
func widthOf(columns []column) int {
	sum := len(gap) * (len(columns) - 1)
	for _, c := range columns {
		sum += c.width
	}
	return sum
}

// row adds a row of a table. A cell wider than its column goes on below.
func (p *page) row(columns []column, cells ...string) {
	parts, lines := make([][]string, len(cells)), 1
	for i, cell := range cells {
		parts[i] = wrap(cell, columns[i].width)
		lines = max(lines, len(parts[i]))
	}
	for n := range lines {
		p.line("  " + joined(columns, parts, n))
	}
}

// joined is line n of a row.
func joined(columns []column, parts [][]string, n int) string {
	cells := make([]string, len(parts))
	for i, part := range parts {
		text := ""
		if n < len(part) {
			text = part[n]
		}
		cells[i] = columns[i].place(text)
	}
	return strings.Join(cells, gap)
}

func (c column) place(text string) string {
	if c.right {
		return right(text, c.width)
	}
	return left(text, c.width)
}

// size is how many columns a text takes.
func size(s string) int { return utf8.RuneCountInString(s) }

func left(s string, n int) string  { return s + strings.Repeat(" ", max(0, n-size(s))) }
func right(s string, n int) string { return strings.Repeat(" ", max(0, n-size(s))) + s }
