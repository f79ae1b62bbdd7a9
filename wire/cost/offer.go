package cost

import (
	"fmt"

	"shakedown/result"
	"shakedown/spec"
	"shakedown/wire"
	"shakedown/wire/ja4"
)

// offerOf lists what the parts of a ClientHello cost. Extensions and Other add up to
// size, the bytes of the message.
func offerOf(m *wire.ClientHello, size int) *result.Offer {
	offer := &result.Offer{JA4: ja4.Of(m, ja4.TLS), Extensions: []result.Extension{}, Other: size}
	for ext := range m.Extensions.All() {
		offer.Extensions = append(offer.Extensions, result.Extension{
			Name: ext.Type.String(), Code: uint16(ext.Type), Bytes: ext.Cost(), Parts: partsOf(ext),
		})
		offer.Other -= ext.Cost()
	}
	return offer
}

// partsOf looks into the extensions that can cost much. What is in no part is
// lengths, and what could not be read.
func partsOf(ext wire.Extension) []result.Part {
	switch ext.Type {
	case wire.ExtKeyShare, wire.ExtKeyShareDraft:
		return shareParts(ext.Data)
	case wire.ExtSupportedGroups:
		groups, _ := wire.ParseSupportedGroups(ext.Data)
		return parts(count(groups.Len(), "group", "groups", len(groups)))
	case wire.ExtSignatureAlgorithms, wire.ExtSignatureAlgorithmsCert:
		schemes, _ := wire.ParseSignatureAlgorithms(ext.Data)
		return parts(count(schemes.Len(), "scheme", "schemes", len(schemes)))
	case wire.ExtPreSharedKey:
		keys, _ := wire.ParsePreSharedKeys(ext.Data)
		return parts(count(keys.Len(), "identity", "identities", len(keys.IdentityList)),
			count(keys.Len(), "binder", "binders", len(keys.BinderList)))
	case wire.ExtServerName:
		name, _ := wire.ParseServerName(ext.Data)
		return parts(result.Part{Name: "name", Bytes: len(name)})
	case wire.ExtSessionTicket:
		return parts(result.Part{Name: "ticket", Bytes: len(ext.Data)})
	case wire.ExtPadding:
		return parts(result.Part{Name: "zeros", Bytes: len(ext.Data)})
	case wire.ExtECH:
		ech, _ := wire.ParseECH(ext.Data)
		return parts(result.Part{Name: "key", Bytes: len(ech.Key)}, result.Part{Name: "payload", Bytes: len(ech.Payload)})
	default:
		return nil
	}
}

// shareParts is one part a share: its group, its length of 2 bytes and its data.
func shareParts(data []byte) (list []result.Part) {
	shares, _ := wire.ParseKeyShares(data)
	for share := range shares.All() {
		list = append(list, result.Part{Name: groupName(share.Group), Bytes: shareHeader + len(share.Data)})
	}
	return list
}

// shareHeader is the length in bytes of group and length in front of a share.
const shareHeader = 4

func groupName(code uint16) string {
	group, _ := spec.GroupByCode(code)
	return group.String()
}

// count names a part by how many things it holds.
func count(n int, one, many string, bytes int) result.Part {
	if n == 1 {
		many = one
	}
	return result.Part{Name: fmt.Sprintf("%d %s", n, many), Bytes: bytes}
}

// parts leaves out what has no bytes.
func parts(all ...result.Part) (list []result.Part) {
	for _, part := range all {
		if part.Bytes > 0 {
			list = append(list, part)
		}
	}
	return list
}
