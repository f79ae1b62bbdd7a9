package content

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"shakedown/report/internal/number"
	"shakedown/result"
)

// doubt is one warning about one case.
type doubt struct {
	index int // of the case in its Section
	text  string
}

// figure is a number that stands for itself, not part of a name.
var figure = regexp.MustCompile(`(^|[ (])[0-9]+(\.[0-9]+)?`)

// Warnings lists what is doubtful about the figures, that of one sort together.
func Warnings(all []Section) []Remark {
	var out []Remark
	for _, s := range all {
		var order []string
		sorts := map[string][]doubt{}
		for _, d := range doubts(s.Rows) {
			sort := figure.ReplaceAllString(d.text, "$1#")
			if sorts[sort] == nil {
				order = append(order, sort)
			}
			sorts[sort] = append(sorts[sort], d)
		}
		for _, sort := range order {
			out = append(out, warning(s, sorts[sort]))
		}
	}
	return out
}

// doubts lists the warnings of rows and of their comparisons, each once a case.
func doubts(rows []result.Row) []doubt {
	var out []doubt
	for i, r := range rows {
		texts := slices.Clone(r.Warnings)
		for _, c := range r.Comparisons {
			for _, text := range c.Warnings {
				texts = append(texts, "comparison of "+metricName(c.Metric)+": "+text)
			}
		}
		for n, text := range texts {
			if !slices.Contains(texts[:n], text) {
				out = append(out, doubt{i, text})
			}
		}
	}
	return out
}

// warning tells of one sort: the text where it is the same for all, else the one of
// the largest effect, the last number of each text; then the cases.
func warning(s Section, all []doubt) Remark {
	slices.SortStableFunc(all, func(a, b doubt) int { return cmp.Compare(effect(b.text), effect(a.text)) })
	worst := all[0].text
	if slices.ContainsFunc(all, func(d doubt) bool { return d.text != worst }) {
		worst += " (the worst of " + number.Count(len(all), "case") + ")"
	}
	of := make([]int, len(all))
	for i, d := range all {
		of[i] = d.index
	}
	return Remark{worst, string(s.Kind) + "s: " + s.v.brief(of)}
}

// effect is the last number of a text, 0 without one.
func effect(text string) float64 {
	found := figure.FindAllString(text, -1)
	if len(found) == 0 {
		return 0
	}
	value, _ := strconv.ParseFloat(strings.TrimLeft(found[len(found)-1], " ("), 64)
	return value
}
