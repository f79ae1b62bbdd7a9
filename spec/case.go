package spec

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Case is one point of the matrix: what is measured, with which stacks and
// parameters, over which link. A zero field is not set: the stack's own default
// holds, or the field does not apply.
type Case struct {
	Kind     Kind     `json:"kind"`
	Client   string   `json:"client"` // a StackRef
	Server   string   `json:"server"` // a StackRef
	Protocol Protocol `json:"protocol"`
	Version  Version  `json:"version"`
	Group    string   `json:"group"` // IANA name; empty for the stack's default
	Suite    string   `json:"suite"` // IANA name; empty for the stack's default
	Auth     Auth     `json:"auth"`
	Mode     Mode     `json:"mode"`
	Mutual   bool     `json:"mutual"` // the client presents a certificate too
	Link     string   `json:"link"`
	Op       string   `json:"op"`       // name of the operation, for KindOp
	Provider string   `json:"provider"` // library that computes it, for KindOp
	Size     int      `json:"size"`     // bytes of the message or record
	Token    string   `json:"token"`    // what holds the key; empty for memory

	Chain int  `json:"chain,omitempty"` // certificates below the root; 0 means 1
	Leaf  int  `json:"leaf,omitempty"`  // least bytes of the leaf certificate, which is padded to them
	Retry bool `json:"retry,omitempty"` // force a HelloRetryRequest (RFC 8446 4.1.4)

	// Replica tells identical cases apart, to measure the noise of the lab itself.
	Replica string `json:"replica,omitempty"`
}

// field gives access to one coordinate of a case as text. The empty text stands
// for "not set".
type field struct {
	name string
	get  func(*Case) string
	set  func(*Case, string) error
}

// fields lists the coordinates in the order of a row.
var fields = []field{
	{"kind", func(c *Case) string { return string(c.Kind) }, func(c *Case, s string) error { return parseInto(&c.Kind, ParseKind, s) }},
	{"client", func(c *Case) string { return c.Client }, func(c *Case, s string) error { return nameInto(&c.Client, ParseStackRef, s) }},
	{"server", func(c *Case) string { return c.Server }, func(c *Case, s string) error { return nameInto(&c.Server, ParseStackRef, s) }},
	{"protocol", func(c *Case) string { return string(c.Protocol) }, func(c *Case, s string) error { return parseInto(&c.Protocol, ParseProtocol, s) }},
	{"version", func(c *Case) string { return string(c.Version) }, func(c *Case, s string) error { return parseInto(&c.Version, ParseVersion, s) }},
	{"group", func(c *Case) string { return c.Group }, func(c *Case, s string) error { return nameInto(&c.Group, ParseGroup, s) }},
	{"suite", func(c *Case) string { return c.Suite }, func(c *Case, s string) error { return nameInto(&c.Suite, ParseSuite, s) }},
	{"auth", func(c *Case) string { return string(c.Auth) }, func(c *Case, s string) error { return parseInto(&c.Auth, ParseAuth, s) }},
	{"mode", func(c *Case) string { return string(c.Mode) }, func(c *Case, s string) error { return parseInto(&c.Mode, ParseMode, s) }},
	{"mutual", func(c *Case) string { return boolText(c.Mutual) }, func(c *Case, s string) error { return parseInto(&c.Mutual, parseBool, s) }},
	{"link", func(c *Case) string { return c.Link }, func(c *Case, s string) error { c.Link = s; return nil }},
	{"op", func(c *Case) string { return c.Op }, func(c *Case, s string) error { c.Op = s; return nil }},
	{"provider", func(c *Case) string { return c.Provider }, func(c *Case, s string) error { c.Provider = s; return nil }},
	{"size", func(c *Case) string { return intText(c.Size) }, func(c *Case, s string) error { return parseInto(&c.Size, parseInt, s) }},
	{"token", func(c *Case) string { return c.Token }, func(c *Case, s string) error { c.Token = s; return nil }},
	{"chain", func(c *Case) string { return intText(c.Chain) }, func(c *Case, s string) error { return parseInto(&c.Chain, parseInt, s) }},
	{"leaf", func(c *Case) string { return intText(c.Leaf) }, func(c *Case, s string) error { return parseInto(&c.Leaf, parseInt, s) }},
	{"retry", func(c *Case) string { return boolText(c.Retry) }, func(c *Case, s string) error { return parseInto(&c.Retry, parseBool, s) }},
	{"replica", func(c *Case) string { return c.Replica }, func(c *Case, s string) error { c.Replica = s; return nil }},
}

// Fields lists the names of the coordinates in the order of a row.
func Fields() []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return names
}

// Get returns a coordinate as text by its field name. What is not set, and what
// is no field, is the empty text; a flag is "true" or empty.
func (c Case) Get(name string) string {
	if f := fieldByName(name); f != nil {
		return f.get(&c)
	}
	return ""
}

// Set parses text into a coordinate by its field name, in any spelling the
// parser of that field knows, and stores the canonical one. The empty text
// unsets it. The error is an [*UnknownName] or says what was expected; the case
// is then unchanged.
func (c *Case) Set(name, text string) error {
	f := fieldByName(name)
	if f == nil {
		return unknown("field", name, Fields())
	}
	return f.set(c, text)
}

func fieldByName(name string) *field {
	i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
	if i < 0 {
		return nil
	}
	return &fields[i]
}

// Canonical returns the case with the canonical spelling of each name and the
// defaults of this package unset, so that equal cases compare equal. Names it
// does not know stay as they are.
func (c Case) Canonical() Case {
	for _, f := range fields {
		before := c
		if f.set(&c, f.get(&c)) != nil {
			c = before
		}
	}
	if c.Chain == 1 {
		c.Chain = 0
	}
	return c
}

// ID returns the short name of the case: the first 12 hexadecimal digits of the
// SHA-256 of its canonical coordinates. Coordinates that are not set do not
// count, so that the ID outlives fields that later versions add.
func (c Case) ID() string {
	c = c.Canonical()
	hash := sha256.New()
	for _, f := range fields {
		if text := f.get(&c); text != "" {
			fmt.Fprintf(hash, "%s=%q\n", f.name, text)
		}
	}
	return hex.EncodeToString(hash.Sum(nil))[:12]
}

// String prints what is set in one compact line, for people:
// "handshake go -> openssl@3.5.9, TLS 1.3, x25519, ecdsa-p256, full, loopback".
func (c Case) String() string {
	parts := []string{
		c.subject(), c.channel(), c.Group, c.Suite, string(c.Auth), string(c.Mode),
		textIf(c.Mutual, "mutual"), textIf(c.Chain > 1, "chain "+intText(c.Chain)),
		textIf(c.Leaf > 0, "leaf of "+intText(c.Leaf)+" B"), textIf(c.Retry, "retry"), c.Provider, textIf(c.Size != 0, intText(c.Size)+" B"),
		c.Token, c.Link, textIf(c.Replica != "", "replica "+c.Replica),
	}
	set := slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(set, ", ")
}

// subject prints what is measured and between whom.
func (c Case) subject() string {
	ends := c.Client
	if c.Server != "" {
		ends = strings.TrimSpace(c.Client + " -> " + c.Server)
	}
	words := slices.DeleteFunc([]string{string(c.Kind), c.Op, ends}, func(s string) bool { return s == "" })
	return strings.Join(words, " ")
}

// channel prints protocol and version, as far as they are set.
func (c Case) channel() string {
	if c.Version == "" {
		return strings.ToUpper(string(c.Protocol))
	}
	return c.Version.Label(c.Protocol)
}

// ChainLength returns the number of certificates below the root, which is 1
// unless the case says otherwise.
func (c Case) ChainLength() int { return cmp.Or(c.Chain, 1) }

// Differences returns the names of the fields in which the cases are not all
// alike, in the order of a row. The rest can be said once for all of them.
func Differences(cases []Case) (varying []string) {
	for _, f := range fields {
		differs := func(c Case) bool { return f.get(&c) != f.get(&cases[0]) }
		if slices.ContainsFunc(cases, differs) {
			varying = append(varying, f.name)
		}
	}
	return varying
}

// parseInto stores the parsed text, or the zero value for the empty text.
func parseInto[T any](into *T, parse func(string) (T, error), text string) error {
	var value T
	if text != "" {
		parsed, err := parse(text)
		if err != nil {
			return err
		}
		value = parsed
	}
	*into = value
	return nil
}

// nameInto stores the canonical spelling of the parsed text.
func nameInto[T fmt.Stringer](into *string, parse func(string) (T, error), text string) error {
	return parseInto(into, func(s string) (string, error) {
		value, err := parse(s)
		if err != nil {
			return "", err
		}
		return value.String(), nil
	}, text)
}

func parseBool(s string) (bool, error) {
	value, err := strconv.ParseBool(s)
	if err != nil {
		return false, fmt.Errorf("want true or false, not %q", s)
	}
	return value, nil
}

func parseInt(s string) (int, error) {
	value, err := strconv.Atoi(s)
	if err != nil {
		return 0, fmt.Errorf("want a whole number, not %q", s)
	}
	return value, nil
}

// boolText prints a flag, the unset one as nothing.
func boolText(b bool) string { return textIf(b, "true") }

// intText prints a number, zero as nothing.
func intText(n int) string { return textIf(n != 0, strconv.Itoa(n)) }

func textIf(when bool, text string) string {
	if when {
		return text
	}
	return ""
}
