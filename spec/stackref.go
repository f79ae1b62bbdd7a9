package spec

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
)

// StackRef names one end of a connection: a stack, perhaps of a certain version
// or out of a certain root directory, or the address of a live server.
type StackRef struct {
	Name    string // "openssl"; empty for an address
	Version string // "3.5", empty for any
	Root    string // directory that holds another distribution's files, empty for this machine's
	Address string // "host:port" of a live server, the other fields being empty
}

// StackNames lists the stacks that have a name.
func StackNames() []string {
	return []string{"go", "pion", "openssl", "wolfssl", "mbedtls", "gnutls", "caddy"}
}

// ParseStackRef reads "openssl", "openssl@3.5", "openssl:/opt/openssl-3.5",
// "openssl@3.5:/opt/openssl-3.5", "example.org:443" and "[::1]:4433". What
// follows the colon tells a root, which begins with "/", "." or "~", from a
// port, which is a number. Unknown stacks are an [*UnknownName].
func ParseStackRef(s string) (StackRef, error) {
	if looksLikeAddress(s) {
		return parseAddress(s)
	}
	name, root, hasRoot := strings.Cut(s, ":")
	name, version, hasVersion := strings.Cut(name, "@")
	ref := StackRef{Name: strings.ToLower(name), Version: version, Root: root}
	switch {
	case !slices.Contains(StackNames(), ref.Name):
		return StackRef{}, unknownStack(s, name)
	case hasVersion && !isVersionText(version):
		return StackRef{}, fmt.Errorf("stack %q: bad version %q: want digits such as %s@3.5", s, version, ref.Name)
	case hasRoot && !isRoot(root):
		return StackRef{}, fmt.Errorf("stack %q: want a root directory such as %s:/opt/%s, or host:port", s, ref.Name, ref.Name)
	}
	return ref, nil
}

// String prints the form that [ParseStackRef] reads.
func (r StackRef) String() string {
	if r.Address != "" {
		return r.Address
	}
	s := r.Name
	if r.Version != "" {
		s += "@" + r.Version
	}
	if r.Root != "" {
		s += ":" + r.Root
	}
	return s
}

// Covers tells whether the reference means a stack as loaded, such as
// "openssl@3.5.9": "openssl", "openssl@3.5" and the very same text do.
func (r StackRef) Covers(loaded string) bool {
	other, err := ParseStackRef(loaded)
	return err == nil && r.Name == other.Name && r.Address == other.Address && CoversVersion(r.Version, other.Version)
}

// CoversVersion tells whether "3.5.9" is a "3.5". Any version is an empty one.
func CoversVersion(wanted, version string) bool {
	rest, ok := strings.CutPrefix(version, wanted)
	return ok && (wanted == "" || rest == "" || rest[0] < '0' || rest[0] > '9')
}

// unknownStack explains a name that is no stack. Something like a host without
// a port gets its own hint.
func unknownStack(s, name string) error {
	near := Near(name, StackNames())
	if len(near) == 0 && strings.Contains(name, ".") {
		return fmt.Errorf("stack %q: neither a stack nor host:port; for a live server add the port, as in example.org:443", s)
	}
	return unknownOf("stack", name, StackNames())
}

// looksLikeAddress reports whether s ends in a numeric port or opens with a
// bracket.
func looksLikeAddress(s string) bool {
	colon := strings.LastIndexByte(s, ':')
	if strings.HasPrefix(s, "[") {
		return true
	}
	return colon >= 0 && isDigits(s[colon+1:]) && !strings.ContainsAny(s[:colon], "/~@")
}

// parseAddress reads "host:port".
func parseAddress(s string) (StackRef, error) {
	host, port, err := net.SplitHostPort(s)
	if err != nil {
		return StackRef{}, fmt.Errorf("address %q: want host:port, with IPv6 in brackets as in [::1]:443", s)
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return StackRef{}, fmt.Errorf("address %q: port %q is not a number from 1 to 65535", s, port)
	}
	if err := checkHost(host); err != nil {
		return StackRef{}, fmt.Errorf("address %q: %w", s, err)
	}
	return StackRef{Address: s}, nil
}

// checkHost refuses what can be neither a host name nor an IP address.
func checkHost(host string) error {
	if host == "" {
		return errors.New("no host before the port")
	}
	if len(host) > 255 {
		return errors.New("host is longer than 255 bytes")
	}
	bad := func(r rune) bool { return r <= ' ' || r == 0x7F || r == 0xFFFD || strings.ContainsRune(`/\@"'[]?#`, r) }
	if strings.ContainsFunc(host, bad) {
		return errors.New("host holds characters that no host name has")
	}
	return nil
}

// isRoot reports whether s can name a root directory.
func isRoot(s string) bool {
	return s != "" && strings.ContainsRune("/.~", rune(s[0])) && !strings.ContainsFunc(s, isControl)
}

// isVersionText reports whether s is a version as libraries print them: "3.5",
// "1.1.1w", "5.7.2-stable", "v4.0.1".
func isVersionText(s string) bool {
	odd := func(r rune) bool {
		return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune(".-+~_", r))
	}
	return s != "" && !strings.ContainsFunc(s, odd)
}

func isControl(r rune) bool { return r < ' ' || r == 0x7F }

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
