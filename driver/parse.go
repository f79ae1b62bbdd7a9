package driver

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"shakedown/spec"
)

// Bounds of flags.
const (
	maxPSK     = 64                      // bytes of an external pre-shared key
	maxTimeout = 24 * 60 * 60 * 1000     // ms
	handshakes = "serve connect op"      // the verbs that take the flags of a handshake
	verbs      = "info serve connect op" // all verbs
	ops        = "record"                // the operations of `op`
	faults     = "skip-ticket"           // the faults of `--fault`
	versions   = "1.2 1.3"               // of `--version`
)

// flag is one flag of the command line: who takes it, and where its value goes.
// A switch takes no value and has `on` instead of `set`.
type flag struct {
	name  string
	verbs string
	set   func(c *Config, value string) error
	on    func(c *Config) *bool
}

// flags lists all flags, in the order of Config.Args.
var flags = []flag{
	{name: "listen", verbs: "serve", set: text(func(c *Config) *string { return &c.Listen })},
	{name: "to", verbs: "connect", set: text(func(c *Config) *string { return &c.To })},
	{name: "count", verbs: "connect op", set: number(func(c *Config) *int { return &c.Count }, MaxBlock)},
	{name: "protocol", verbs: handshakes, set: oneOf(func(c *Config) *string { return &c.Protocol }, "protocol", names(spec.Protocols()))},
	{name: "version", verbs: handshakes, set: oneOf(func(c *Config) *string { return &c.Version }, "version", strings.Fields(versions))},
	{name: "group", verbs: handshakes, set: list(func(c *Config) *[]string { return &c.Groups }, spec.ParseGroup)},
	{name: "suite", verbs: handshakes, set: list(func(c *Config) *[]string { return &c.Suites }, spec.ParseSuite)},
	{name: "auth", verbs: handshakes, set: oneOf(func(c *Config) *string { return &c.Auth }, "auth", names(spec.Auths()))},
	{name: "cert", verbs: handshakes, set: text(func(c *Config) *string { return &c.Cert })},
	{name: "key", verbs: handshakes, set: text(func(c *Config) *string { return &c.Key })},
	{name: "ca", verbs: handshakes, set: text(func(c *Config) *string { return &c.CA })},
	{name: "insecure", verbs: handshakes, on: func(c *Config) *bool { return &c.Insecure }},
	{name: "mutual", verbs: handshakes, on: func(c *Config) *bool { return &c.Mutual }},
	{name: "psk", verbs: handshakes, set: psk},
	{name: "psk-identity", verbs: handshakes, set: text(func(c *Config) *string { return &c.PSKIdentity })},
	{name: "mode", verbs: handshakes, set: oneOf(func(c *Config) *string { return &c.Mode }, "mode", names(spec.Modes()))},
	{name: "server-name", verbs: handshakes, set: text(func(c *Config) *string { return &c.ServerName })},
	{name: "request", verbs: handshakes, set: number(func(c *Config) *int { return &c.Request }, MaxApp)},
	{name: "response", verbs: handshakes, set: number(func(c *Config) *int { return &c.Response }, MaxApp)},
	{name: "request-text", verbs: "connect", set: text(func(c *Config) *string { return &c.RequestText })},
	{name: "timeout", verbs: handshakes, set: timeout},
	{name: "keylog", verbs: handshakes, set: text(func(c *Config) *string { return &c.KeyLog })},
	{name: "memory", verbs: handshakes, on: func(c *Config) *bool { return &c.Memory }},
	{name: "fault", verbs: handshakes, set: oneOf(func(c *Config) *string { return &c.Fault }, "fault", strings.Fields(faults))},
	{name: "size", verbs: "op", set: number(func(c *Config) *int { return &c.Size }, MaxApp)},
}

// ParseArgs reads what follows the verb on a driver's command line: the name of
// the operation, for `op`, and then the flags that Config.Args prints. A flag
// that comes twice has its last value. Names and numbers are checked against
// the protocol; what a stack makes of them is its own business.
func ParseArgs(verb string, args []string) (Config, error) {
	var c Config
	if verb == "op" {
		if len(args) == 0 {
			return c, errors.New("op needs a name: " + ops)
		}
		c.Op, args = args[0], args[1:]
		if err := member("op", c.Op, strings.Fields(ops)); err != nil {
			return c, err
		}
	}
	for len(args) > 0 {
		rest, err := parseFlag(&c, verb, args)
		if err != nil {
			return c, err
		}
		args = rest
	}
	return c, nil
}

// parseFlag takes one flag and its value off the front.
func parseFlag(c *Config, verb string, args []string) (rest []string, err error) {
	f, err := flagOf(verb, args[0])
	switch {
	case err != nil:
		return nil, err
	case f.on != nil:
		*f.on(c) = true
		return args[1:], nil
	case len(args) < 2 || args[1] == "":
		return nil, fmt.Errorf("--%s needs a value", f.name)
	}
	if err := f.set(c, args[1]); err != nil {
		return nil, fmt.Errorf("--%s: %w", f.name, err)
	}
	return args[2:], nil
}

// flagOf finds a flag that the verb takes.
func flagOf(verb, arg string) (flag, error) {
	name, dashed := strings.CutPrefix(arg, "--")
	var known []string
	for _, f := range flags {
		if !slices.Contains(strings.Fields(f.verbs), verb) {
			continue
		}
		if dashed && f.name == name {
			return f, nil
		}
		known = append(known, "--"+f.name)
	}
	near := spec.Near(arg, known)
	if len(near) == 0 {
		near = known
	}
	return flag{}, unknownName(verb+" flag", arg, near)
}

func text(at func(*Config) *string) func(*Config, string) error {
	return func(c *Config, value string) error {
		*at(c) = value
		return nil
	}
}

func number(at func(*Config) *int, most int) func(*Config, string) error {
	return func(c *Config, value string) error {
		n, err := parseNumber(value, most)
		*at(c) = n
		return err
	}
}

func oneOf(at func(*Config) *string, what string, known []string) func(*Config, string) error {
	return func(c *Config, value string) error {
		*at(c) = value
		return member(what, value, known)
	}
}

// list stores names as they were given, each of which the vocabulary knows.
func list[T any](at func(*Config) *[]string, parse func(string) (T, error)) func(*Config, string) error {
	return func(c *Config, value string) error {
		*at(c) = strings.Split(value, ",")
		for _, name := range *at(c) {
			if _, err := parse(name); err != nil {
				return err
			}
		}
		return nil
	}
}

func timeout(c *Config, value string) error {
	ms, err := parseNumber(value, maxTimeout)
	c.Timeout = time.Duration(ms) * time.Millisecond
	return err
}

func psk(c *Config, value string) error {
	key, err := hex.DecodeString(value)
	if err != nil {
		return err
	}
	if len(key) > maxPSK {
		return fmt.Errorf("%d bytes are too many, at most %d", len(key), maxPSK)
	}
	c.PSK = value
	return nil
}

// parseNumber reads a whole number from 1 to most.
func parseNumber(value string, most int) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("want a number from 1 to %d, not %q", most, value)
	}
	return n, nil
}

// member refuses a name that is not in a short list.
func member(what, name string, known []string) error {
	if slices.Contains(known, name) {
		return nil
	}
	near := spec.Near(name, known)
	if len(near) == 0 {
		near = known
	}
	return unknownName(what, name, near)
}

func unknownName(what, name string, near []string) error {
	return fmt.Errorf("unknown %s %.128q, did you mean %s?", what, name, strings.Join(near, ", "))
}

func names[T ~string](all []T) []string {
	var plain []string
	for _, name := range all {
		plain = append(plain, string(name))
	}
	return plain
}

// withDefaults fills in the values that docs/driver.md gives to flags that are
// not set.
func (c Config) withDefaults() Config {
	set := func(at *string, value string) {
		if *at == "" {
			*at = value
		}
	}
	set(&c.Protocol, string(spec.ProtocolTLS))
	set(&c.Mode, string(spec.ModeFull))
	set(&c.ServerName, "localhost")
	if c.Request == 0 {
		c.Request = 32
	}
	if c.Response == 0 {
		c.Response = 32
	}
	if c.Timeout == 0 {
		c.Timeout = 10 * time.Second
	}
	return c
}

// check refuses flags that need others.
func (c Config) check(verb string) error {
	switch {
	case verb == "serve" && c.Listen == "":
		return errors.New("serve needs --listen")
	case verb == "connect" && c.To == "":
		return errors.New("connect needs --to")
	case verb == "op" && c.Size == 0:
		return errors.New("op record needs --size")
	case (c.Cert == "") != (c.Key == ""):
		return errors.New("--cert and --key go together")
	case (c.PSK == "") != (c.PSKIdentity == ""):
		return errors.New("--psk and --psk-identity go together")
	case c.Auth == string(spec.AuthPSK) && c.PSK == "":
		return errors.New("--auth psk needs --psk")
	case verb != "connect" && c.Cert == "" && c.PSK == "":
		return fmt.Errorf("%s needs --cert and --key, or --psk", verb)
	case c.Mutual && (c.Cert == "" || verb != "connect" && c.CA == ""):
		return errors.New("--mutual needs --cert and --key, and at the server --ca")
	case len(c.RequestText) > MaxApp:
		return fmt.Errorf("--request-text: %d bytes are too many, at most %d", len(c.RequestText), MaxApp)
	}
	return nil
}
