package ladder

import (
	"cmp"
	"slices"
	"strings"

	"shakedown/result"
)

// Bounds of the width of the longest bar.
const (
	shortestBar = 8
	longestBar  = 40
)

// item is a line of the list of what the ClientHello is made of.
type item struct {
	name  string
	bytes int
	part  bool // of the item above
}

// offer lists what each part of the ClientHello costs, the largest first.
func (p *page) offer(t result.Transcript) {
	if t.Hello == nil {
		return
	}
	items := itemsOf(t.Hello)
	size := helloSize(t.Hello)
	p.section(whichHello(t.Wire) + ", " + figure(size) + " bytes: what each extension costs")
	columns, longest := p.itemColumns(items, size), longestOf(items)
	for _, it := range items {
		p.row(columns, append(it.cells(size), it.bar(longest, columns[barColumn].width))...)
	}
	if t.Hello.JA4 != "" {
		p.fact("JA4", t.Hello.JA4)
	}
}

func whichHello(x result.Exchange) string {
	if x.HelloRetry {
		return "The first ClientHello"
	}
	return "ClientHello"
}

// helloSize is the sum of the parts, which is the message.
func helloSize(o *result.Offer) int {
	sum := o.Other
	for _, e := range o.Extensions {
		sum += e.Bytes
	}
	return sum
}

// itemsOf sorts extensions by what they cost, and the parts of each.
func itemsOf(o *result.Offer) (items []item) {
	all := append(slices.Clone(o.Extensions), result.Extension{Name: "outside extensions", Bytes: o.Other})
	slices.SortStableFunc(all, func(a, b result.Extension) int { return cmp.Compare(b.Bytes, a.Bytes) })
	for _, e := range all {
		items = append(items, item{name: e.Name, bytes: e.Bytes})
		parts := slices.Clone(e.Parts)
		slices.SortStableFunc(parts, func(a, b result.Part) int { return cmp.Compare(b.Bytes, a.Bytes) })
		for _, part := range parts {
			items = append(items, item{"  " + part.Name, part.Bytes, true})
		}
	}
	return items
}

// barColumn is the column behind name, bytes and share.
const barColumn = 3

// itemColumns leaves the bars what names and figures leave, within bounds.
func (p *page) itemColumns(items []item, sum int) []column {
	var table [][]string
	for _, it := range items {
		table = append(table, append(it.cells(sum), strings.Repeat("█", shortestBar)))
	}
	columns := p.columns(table, 0)
	columns[1].right, columns[2].right = true, true
	columns[barColumn].width = 0
	columns[barColumn].width = min(longestBar, p.width-len("  ")-widthOf(columns))
	return columns
}

// cells are name, bytes and share of the whole.
func (it item) cells(sum int) []string {
	if it.part {
		return []string{it.name, figure(it.bytes), ""}
	}
	return []string{it.name, figure(it.bytes), percent(it.bytes, sum)}
}

func longestOf(items []item) int {
	return slices.MaxFunc(items, func(a, b item) int { return cmp.Compare(a.bytes, b.bytes) }).bytes
}

// bar is an item's bar, that of a part in grey.
func (it item) bar(longest, room int) string {
	n := eighths(it.bytes, longest, room)
	if it.part {
		return strings.Repeat("░", n/8)
	}
	return strings.Repeat("█", n/8) + []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}[n%8]
}

// eighths is the length of a bar in eighths of a character.
func eighths(n, longest, room int) int {
	if n <= 0 || longest <= 0 || room <= 0 {
		return 0
	}
	return max(1, int(float64(n)/float64(longest)*float64(8*room)))
}
