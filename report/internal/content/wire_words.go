package content

import (
	"fmt"
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
	return fmt.Sprintf("the ClientHello in %s (composed, MSS %s B)", text, number.Grouped(Exchange(pairs[0].row).MSS))
}

// insteadOf says a count and the base's for those stacks where they differ.
func insteadOf(pairs []pair, unit string, of func(*result.Exchange) int) string {
	var order []string
	by := map[string][]string{}
	v := namesOf(pairs)
	for i, p := range pairs {
		now, before := of(Exchange(p.row)), of(Exchange(p.base))
		if now == before {
			continue
		}
		text := fmt.Sprintf("%s instead of %d", number.Count(now, unit), before)
		if by[text] == nil {
			order = append(order, text)
		}
		by[text] = append(by[text], v.label(i))
	}
	for i, text := range order {
		if len(by[text]) < len(pairs) {
			order[i] = text + " with " + prose.All(by[text])
		}
	}
	return strings.Join(order, ", ")
}

// muchMore is the factor from which on a change of the hellos is worth a word.
const muchMore = 1.5

// helloWords: the bytes of both hellos, where one stack's change much.
func helloWords(pairs []pair) string {
	much := false
	var parts []string
	v := namesOf(pairs)
	for i, p := range pairs {
		now, before := hellos(p.row), hellos(p.base)
		ratio := float64(now) / float64(before)
		much = much || ratio >= muchMore || ratio <= 1/muchMore
		parts = append(parts, fmt.Sprintf("%s instead of %s B (×%.1f) with %s", number.Grouped(now), number.Grouped(before), ratio, v.label(i)))
	}
	if !much {
		return ""
	}
	return "both hellos " + strings.Join(parts, ", ")
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
