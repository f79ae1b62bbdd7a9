package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxName is the longest name, in bytes, that is compared with known ones.
const maxName = 128

// maxNear is how many near names an error lists.
const maxNear = 3

// UnknownName says that a name is not in the vocabulary.
type UnknownName struct {
	What string   // the kind of thing that was asked for, such as "group"
	Name string   // the name as given
	Near []string // known names close to it, best first, may be empty
}

// Error names the kind, the name, the near names and where all are listed.
func (e *UnknownName) Error() string {
	see := " (see `shakedown stacks`)"
	if e.What == "study" || e.What == "field" || e.What == "link" || e.What == "message" {
		see = ""
	}
	name := e.Name
	if len(name) > maxName {
		name = name[:maxName] + "..."
	}
	if len(e.Near) == 0 {
		return fmt.Sprintf("unknown %s %q%s", e.What, name, see)
	}
	return fmt.Sprintf("unknown %s %q: did you mean %s%s?", e.What, name, alternatives(e.Near), see)
}

// texts turns names into plain text.
func texts[T ~string](names []T) []string {
	plain := make([]string, len(names))
	for i, n := range names {
		plain[i] = string(n)
	}
	return plain
}

// alternatives joins names as a sentence does: "a, b or c".
func alternatives(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// unknown makes the error for a name out of a long list.
func unknown(what, name string, candidates []string) error {
	return &UnknownName{What: what, Name: name, Near: Near(name, candidates)}
}

// unknownOf makes the error for a name out of a list short enough to be given
// whole when nothing in it is near.
func unknownOf[T ~string](what, name string, all []T) error {
	candidates := texts(all)
	near := Near(name, candidates)
	if len(near) == 0 {
		near = candidates
	}
	return &UnknownName{What: what, Name: name, Near: near}
}

// Near returns up to three of the candidates that look like name, the closest
// first: those a few edits away or, where there are none, those that hold it.
// Letter case and separators do not count.
func Near(name string, candidates []string) []string {
	want := fold(name)
	if want == "" || len(want) > maxName {
		return nil
	}
	type scored struct {
		name     string
		distance int
	}
	var few, holding []scored
	for _, c := range candidates {
		have := fold(c)
		distance := editDistance(want, have)
		switch {
		case distance <= 1+max(len(want), len(have))/4:
			few = append(few, scored{c, distance})
		case len(want) >= 3 && strings.Contains(have, want):
			holding = append(holding, scored{c, distance})
		}
	}
	if few == nil {
		few = holding
	}
	slices.SortStableFunc(few, func(a, b scored) int { return cmp.Compare(a.distance, b.distance) })
	var near []string
	for _, s := range few[:min(len(few), maxNear)] {
		near = append(near, s.name)
	}
	return near
}

// editDistance counts the insertions, deletions, substitutions and swaps of
// neighbours that turn a into b (optimal string alignment).
func editDistance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// fold reduces a spelling to what the libraries agree on: lower case letters
// and digits without separators.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r == '-' || r == '_' || r == ' ' || r == '.':
			return -1
		}
		return r
	}, name)
}

// parseCode reads a code point written "0x1234".
func parseCode(s string) (code uint16, ok bool) {
	digits, found := strings.CutPrefix(strings.ToLower(s), "0x")
	if !found {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 16, 16)
	return uint16(n), err == nil
}

// codeName prints a code point that has no name here.
func codeName(code uint16) string { return fmt.Sprintf("0x%04X", code) }

// IsGREASE reports whether code is one of the 16 values that clients send to
// keep servers tolerant of the unknown (RFC 8701): 0x0A0A, 0x1A1A to 0xFAFA. The
// same values serve groups, suites, extensions and signature schemes.
func IsGREASE(code uint16) bool {
	return code&0x0F0F == 0x0A0A && code>>8 == code&0xFF
}
