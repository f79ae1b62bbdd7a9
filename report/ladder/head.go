package ladder

import (
	"cmp"
	"slices"
	"strings"

	"shakedown/result"
	"shakedown/spec"
)

// head says between whom it was, what was agreed, and who says so.
func (p *page) head(t result.Transcript) {
	p.words("", "  ", title(t))
	claims := claimsOf(t)
	if len(claims) == 0 {
		p.words("  ", "  ", "Neither the stacks nor the wire say what was agreed.")
		return
	}
	p.line("")
	table := [][]string{{"", "", "said by"}}
	for _, c := range claims {
		table = append(table, c.cells())
	}
	columns := p.columns(table, 1)
	for _, cells := range table {
		p.row(columns, cells...)
	}
}

// title is the handshake in one line; suite and signature are in the table below.
func title(t result.Transcript) string {
	wire := proofOf(t.Proof.Wire)
	parts := []string{
		versionName(cmp.Or(wire.Version, string(t.Case.Version)), t.Case.Protocol), cmp.Or(wire.Group, t.Case.Group),
		modeWords(cmp.Or(wire.Mode, string(t.Case.Mode))), tell(wire.HelloRetry, retryWords),
	}
	if t.Problem != "" {
		parts = append(parts, "read in part only")
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return cmp.Or(t.Case.Client, client) + " → " + cmp.Or(t.Case.Server, server) + ": " + strings.Join(parts, ", ")
}

func modeWords(mode string) string {
	words := map[string]string{
		string(spec.ModeFull): "full handshake", string(spec.ModeResumed): "resumed", string(spec.ModeEarlyData): "0-RTT",
	}
	return cmp.Or(words[mode], mode)
}

func retryWords(retry bool) string {
	if retry {
		return "HelloRetryRequest"
	}
	return "no HelloRetryRequest"
}

// proofOf is what somebody says, nothing for nobody.
func proofOf(p *spec.Proof) spec.Proof {
	if p == nil {
		return spec.Proof{}
	}
	return *p
}

// versionName names a version with its protocol, and leaves what it does not know.
func versionName(version string, protocol spec.Protocol) string {
	if slices.Contains(spec.Versions(), spec.Version(version)) {
		return spec.Version(version).Label(cmp.Or(protocol, spec.ProtocolTLS))
	}
	return version
}

// The three that can say something, in this order.
var speakers = []string{"client", "server", "wire"}

// claim is one answer to one question, and who gives it.
type claim struct {
	what, value string
	by          [3]bool // of the speakers
	disputed    bool    // somebody gives another answer
}

// questions lists what a proof may answer, with the words for it.
var questions = []struct {
	what   string
	answer func(spec.Proof, spec.Protocol) string
}{
	{"version", func(p spec.Proof, c spec.Protocol) string { return versionName(p.Version, c) }},
	{"group", func(p spec.Proof, _ spec.Protocol) string { return p.Group }},
	{"suite", func(p spec.Proof, _ spec.Protocol) string { return p.Suite }},
	{"signature", func(p spec.Proof, _ spec.Protocol) string { return p.Signature }},
	{"mode", func(p spec.Proof, _ spec.Protocol) string { return p.Mode }},
	{"0-RTT data", func(p spec.Proof, _ spec.Protocol) string { return p.Early }},
	{"pre-shared key", func(p spec.Proof, _ spec.Protocol) string { return map[bool]string{true: "yes"}[p.PSK] }},
	{"retry", func(p spec.Proof, _ spec.Protocol) string { return tell(p.HelloRetry, retryWords) }},
	{"server auth", func(p spec.Proof, _ spec.Protocol) string { return tell(p.Verified, verifiedWords) }},
	{"client auth", func(p spec.Proof, _ spec.Protocol) string { return tell(p.Mutual, mutualWords) }},
}

// tell writes what may be unknown.
func tell(b *bool, words func(bool) string) string {
	if b == nil {
		return ""
	}
	return words(*b)
}

func verifiedWords(yes bool) string {
	if yes {
		return "certificate verified"
	}
	return "certificate not verified"
}

func mutualWords(yes bool) string {
	if yes {
		return "with a certificate"
	}
	return "none"
}

// claimsOf lists the answers, those that contradict each other one below the other.
func claimsOf(t result.Transcript) (list []claim) {
	proofs := []*spec.Proof{t.Proof.Client, t.Proof.Server, t.Proof.Wire}
	for _, q := range questions {
		first := len(list)
		for speaker, p := range proofs {
			if value := q.answer(proofOf(p), t.Case.Protocol); value != "" {
				list = put(list, first, q.what, value, speaker)
			}
		}
		for i := range list[first:] {
			list[first+i].disputed = len(list)-first > 1
		}
	}
	return list
}

// put adds a speaker to the claim with that value, or a claim.
func put(list []claim, first int, what, value string, speaker int) []claim {
	i := slices.IndexFunc(list[first:], func(c claim) bool { return c.value == value })
	if i < 0 {
		i = len(list) - first
		list = append(list, claim{what: what, value: value})
	}
	list[first+i].by[speaker] = true
	return list
}

// cells are those of the table; that they differ has a column where some do.
func (c claim) cells() []string {
	cells := []string{c.what, plain(c.value)}
	for i, name := range speakers {
		cells = append(cells, map[bool]string{true: name}[c.by[i]])
	}
	if c.disputed {
		cells = append(cells, "they differ")
	}
	return cells
}
