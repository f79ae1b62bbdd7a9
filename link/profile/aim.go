package profile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"shakedown/spec"
)

// Target picks packets by what they carry. Exactly one of Message, Number and Each
// is set. Packets that are picked are dropped, or held where Hold is set.
type Target struct {
	Message string        // a handshake message in the clear: the packet with its first byte, when it is first sent
	From    string        // "client" or "server", of a packet by its number
	Number  int           // from 1, among the packets with payload that the side sends on a connection
	Each    bool          // everything the first time it is sent
	Hold    time.Duration // longer under way by that; others overtake it
}

// each is the target of everything.
const each = "each"

// messages are those that a network sees in the clear.
var messages = []string{
	"ClientHello", "ServerHello", "HelloRetryRequest", "HelloVerifyRequest", "Certificate", "CertificateStatus",
	"ServerKeyExchange", "CertificateRequest", "ServerHelloDone", "ClientKeyExchange", "CertificateVerify",
	"NewSessionTicket", "ChangeCipherSpec",
}

// String prints the target without its time: "ServerHello", "client#2", "each".
func (t Target) String() string {
	switch {
	case t.Each:
		return each
	case t.Message != "":
		return t.Message
	}
	return fmt.Sprintf("%s#%d", t.From, t.Number)
}

// parseTarget reads one, in any case of letters.
func parseTarget(text string) (t Target, err error) {
	if strings.EqualFold(text, each) {
		return Target{Each: true}, nil
	}
	if side, number, found := strings.Cut(text, "#"); found {
		t.From = strings.ToLower(side)
		t.Number, err = parseCount(number)
		return t, err
	}
	for _, name := range messages {
		if strings.EqualFold(name, text) {
			return Target{Message: name}, nil
		}
	}
	near := spec.Near(text, messages)
	if near == nil {
		near = append([]string{each, "client#2"}, messages...)
	}
	return t, &spec.UnknownName{What: "message", Name: text, Near: near}
}

// parseDrops reads "ServerHello+client#2".
func parseDrops(text string) (all []Target, err error) {
	if text == none {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, "+") {
		t, err := parseTarget(part)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// parseHolds reads "ServerHello/200ms+server#3/1s".
func parseHolds(text string) (all []Target, err error) {
	if text == none {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, "+") {
		name, hold, found := strings.Cut(part, "/")
		if !found {
			return nil, fmt.Errorf("want WHAT/TIME, such as ServerHello/200ms, not %q", part)
		}
		t, err := parseTarget(name)
		if err == nil {
			t.Hold, err = parseDuration(hold)
		}
		if err == nil && t.Hold == 0 {
			err = impossible("leave it out, or drop="+t.String(), "%s is held for no time", t)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// setAim replaces the targets that are dropped, or those that are held. What is
// dropped comes first, so that equal links are equal.
func (p *Profile) setAim(held bool, parse func(string) ([]Target, error), text string) error {
	fresh, err := parse(text)
	if err != nil {
		return err
	}
	kept := slices.DeleteFunc(slices.Clone(p.Aim), func(t Target) bool { return (t.Hold != 0) == held })
	if held {
		fresh = append(kept, fresh...)
	} else {
		fresh = append(fresh, kept...)
	}
	p.Aim = slices.Clip(fresh)
	return nil
}

// checkAim refuses targets that no packet can be, and what is wanted twice.
func (p Profile) checkAim() error {
	for i, t := range p.Aim {
		if err := t.check(); err != nil {
			return err
		}
		if slices.ContainsFunc(p.Aim[:i], func(o Target) bool { return o.String() == t.String() }) {
			return impossible("a packet has one fate: drop it, or hold it once", "%s is aimed at twice", t)
		}
	}
	return nil
}

func (t Target) check() error {
	byName, byNumber := t.Message != "", t.From != "" || t.Number != 0
	switch {
	case byName && byNumber || t.Each && (byName || byNumber) || !byName && !byNumber && !t.Each:
		return impossible("a message, a number or "+each, "%q is no target, or more than one", t)
	case byName && !slices.Contains(messages, t.Message):
		return impossible("one of "+strings.Join(messages, ", "), "nobody sees a message %q in the clear", t.Message)
	case byNumber && (t.From != "client" && t.From != "server" || t.Number < 1):
		return impossible("client#N or server#N, N from 1", "there is no packet %q", t)
	case t.Hold < 0 || t.Hold > MaxDelay:
		return impossible("the most is "+durationText(MaxDelay), "nothing is held for %s", durationText(t.Hold))
	}
	return nil
}

// aimText prints the targets that are dropped, or those that are held.
func (p Profile) aimText(held bool) string {
	var parts []string
	for _, t := range p.Aim {
		switch {
		case held && t.Hold != 0:
			parts = append(parts, t.String()+"/"+durationText(t.Hold))
		case !held && t.Hold == 0:
			parts = append(parts, t.String())
		}
	}
	if parts == nil {
		return none
	}
	return strings.Join(parts, "+")
}

// PathMTU is a hop behind the link that is narrower than its ends know.
type PathMTU struct {
	Bytes  int  // of the longest IP packet that passes it; 0: none is narrower
	Silent bool // what does not pass is dropped without a word: a black hole (RFC 2923 2.1)
}

func parsePathMTU(text string) (m PathMTU, err error) {
	if text == none {
		return m, nil
	}
	size, silent := strings.CutSuffix(text, "/silent")
	m.Silent = silent
	m.Bytes, err = parseSize(size)
	return m, err
}

func (m PathMTU) text() string {
	switch {
	case m.Bytes == 0:
		return none
	case m.Silent:
		return strconv.Itoa(m.Bytes) + "/silent"
	}
	return strconv.Itoa(m.Bytes)
}

func (p Profile) checkPath() error {
	least := leastMTU4
	if p.Family == 6 {
		least = MinMTU6
	}
	switch m := p.PathMTU.Bytes; {
	case m == 0:
		return nil
	case m < least:
		return impossible(fmt.Sprintf("pmtu=%d or more", least), "no hop of IPv%d is as narrow as %d bytes", p.Family, m)
	case m >= p.MTU:
		return impossible("leave it out, or widen mtu", "a pmtu of %d bytes is not narrower than the link's %d", m, p.MTU)
	}
	return nil
}
