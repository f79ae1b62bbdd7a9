package lab

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"shakedown/driver"
	"shakedown/link/profile"
	"shakedown/spec"
	"shakedown/stack"
)

// loopback is the link that is not emulated.
const loopback = "loopback"

// need is one thing that a case asks of a stack.
type need struct {
	what  string // "group"
	name  string // "X25519MLKEM768"; empty: nothing is asked
	among []string
}

// cannot says why the case cannot be measured with these stacks, or "". A nil
// server is a foreign one, of which nothing is known.
func cannot(c spec.Case, client, server *stack.Stack) string {
	if err := c.Validate(); err != nil {
		return err.Error()
	}
	if reason := cmp.Or(beyond(c), tooForeign(c, server)); reason != "" {
		return reason
	}
	if reason := wrongEnd(c, client, server); reason != "" {
		return reason
	}
	for _, s := range []*stack.Stack{client, server} {
		if s == nil {
			continue
		}
		if reason := lacks(c, s); reason != "" {
			return reason
		}
	}
	if c.Retry && firstShare(c, client, server) == "" {
		return "no second group that both stacks have, to make a HelloRetryRequest necessary"
	}
	return ""
}

// beyond says what the lab itself does not do: a coordinate that it would ignore
// must not stand in the label of a row.
func beyond(c spec.Case) string {
	switch {
	case c.Kind != spec.KindHandshake && c.Kind != spec.KindRecord:
		return fmt.Sprintf("run measures handshakes and records, not the kind %s", c.Kind)
	case emulated(c) && c.Kind == spec.KindRecord:
		return "records go through memory, not over a link"
	case emulated(c) && unknownLink(c.Link) != nil:
		return unknownLink(c.Link).Error()
	case c.Token != "":
		return fmt.Sprintf("no token %s: keys are in memory", c.Token)
	case c.Provider != "":
		return fmt.Sprintf("%s has no provider %s", c.Client, c.Provider)
	case c.Kind == spec.KindHandshake && c.Size != 0:
		return "a handshake has no size; a record has: kind record"
	case c.Kind == spec.KindRecord && c.Client != c.Server:
		return "records go from a stack to itself, in memory: client and server must be the same"
	case c.Kind == spec.KindRecord && c.Mutual:
		return "records are measured without client certificates"
	case c.Kind == spec.KindRecord && (c.Size < 1 || c.Size > driver.MaxApp):
		return fmt.Sprintf("a record needs a size from 1 to %d bytes, not %d", driver.MaxApp, c.Size)
	}
	return ""
}

func unknownLink(text string) error {
	_, err := profile.Find(text)
	return err
}

// tooForeign says what cannot be asked of a server that is no driver.
func tooForeign(c spec.Case, server *stack.Stack) string {
	switch {
	case server != nil:
		return ""
	case emulated(c):
		return c.Server + " is not on an emulated link: name a stack"
	case c.Auth == spec.AuthPSK, c.Mutual:
		return c.Server + " knows neither the key nor the client certificate that a run makes"
	}
	return ""
}

// wrongEnd says what a stack that is a server only, and brings its own
// certificate, cannot be asked.
func wrongEnd(c spec.Case, client, server *stack.Stack) string {
	switch {
	case c.Kind == spec.KindHandshake && !slices.Contains(client.Info.Verbs, "connect"):
		return fmt.Sprintf("%s: %s", client.Name, client.Info.Cannot["connect"])
	case server == nil || !c.Mutual:
		return ""
	case c.Mode == spec.ModeResumed && server.Info.Cannot["resumed mutual"] != "":
		return fmt.Sprintf("%s: %s", server.Name, server.Info.Cannot["resumed mutual"])
	case server.Info.Application != "" && c.Auth == "":
		return "client certificates need an authentication: name one"
	}
	return ""
}

// lacks names the first thing that the stack has not.
func lacks(c spec.Case, s *stack.Stack) string {
	for _, n := range needs(c, s.Info) {
		if n.name == "" || slices.Contains(n.among, n.name) {
			continue
		}
		if why := s.Info.Cannot[n.name]; why != "" {
			return fmt.Sprintf("%s: %s", s.Name, why)
		}
		return fmt.Sprintf("%s has no %s %s", s.Name, n.what, n.name)
	}
	return ""
}

func needs(c spec.Case, has spec.Info) []need {
	return []need{
		{"protocol", string(c.Protocol), has.Protocols},
		{"version", string(c.Version), has.Versions},
		{"group", c.Group, has.Groups},
		{"suite", c.Suite, has.Suites},
		{"authentication", string(c.Auth), has.Auths},
		{"mode", string(c.Mode), has.Modes},
		{"way to authenticate clients:", textIf(c.Mutual, "mutual"), namesIf(has.Mutual, "mutual")},
		{"way to force a", textIf(c.Retry, "HelloRetryRequest"), namesIf(has.HelloRetry, "HelloRetryRequest")},
		{"operation", textIf(c.Kind == spec.KindRecord, "record"), has.Ops},
	}
}

func textIf(when bool, s string) string {
	if when {
		return s
	}
	return ""
}

func namesIf(when bool, s string) []string {
	if when {
		return []string{s}
	}
	return nil
}

// firstShare picks the group for which the client sends the share that the
// server will not take: one that both stacks have, before the wanted one in the
// client's own order where that is possible, since not every stack can be told
// another. A hybrid of the wanted group is no use: its share may come with it.
func firstShare(c spec.Case, client, server *stack.Stack) string {
	var later string
	for _, name := range []string{"x25519", "secp256r1", "secp384r1", "X25519MLKEM768", "SecP256r1MLKEM768"} {
		own := slices.Index(client.Info.Groups, name)
		serverHas := server == nil || slices.Contains(server.Info.Groups, name)
		switch {
		case own < 0 || !serverHas || strings.Contains(strings.ToLower(name), strings.ToLower(c.Group)):
		case own < slices.Index(client.Info.Groups, c.Group):
			return name
		case later == "":
			later = name
		}
	}
	return later
}
