package cost

import (
	"fmt"
	"slices"

	"shakedown/spec"
	"shakedown/wire"
)

// change is something that a client can leave out of its ClientHello.
type change struct {
	name, price string
	apply       func(*wire.ClientHello)
}

// changes lists what can be left out of a hello that is over bytes too long, the
// cheapest to give up first: what costs time now and then, another name, what costs
// time on each connection, privacy, and at last servers that are not reached.
func changes(m *wire.ClientHello, over int) []change {
	return slices.Concat(
		noPadding(), noFallback(m), shorterName(m, over), noTicket(m),
		noECH(m), oneProtocol(m), noCompatibility(m), onlyTLS13(m),
	)
}

func noPadding() []change {
	return []change{{
		"no padding", "servers that hang at a ClientHello of 256 to 511 B (RFC 7685)",
		func(m *wire.ClientHello) { drop(m, wire.ExtPadding) },
	}}
}

// maxFallbacks bounds the shares that are looked at. Clients send up to four.
const maxFallbacks = 8

// noFallback drops one key share each. The first post-quantum one stays, or the
// first of all: it is the one that the client wants most (RFC 8446 4.2.8).
func noFallback(m *wire.ClientHello) (list []change) {
	var shares []uint16
	for share := range m.KeyShares().All() {
		if !spec.IsGREASE(share.Group) && !slices.Contains(shares, share.Group) && len(shares) <= maxFallbacks {
			shares = append(shares, share.Group)
		}
	}
	if len(shares) < 2 {
		return nil
	}
	keep := shares[max(0, slices.IndexFunc(shares, postQuantum))]
	for _, group := range shares {
		if group != keep {
			list = append(list, noShare(group, keep))
		}
	}
	return list
}

func postQuantum(code uint16) bool {
	group, _ := spec.GroupByCode(code)
	return group.PostQuantum
}

func noShare(group, keep uint16) change {
	return change{
		fmt.Sprintf("no %s share", groupName(group)),
		fmt.Sprintf("a HelloRetryRequest, one round trip, with servers that lack %s", groupName(keep)),
		func(m *wire.ClientHello) {
			var rest []wire.KeyShare
			for share := range m.KeyShares().All() {
				if share.Group != group {
					rest = append(rest, share)
				}
			}
			set(m, wire.ExtKeyShare, wire.AppendKeyShares(nil, rest...))
		},
	}
}

// shortName is the length in bytes down to which a server name is cut: that of
// "example.org" and one more.
const shortName = 12

// shorterName cuts the server name as far as it takes to fit, or to shortName.
func shorterName(m *wire.ClientHello, over int) []change {
	name := m.ServerName()
	size := max(len(name)-max(over, 0), shortName)
	if size >= len(name) {
		return nil
	}
	return []change{{
		fmt.Sprintf("server name of %d B", size), "the present name: the server must be reached by a shorter one",
		func(m *wire.ClientHello) {
			set(m, wire.ExtServerName, wire.AppendServerName(nil, string(name[:size])))
		},
	}}
}

// noTicket drops what a client offers to resume by. An external key, whose age is 0
// (RFC 8446 4.2.11), is no ticket.
func noTicket(m *wire.ClientHello) []change {
	for identity := range m.PreSharedKeys().Identities() {
		if identity.Age == 0 {
			return nil
		}
	}
	price := "no resumption: a full handshake with its certificates"
	switch {
	case m.EarlyData():
		price += ", and no 0-RTT data, one round trip"
	case !m.Extensions.Has(wire.ExtPreSharedKey):
		price += ", one round trip more"
	}
	return []change{{"no ticket", price, func(m *wire.ClientHello) {
		drop(m, wire.ExtPreSharedKey, wire.ExtEarlyData)
		set(m, wire.ExtSessionTicket, nil)
	}}}
}

// noECH: real ECH and GREASE look alike from outside (RFC 9849 6.2).
func noECH(m *wire.ClientHello) []change {
	if !m.ECH() {
		return nil
	}
	return []change{{
		"no encrypted_client_hello", "all on the way can read the server name; if it is GREASE, nothing on this connection",
		func(m *wire.ClientHello) { drop(m, wire.ExtECH) },
	}}
}

func oneProtocol(m *wire.ClientHello) []change {
	first, others := m.Protocols().First(), -1
	for range m.Protocols().All() {
		others++
	}
	if others < 1 {
		return nil
	}
	return []change{{
		"one application protocol", fmt.Sprintf("servers that lack the first of the %d protocols", others+1),
		func(m *wire.ClientHello) { set(m, wire.ExtALPN, wire.AppendProtocolNames(nil, string(first))) },
	}}
}

// noCompatibility empties the session identifier, which means nothing in TLS 1.3
// (RFC 8446 4.1.2, D.4). Beside a ticket of TLS 1.2 it has a meaning (RFC 5077 3.4).
func noCompatibility(m *wire.ClientHello) []change {
	ticket, _ := m.Extensions.Find(wire.ExtSessionTicket)
	if m.MaxVersion() != wire.VersionTLS13 || len(ticket) > 0 {
		return nil
	}
	return []change{{
		"no compatibility mode", "networks that let pass only what looks like TLS 1.2 (RFC 8446 D.4)",
		func(m *wire.ClientHello) { m.SessionID = nil },
	}}
}

// onlyTLS13 drops suites and versions before TLS 1.3. Extensions that mean nothing
// in TLS 1.3 stay: OpenSSL and Go send them all the same.
func onlyTLS13(m *wire.ClientHello) []change {
	versions := slices.Collect(keep(m.Versions(), wire.IsVersion13).All())
	if !m.Versions().Has(wire.VersionTLS13) || len(versions) == m.Versions().Len() {
		return nil
	}
	return []change{{"TLS 1.3 only", "servers without TLS 1.3", func(m *wire.ClientHello) {
		m.Suites = keep(m.Suites, suite13)
		set(m, wire.ExtSupportedVersions, wire.AppendSupportedVersions(nil, versions...))
	}}}
}

func suite13(code uint16) bool {
	suite, _ := spec.SuiteByCode(code)
	return suite.TLS13
}

// keep copies the code points that pass, and GREASE.
func keep(codes wire.Codes, pass func(uint16) bool) (kept wire.Codes) {
	for code := range codes.All() {
		if spec.IsGREASE(code) || pass(code) {
			kept = wire.AppendCodes(kept, code)
		}
	}
	return kept
}

// drop takes extensions out.
func drop(m *wire.ClientHello, types ...wire.ExtensionType) {
	rewrite(m, func(ext wire.Extension) (wire.Extension, bool) { return ext, !slices.Contains(types, ext.Type) })
}

// set gives an extension, where there is one, other data.
func set(m *wire.ClientHello, t wire.ExtensionType, data []byte) {
	rewrite(m, func(ext wire.Extension) (wire.Extension, bool) {
		if ext.Type == t {
			ext.Data = data
		}
		return ext, true
	})
}

// rewrite writes the list of extensions anew; the measured message stays as it is.
func rewrite(m *wire.ClientHello, edit func(wire.Extension) (wire.Extension, bool)) {
	if m.Extensions == nil {
		return
	}
	list := wire.Extensions{}
	for ext := range m.Extensions.All() {
		if ext, ok := edit(ext); ok {
			list = ext.Append(list)
		}
	}
	m.Extensions = list
}
