package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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

// comparisons adds the comparisons of the plan.
func (t *text) comparisons(run result.Run, rows []result.Row) {
	all := comparisonsOf(run, rows)
	if len(all) == 0 {
		return
	}
	t.blank()
	t.line("COMPARISONS (measured; what others published stands apart)")
	t.wrap("  ", "  ", gainMeans)
	for _, c := range all {
		t.blank()
		t.wrap("  ", "  ", c.title)
		t.table(c.table)
		for _, note := range c.notes {
			t.wrap("  ", "    ", note)
		}
	}
}

// gainMeans says how comparisons are read.
const gainMeans = "gain = base / this - 1: so much more gets done in the same time. Its 95 % interval and whether it is " +
	"significant come from the medians of blocks that took turns."

// comparison is what a comparison of the plan came to; without a pair of cases
// the table is empty.
type comparison struct {
	title string
	table table
	notes []string
}

// comparisonsOf makes a table for each comparison of the plan.
func comparisonsOf(run result.Run, rows []result.Row) []comparison {
	var titles []string
	var out []comparison
	for _, c := range run.Plan.Comparisons {
		if slices.Contains(titles, c.Title) {
			continue
		}
		titles = append(titles, c.Title)
		if contest := contestOf(rows, c.Title); len(contest.pairs) > 0 {
			out = append(out, contest.comparison(c.Title))
		} else {
			out = append(out, comparison{title: c.Title + ": nothing to compare, the cases have no figures here"})
		}
	}
	return out
}

// comparison makes one table.
func (c contest) comparison(title string) comparison {
	of := make([]int, len(c.pairs))
	base := column{title: "base"}
	for i := range c.pairs {
		of[i] = 2 * i
		base.cells = append(base.cells, c.base(i))
	}
	keys := c.v.keys(of)
	if len(slices.Compact(slices.Clone(base.cells))) == 1 {
		title += "; base: " + base.cells[0]
	} else {
		keys = append(keys, base)
	}
	first := c.pairs[0]
	groups, sources := gains(c.pairs)
	return comparison{
		fmt.Sprintf("%s; %s of %s", title, first.Statistic, metricName(first.Metric)),
		table{keys: keys, groups: groups},
		slices.Concat(footnotes(sources), c.v.notes()),
	}
}

// gains are the columns of a comparison: ours, and the published gain apart.
func gains(pairs []pair) (groups []group, sources []string) {
	s := scaleFor(pairs[0].unit(), values(pairs))
	times := []column{{title: "base"}, {title: "this"}}
	gain := []column{{title: "gain"}, {title: "95 % of medians"}, {title: ""}}
	published := column{title: "gain"}
	for _, p := range pairs {
		times[0].cells = append(times[0].cells, s.print(p.figure(p.base)))
		times[1].cells = append(times[1].cells, s.print(p.figure(p.row)))
		gain[0].cells = append(gain[0].cells, signed(p.Gain))
		gain[1].cells = append(gain[1].cells, p.interval())
		gain[2].cells = append(gain[2].cells, p.verdict())
		cell := none
		if p.Published != nil {
			cell = publishedText(p.Published.Unit, p.Published.Value) + " " + mark(&sources, p.Published.Source)
		}
		published.cells = append(published.cells, cell)
	}
	groups = []group{{pairs[0].Statistic + ", " + s.unit, times}, {"measured", gain}}
	if len(sources) > 0 {
		groups = append(groups, group{publishedTitle, []column{published}})
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
		return none
	}
	return strings.TrimSuffix(signed(p.Low), " %") + " to " + signed(p.High)
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
		"client_memory": "memory of the client", "server_memory": "memory of the server",
	}
	return cmp.Or(names[metric], strings.ReplaceAll(metric, "_", " "))
}
