package driver

import "shakedown/spec"

// outcome is one side's handshake as it was, kept without pointers of its own
// until the block is over.
type outcome struct {
	Handshake
	proof spec.Proof
}

// outcomes are the handshakes of a block, in memory that is there before it.
type outcomes struct {
	side string
	list []outcome
}

// newOutcomes makes room for n handshakes and touches it, so that no page
// fault falls into the block.
func newOutcomes(side string, n int) *outcomes {
	list := make([]outcome, n)
	clear(list)
	return &outcomes{side: side, list: list[:0]}
}

// add begins a new outcome.
func (o *outcomes) add() *outcome {
	o.list = append(o.list, outcome{Handshake: Handshake{Kind: KindHandshake, Side: o.side}})
	return &o.list[len(o.list)-1]
}

// end takes in how a handshake ended.
func (o *outcome) end(conn Conn, err error) {
	if err != nil {
		o.fail(failureOf(conn, err))
		return
	}
	o.OK = true
	o.proof = conn.Proof()
}

func (o *outcome) fail(f Failure) {
	o.Reason, o.Alert, o.From, o.Detail = f.Reason, f.Alert, f.From, f.Detail
}

// print adds the lines of those that are primes, or of those that are not.
func (o *outcomes) print(out *printer, primes bool) {
	for i := range o.list {
		r := &o.list[i]
		if r.Prime != primes {
			continue
		}
		if r.OK {
			r.Proof = &r.proof
		}
		out.add(r.Handshake)
	}
}
