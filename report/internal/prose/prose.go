// Package prose holds how a report writes words: where lines may break, what may
// be printed, how names are joined.
package prose

import (
	"slices"
	"strings"
	"unicode"
)

// Printable replaces what a reader's terminal or browser might obey: names and
// reasons come from peers.
func Printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return '?'
}

// units stay on the line of their number, as versions do with their protocol.
var units = []string{"%", "s", "ms", "µs", "ns", "B", "KiB", "MiB", "GiB", "min"}

// Glued splits words where a line may break.
func Glued(words string) []string {
	var out []string
	for _, word := range strings.Fields(words) {
		unit := slices.Contains(units, strings.TrimRight(word, ").,;:"))
		if len(out) > 0 && (unit || out[len(out)-1] == "TLS") {
			out[len(out)-1] += " " + word
			continue
		}
		out = append(out, word)
	}
	return out
}

// All joins words as in a sentence: "a, b and c".
func All(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// Sentence writes a heading of capitals as it is written elsewhere.
func Sentence(heading string) string {
	if heading == "" {
		return ""
	}
	return heading[:1] + strings.ToLower(heading[1:])
}
