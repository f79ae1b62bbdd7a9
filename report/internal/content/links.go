package content

import (
	"fmt"
	"slices"
	"strconv"

	"shakedown/report/internal/number"
	"shakedown/report/internal/table"
	"shakedown/result"
)

// manyLinks is from how many links on a case is one line over all of them.
const manyLinks = 3

// grid is handshakes that were measured on several links: a line for what they
// are, a column for each link.
type grid struct {
	links []string
	lines []line
	v     view // of the first row of each line, as asked: what stacks choose is the same on all links
}

// line is the rows of a case by their links.
type line map[string]result.Row

// gridOf lays rows out; nil where there are too few links.
func gridOf(rows []result.Row) *grid {
	g := &grid{}
	var first []result.Row
	at := map[string]int{}
	for _, r := range rows {
		if !slices.Contains(g.links, r.Case.Link) {
			g.links = append(g.links, r.Case.Link)
		}
		rest := r.Case
		rest.Link = ""
		i, known := at[rest.ID()]
		if !known {
			i = len(g.lines)
			at[rest.ID()] = i
			g.lines, first = append(g.lines, line{}), append(first, r)
		}
		g.lines[i][r.Case.Link] = r
	}
	if len(g.links) < manyLinks || len(g.lines) > len(rows)/2 {
		return nil
	}
	g.v = asAsked(first)
	g.v.fields = slices.DeleteFunc(g.v.fields, func(f string) bool { return f == "link" })
	return g
}

// ByLink are tables with a column for each link, where there are several; none
// where the cases are better shown by themselves.
func (s Section) ByLink() []Figures {
	g := gridOf(s.pick(s.Good()))
	if g == nil {
		return nil
	}
	out := []Figures{
		g.times("Until the answer, by link: median, ms",
			"until the first byte of the server's answer is at the client; TCP is connected before.",
			func(m result.Metric) float64 { return m.Median }),
		g.times("The same, 95th percentile, ms", "what is lost and sent again shows here.",
			func(m result.Metric) float64 { return m.P95 }),
		g.connect(),
	}
	return append(out, g.wire()...)
}

// figures makes a table of a cell for each row.
func (g *grid) figures(title string, cell func(result.Row) string, notes ...string) Figures {
	of := make([]int, len(g.lines))
	number1 := table.Column{Title: ""}
	for i := range of {
		of[i] = i
		number1.Cells = append(number1.Cells, strconv.Itoa(i+1))
	}
	t := table.Table{Keys: append([]table.Column{number1}, g.v.keys(of)...)}
	for _, link := range g.links {
		c := table.Column{Title: link}
		for _, l := range g.lines {
			text := number.None
			if r, found := l[link]; found {
				text = cell(r)
			}
			c.Cells = append(c.Cells, text)
		}
		t.Groups = append(t.Groups, table.Group{Columns: []table.Column{c}})
	}
	return Figures{Title: title, Table: t, Notes: notes}
}

// times is a table of one figure of the answer.
func (g *grid) times(title, note string, of func(result.Metric) float64) Figures {
	return g.figures(title, func(r result.Row) string {
		m := r.Metrics["response"]
		if m.N == 0 {
			return number.None
		}
		return milliseconds(of(m))
	}, note)
}

// milliseconds writes a time in seconds with about three digits: links differ by
// factors of thousands.
func milliseconds(s float64) string {
	ms := 1e3 * s
	switch {
	case ms < 10:
		return fmt.Sprintf("%.2f", ms)
	case ms < 100:
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}

// connect is what TCP takes on each link: the median of the cases.
func (g *grid) connect() Figures {
	t := table.Table{Keys: []table.Column{{Title: "TCP's connect", Cells: []string{"median of all, ms"}}}}
	for _, link := range g.links {
		var all []float64
		for _, l := range g.lines {
			if m := l[link].Metrics["connect"]; m.N > 0 {
				all = append(all, m.Median)
			}
		}
		cell := number.None
		if len(all) > 0 {
			slices.Sort(all)
			cell = milliseconds(all[len(all)/2])
		}
		t.Groups = append(t.Groups, table.Group{Columns: []table.Column{{Title: link, Cells: []string{cell}}}})
	}
	return Figures{Title: "TCP connects before all of these", Table: t}
}

// wire are tables of what was seen, where something was.
func (g *grid) wire() []Figures {
	var out []Figures
	for _, t := range []struct {
		title, note string
		cell        func(*result.Exchange) string
	}{
		{
			"Packets of the handshake, client/server", "those with payload, up to each side's last message; seen on emulated links, composed on loopback.",
			func(x *result.Exchange) string { return fmt.Sprintf("%d/%d", x.ClientPackets, x.ServerPackets) },
		},
		{
			"Round trips before the request", "as packets showed them, waiting for the window among them; on loopback those of the messages.",
			trips,
		},
	} {
		out = append(out, g.figures(t.title, func(r result.Row) string {
			x := Exchange(r)
			if x == nil {
				return number.None
			}
			return t.cell(x)
		}, t.note))
	}
	return out
}

// trips writes the round trips as seen, where they were.
func trips(x *result.Exchange) string {
	if seen := tripsSeen(x); seen != number.None {
		return seen
	}
	return strconv.Itoa(x.RoundTrips)
}
