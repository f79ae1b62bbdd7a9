package page

import (
	"fmt"

	"shakedown/report/internal/content"
	"shakedown/report/internal/number"
	"shakedown/result"
)

// bar is what one side sent: lengths in percent of the width.
type bar struct {
	Y           string // of its upper edge, percent of the height
	Sent, Hello string // the hello is a part of what was sent
}

// sentPicture draws the bytes that each side sent, from zero, so that lengths
// compare. It is nil where nothing was seen on the wire.
func (s section) sentPicture() *picture {
	longest := 0
	for _, i := range s.Good() {
		if x := content.Exchange(s.Rows[i]); x != nil {
			longest = max(longest, x.ClientBytes, x.ServerBytes)
		}
	}
	a := newBars(number.Scale{Unit: "B", Factor: 1}, longest)
	p := picture{Caption: "Bytes that each side sends until the handshake is over", Unit: a.scale.Unit, Bars: true, Ticks: a.ticks()}
	s.draw(&p, func(i int) (pictureRow, bool) {
		x := content.Exchange(s.Rows[i])
		if x == nil {
			return pictureRow{}, false
		}
		return sentRow(a, x), true
	})
	if len(p.Parts) == 0 {
		return nil
	}
	return &p
}

func sentRow(a axis, x *result.Exchange) pictureRow {
	client, server := number.Grouped(x.ClientBytes), number.Grouped(x.ServerBytes)
	at := func(bytes int) string { return a.at(float64(bytes)) }
	return pictureRow{
		Value: client + " / " + server,
		Words: fmt.Sprintf("the client sends %s B, of which the ClientHello is %s B; the server sends %s B, of which the ServerHello is %s B",
			client, number.Grouped(x.ClientHello.Record), server, number.Grouped(x.ServerHello.Record)),
		Bars: []bar{
			{"14", at(x.ClientBytes), at(min(x.ClientHello.Record, x.ClientBytes))},
			{"51", at(x.ServerBytes), at(min(x.ServerHello.Record, x.ServerBytes))},
		},
	}
}
