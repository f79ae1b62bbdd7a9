package ladder

import (
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
