package ladder

import (
	"strings"

	"shakedown/result"
)

// arrow draws a message between two rails that are width apart: from its sender,
// double where it is locked, with its flight in it. What stands back touches
// neither rail.
func arrow(m result.Message, width int) string {
	inside := width - 2
	line, fromClient, fromServer := "─", "├", "┤"
	if m.Epoch != "clear" {
		line, fromClient, fromServer = "═", "╞", "╡"
	}
	if apart(m) {
		return "│ " + shaft(m.From, line, "", inside-2) + " │"
	}
	tail := tag(line, m.Flight, inside)
	switch m.From {
	case client:
		return fromClient + shaft(m.From, line, tail, inside) + "│"
	case server:
		return "│" + shaft(m.From, line, tail, inside) + fromServer
	}
	return "│" + shaft(m.From, line, tail, inside) + "│"
}

// shaft is an arrow without rails: its tail is at its sender's side. Of an unknown
// sender nothing is drawn.
func shaft(from, line, tail string, room int) string {
	body := strings.Repeat(line, max(0, room-size(tail)-1))
	switch from {
	case client:
		return tail + body + "►"
	case server:
		return "◄" + body + mirrored(tail)
	}
	return strings.Repeat(" ", room)
}

// tag is the number of a flight at the tail of an arrow, where there is room.
func tag(line string, flight, room int) string {
	text := line + " " + figure(flight) + " "
	if flight <= 0 || size(text)+2 > room {
		return ""
	}
	return text
}

// mirrored turns a tail around; the digits of its number keep their order.
func mirrored(tail string) string {
	first, rest, found := strings.Cut(tail, " ")
	if !found {
		return tail
	}
	return " " + rest + first
}
