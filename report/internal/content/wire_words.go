package content

import (
	"fmt"
	"slices"
	"strings"

	"shakedown/report/internal/number"
	"shakedown/report/internal/prose"
	"shakedown/result"
)

// wireWords says how rows differ from their bases on the wire, in what decides:
// round trips, the bytes of both hellos where they change much, and whether the
// ClientHello needs another packet.
func wireWords(pairs []pair) string {
	var both []pair
	for _, p := range pairs {
		if Exchange(p.row) != nil && Exchange(p.base) != nil {
			both = append(both, p)
		}
	}
	var parts []string
	for _, words := range []func([]pair) string{tripWords, helloWords, packetWords} {
		if text := words(both); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "; ")
}

// tripWords: the round trips, where they differ.
func tripWords(pairs []pair) string {
	return insteadOf(pairs, "round trip", func(x *result.Exchange) int { return x.RoundTrips })
}

// packetWords: the packets of the ClientHello, where they differ.
func packetWords(pairs []pair) string {
	text := insteadOf(pairs, "packet", func(x *result.Exchange) int { return x.ClientHello.Packets })
	if text == "" {
		return ""
	}
	x := Exchange(pairs[0].row)
	return fmt.Sprintf("the ClientHello in %s (%s, MSS %s B)", text, x.PacketsLabel, number.Grouped(x.MSS))
}

// insteadOf says a count and the base's for those cases where they differ.
func insteadOf(pairs []pair, unit string, of func(*result.Exchange) int) string {
	return grouped(pairs, func(p pair) string {
		now, before := of(Exchange(p.row)), of(Exchange(p.base))
		if now == before {
			return ""
		}
		return fmt.Sprintf("%s instead of %d", number.Count(now, unit), before)
	})
}

// grouped says something of each pair, the same once: "2 packets with go@1, 3 with
// openssl@3". What is "" is not said.
func grouped(pairs []pair, say func(pair) string) string {
	var order []string
	by := map[string][]int{}
	for i, p := range pairs {
		text := say(p)
		if text == "" {
			continue
		}
		if by[text] == nil {
			order = append(order, text)
		}
		by[text] = append(by[text], i)
	}
	for i, text := range order {
		if len(by[text]) < len(pairs) {
			order[i] = text + " with " + prose.All(those(pairs, by[text]))
		}
	}
	return strings.Join(order, ", ")
}

// those names some of the pairs: a stack alone where all of its are among them.
func those(pairs []pair, some []int) (names []string) {
	v := namesOf(pairs)
	left, of := map[string]int{}, map[string]int{}
	for i := range pairs {
		of[v.stacks(i)]++
	}
	for _, i := range some {
		left[v.stacks(i)]++
	}
	for _, i := range some {
		switch stacks := v.stacks(i); {
		case left[stacks] < of[stacks] || of[stacks] == 1:
			names = append(names, v.label(i))
		case !slices.Contains(names, stacks):
			names = append(names, stacks)
		}
	}
	return names
}

// muchMore is the factor from which on a change of the hellos is worth a word.
const muchMore = 1.5

// helloWords: the bytes of both hellos, where one stack's change much.
func helloWords(pairs []pair) string {
	much := slices.ContainsFunc(pairs, func(p pair) bool {
		ratio := float64(hellos(p.row)) / float64(hellos(p.base))
		return ratio >= muchMore || ratio <= 1/muchMore
	})
	if !much {
		return ""
	}
	return "both hellos " + grouped(pairs, func(p pair) string {
		now, before := hellos(p.row), hellos(p.base)
		return fmt.Sprintf("%s instead of %s B (×%.1f)", number.Grouped(now), number.Grouped(before), float64(now)/float64(before))
	})
}

func hellos(r result.Row) int {
	x := Exchange(r)
	return x.ClientHello.Message + x.ServerHello.Message
}

// namesOf is how the rows of pairs are named.
func namesOf(pairs []pair) view {
	var rows []result.Row
	for _, p := range pairs {
		rows = append(rows, p.row)
	}
	return asAsked(rows)
}
