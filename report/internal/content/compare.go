package content

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"shakedown/report/internal/number"
	"shakedown/report/internal/table"
	"shakedown/result"
)

// pair is a row and what it is compared with.
type pair struct {
	result.Comparison
	row, base result.Row
}

// contest is the pairs of one comparison of the plan.
type contest struct {
	pairs   []pair
	v       view     // of row and base by turns
	differs []string // fields in which a row shows something else than its base
}

// contestOf collects the comparisons of a title, in the order of the rows, those
// of the same stacks together.
func contestOf(rows []result.Row, title string) contest {
	byID := map[string]result.Row{}
	for _, r := range rows {
		byID[r.ID] = r
	}
	var c contest
	for _, r := range rows {
		for _, one := range r.Comparisons {
			if base, found := byID[one.Base]; found && one.Title == title {
				c.pairs = append(c.pairs, pair{one, r, base})
			}
		}
	}
	c.pairs = byStacks(c.pairs, func(p pair) result.Row { return p.row })
	c.look()
	return c
}

// byStacks sorts so that what has the same stacks is together, in the order in
// which the stacks come up.
func byStacks[T any](list []T, row func(T) result.Row) []T {
	stacks := func(one T) string { return row(one).Case.Client + " " + row(one).Case.Server }
	order := map[string]int{}
	for i, one := range list {
		order[stacks(one)] = cmp.Or(order[stacks(one)], i+1)
	}
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b T) int { return order[stacks(a)] - order[stacks(b)] })
	return sorted
}

// look finds out how the cases are named: by what tells them apart, and apart
// from their bases.
func (c *contest) look() {
	var both []result.Row
	for _, p := range c.pairs {
		both = append(both, p.row, p.base)
	}
	c.v = asAsked(both)
	for _, field := range c.v.fields {
		for i := range c.pairs {
			if c.v.value(2*i, field) != c.v.value(2*i+1, field) {
				c.differs = append(c.differs, field)
				break
			}
		}
	}
	c.v.fields = slices.DeleteFunc(c.v.fields, func(field string) bool {
		return !slices.Contains(c.differs, field) && !c.varies(field)
	})
	if !slices.Contains(c.v.fields, "client") {
		c.v.fields = append([]string{"client"}, c.v.fields...)
	}
}

// varies: the rows show different values.
func (c *contest) varies(field string) bool {
	for i := range c.pairs {
		if c.v.value(2*i, field) != c.v.value(0, field) {
			return true
		}
	}
	return false
}

// target names row i by what it may have otherwise than its base.
func (c *contest) target(i int) string { return c.apart(2 * i) }

// base names the base of row i.
func (c *contest) base(i int) string { return c.apart(2*i + 1) }

func (c *contest) apart(i int) string {
	return cmp.Or(strings.Join(c.v.values(i, c.differs), " "), "the same without")
}

// GainMeans says how comparisons are read.
const GainMeans = "gain = base / this - 1: so much more gets done in the same time. Its 95 % interval and whether it is " +
	"significant come from the medians of blocks that took turns."

// Comparisons makes a table for each comparison of the plan; without a pair of
// cases it is empty.
func Comparisons(run result.Run, rows []result.Row) []Figures {
	var titles []string
	var out []Figures
	for _, c := range run.Plan.Comparisons {
		if slices.Contains(titles, c.Title) {
			continue
		}
		titles = append(titles, c.Title)
		if contest := contestOf(rows, c.Title); len(contest.pairs) > 0 {
			out = append(out, contest.figures(c.Title))
		} else {
			out = append(out, Figures{Title: c.Title + ": nothing to compare, the cases have no figures here"})
		}
	}
	return out
}

// figures makes one table.
func (c contest) figures(title string) Figures {
	of := make([]int, len(c.pairs))
	base := table.Column{Title: "base"}
	for i := range c.pairs {
		of[i] = 2 * i
		base.Cells = append(base.Cells, c.base(i))
	}
	keys := c.v.keys(of)
	if len(slices.Compact(slices.Clone(base.Cells))) == 1 {
		title += "; base: " + base.Cells[0]
	} else {
		keys = append(keys, base)
	}
	first := c.pairs[0]
	groups, sources := gains(c.pairs)
	return Figures{
		Title: fmt.Sprintf("%s; %s of %s", title, first.Statistic, metricName(first.Metric)),
		Table: table.Table{Keys: keys, Groups: groups},
		Notes: slices.Concat(footnotes(sources), c.v.notes()),
	}
}

// gains are the columns of a comparison: ours, and the published gain apart.
func gains(pairs []pair) (groups []table.Group, sources []string) {
	s := number.ScaleFor(pairs[0].unit(), values(pairs))
	times := []table.Column{{Title: "base"}, {Title: "this"}}
	gain := []table.Column{{Title: "gain"}, {Title: "95 % of medians"}, {Title: ""}}
	published := table.Column{Title: "gain"}
	for _, p := range pairs {
		times[0].Cells = append(times[0].Cells, s.Print(p.figure(p.base)))
		times[1].Cells = append(times[1].Cells, s.Print(p.figure(p.row)))
		gain[0].Cells = append(gain[0].Cells, number.Signed(p.Gain))
		gain[1].Cells = append(gain[1].Cells, p.interval())
		gain[2].Cells = append(gain[2].Cells, p.verdict())
		cell := number.None
		if p.Published != nil {
			cell = number.Published(p.Published.Unit, p.Published.Value) + " " + mark(&sources, p.Published.Source)
		}
		published.Cells = append(published.Cells, cell)
	}
	groups = []table.Group{{Title: pairs[0].Statistic + ", " + s.Unit, Columns: times}, {Title: "measured", Columns: gain}}
	if len(sources) > 0 {
		groups = append(groups, table.Group{Title: PublishedTitle, Columns: []table.Column{published}, Beside: true})
	}
	return groups, sources
}

func values(pairs []pair) []float64 {
	var out []float64
	for _, p := range pairs {
		out = append(out, p.figure(p.base), p.figure(p.row))
	}
	return out
}

// figure is what is compared of a row.
func (p pair) figure(r result.Row) float64 {
	if p.Statistic == "mean" {
		return r.Metrics[p.Metric].Mean
	}
	return r.Metrics[p.Metric].Median
}

func (p pair) unit() string { return p.row.Metrics[p.Metric].Unit }

// interval is none where no block could be paired.
func (p pair) interval() string {
	if p.High <= -1 {
		return number.None
	}
	return strings.TrimSuffix(number.Signed(p.Low), " %") + " to " + number.Signed(p.High)
}

// Verdicts.
const (
	notSignificant = "not significant"
	tooFew         = "too few blocks to tell"
	contradictory  = "unclear: mean and medians disagree"
)

// verdict says in a word what the gain is worth.
func (p pair) verdict() string {
	better, worse := "faster", "slower"
	if p.unit() != "s" {
		better, worse = "less", "more"
	}
	apart := p.Low > 0 || p.High < 0
	switch {
	case !p.Significant && apart:
		return tooFew
	case !p.Significant:
		return notSignificant
	case p.Low > 0 && p.Gain > 0:
		return better
	case p.High < 0 && p.Gain < 0:
		return worse
	}
	return contradictory
}

// metricName is a metric as the tables call it.
func metricName(metric string) string {
	names := map[string]string{
		"response": "answer", "client_complete": "complete at the client", "server_complete": "complete at the server",
		"client_cpu": "CPU time of the client", "server_cpu": "CPU time of the server",
		"process":       "time with process",
		"client_memory": "memory of the client", "server_memory": "memory of the server",
	}
	return cmp.Or(names[metric], strings.ReplaceAll(metric, "_", " "))
}
