package ladder

import (
	"strconv"
	"strings"
	"unicode"
)

// plain escapes what a terminal might obey: names come from peers.
func plain(s string) string {
	var out strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			out.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRuneToASCII(r)
		out.WriteString(quoted[1 : len(quoted)-1])
	}
	return out.String()
}

// wrap breaks a text into lines of at most room characters, at spaces where it
// can. A text that fits stays as it is, and its indent stays with each line.
func wrap(text string, room int) []string {
	text = plain(text)
	if size(text) <= room {
		return []string{text}
	}
	indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
	if len(indent) > room/2 {
		indent = ""
	}
	var lines []string
	line := ""
	for _, word := range pieces(glued(text), room-len(indent)) {
		if line != "" && len(indent)+size(line)+1+size(word) > room {
			lines, line = append(lines, indent+line), ""
		}
		line = strings.TrimLeft(line+" "+word, " ")
	}
	return append(lines, indent+line)
}

// glued splits a text into words; a number stays with the word behind it.
func glued(text string) []string {
	var out []string
	for _, word := range strings.Fields(text) {
		if last := len(out) - 1; last >= 0 && isNumber(out[last]) {
			out[last] += " " + word
			continue
		}
		out = append(out, word)
	}
	return out
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789,.") == "" && s[len(s)-1] != '.' }

// pieces cuts words that no line can hold.
func pieces(words []string, room int) []string {
	var out []string
	for _, word := range words {
		runes := []rune(word)
		for len(runes) > room {
			out, runes = append(out, string(runes[:room])), runes[room:]
		}
		out = append(out, string(runes))
	}
	return out
}

// all joins words as in a sentence: "a, b and c".
func all(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
