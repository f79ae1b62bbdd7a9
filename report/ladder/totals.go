package ladder

import (
	"fmt"

	"shakedown/result"
)

// totals says what the handshake comes to.
func (p *page) totals(t result.Transcript) {
	x := t.Wire
	p.section(totalTitle(t.Messages))
	p.fact("messages", messageWords(x))
	p.fact("round trips", tripWords(x))
	p.fact("client sent", sentWords(x, x.ClientBytes, x.ClientPackets, x.EarlyBytes))
	p.fact("server sent", sentWords(x, x.ServerBytes, x.ServerPackets, 0))
	if x.Packets != nil {
		p.packets(*x.Packets)
	}
}

// packets says what was seen of packets on an emulated link.
func (p *page) packets(x result.Packets) {
	p.fact("with headers", octets(x.ClientWireBytes)+" from the client and "+octets(x.ServerWireBytes)+" from the server, "+
		"from the SYN until both were complete, acknowledgements and what was sent again among them")
	p.fact("lost", count(x.Lost, "packet")+"; "+count(x.Retransmissions, "packet")+" sent again")
	if x.RoundTripsSeen != nil {
		p.fact("trips seen", fmt.Sprintf("%v round trips of packets that waited for one another, until the client's first application byte left; "+
			"the TCP connect, %.1f ms, is not counted", *x.RoundTripsSeen, 1e3*x.Connect))
	}
}

// totalTitle says whether both sides were seen to finish.
func totalTitle(messages []result.Message) string {
	finished := map[string]bool{}
	for _, m := range messages {
		if m.Counted && m.Name == "Finished" {
			finished[m.From] = true
		}
	}
	if finished[client] && finished[server] {
		return "In all"
	}
	return "In all (the end of the handshake was not seen)"
}

// messageWords counts messages both ways where papers count otherwise.
func messageWords(x result.Exchange) string {
	words := figure(x.Messages) + " in " + count(x.Flights, "flight")
	if x.MessagesPaper != x.Messages {
		words += "; papers count " + figure(x.MessagesPaper) + ": they leave EndOfEarlyData out, which RFC 8446 4.5 has as a message of its own"
	}
	if x.MessagesPost > 0 {
		words += "; " + figure(x.MessagesPost) + " more after the handshake, such as tickets"
	}
	return words
}

func tripWords(x result.Exchange) string {
	words := figure(x.RoundTrips) + " before the client may send its first application byte"
	if x.RoundTrips == 0 && x.EarlyBytes > 0 {
		words = "0: the client's first application bytes leave with its ClientHello"
	}
	if x.HelloRetry {
		words += ", one of them for the HelloRetryRequest"
	}
	return words + "; the TCP connect is not counted"
}

func sentWords(x result.Exchange, bytes, packets, early int) string {
	words := octets(bytes) + " in " + count(packets, "packet")
	if early > 0 {
		words += ", 0-RTT data of " + octets(early) + " among them"
	}
	return words
}
