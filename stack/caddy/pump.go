package caddy

import (
	"io"
	"time"
)

// pause is how long the reader of the log rests after each piece: it is woken a
// hundred times a second at most, not once for every connection of a block.
const pause = 10 * time.Millisecond

// pump reads Caddy's log piece by piece.
type pump struct {
	pieces chan []byte   // closed at the end of the log
	hurry  chan struct{} // ends a rest
	done   chan struct{} // closed when nobody takes pieces any more
}

func newPump(r io.Reader) *pump {
	p := &pump{pieces: make(chan []byte), hurry: make(chan struct{}, 1), done: make(chan struct{})}
	go p.run(r)
	return p
}

func (p *pump) run(r io.Reader) {
	defer close(p.pieces)
	for {
		piece := make([]byte, 64<<10)
		n, err := r.Read(piece)
		if n > 0 {
			select {
			case p.pieces <- piece[:n]:
			case <-p.done:
				return
			}
		}
		if err != nil {
			return
		}
		if n < len(piece) {
			p.rest()
		}
	}
}

func (p *pump) rest() {
	select {
	case <-time.After(pause):
	case <-p.hurry:
	}
}

// wake ends a rest, or the next one.
func (p *pump) wake() {
	select {
	case p.hurry <- struct{}{}:
	default:
	}
}
