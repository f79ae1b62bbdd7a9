package ladder

import (
	"shakedown/result"
)

// fit says whether the ClientHello leaves in one packet, and what would make it.
func (p *page) fit(f *result.Fit) {
	if f == nil {
		return
	}
	p.section("Does the ClientHello leave in one packet?")
	p.words("  ", "  ", answer(f))
	if len(f.Ways) > 0 {
		p.ways(f.Ways)
	}
	if f.Spare < 0 {
		p.words("  ", "  ", enough(f))
	}
}

// answer is the sentence in short.
func answer(f *result.Fit) string {
	if f.MSS <= 0 || f.Bytes <= 0 {
		return "That cannot be told: the size of the ClientHello, or of a packet, is not known."
	}
	words := "Yes: with its record it has " + octets(f.Bytes) + ", " + octets(f.Spare) + " less than a packet carries"
	if f.Spare < 0 {
		words = "No: with its record it has " + octets(f.Bytes) + ", " + octets(-f.Spare) + " more than a packet carries"
	}
	words += " (MSS " + octets(f.MSS) + "), and leaves in " + count(f.Packets, "packet")
	if f.Label != "" {
		words += " (" + string(f.Label) + ")"
	}
	return words + "."
}

// ways lists single changes in the order in which they are easy to give up.
func (p *page) ways(ways []result.Way) {
	p.words("  ", "  ", "What could be left out, the cheapest to give up first:")
	p.line("")
	table := [][]string{{"saves", "then", "fits", "change", "price"}}
	for _, w := range ways {
		fits := map[bool]string{true: "yes", false: "no"}[w.Fits]
		table = append(table, []string{octets(w.Saves), octets(w.Bytes), fits, w.Name, w.Price})
	}
	columns := p.columns(table, 4)
	columns[0].right, columns[1].right = true, true
	for _, cells := range table {
		p.row(columns, cells...)
	}
	p.line("")
}

// enough says what to do, or that nothing helps.
func enough(f *result.Fit) string {
	switch {
	case len(f.Enough) == 1:
		return "Enough: " + f.Enough[0] + "."
	case len(f.Enough) > 1:
		return "Enough together: " + all(f.Enough) + "."
	case len(f.Ways) > 0:
		return "Not even all of this together makes it fit."
	}
	return "Nothing was found that makes it fit."
}
