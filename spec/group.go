package spec

import "sync"

// GroupClass sorts groups by the mathematics of their key exchange.
type GroupClass string

// The classes of group.
const (
	ClassEC         GroupClass = "classical-ec"    // elliptic curve Diffie-Hellman
	ClassFFDHE      GroupClass = "classical-ffdhe" // finite field Diffie-Hellman (RFC 7919)
	ClassHybrid     GroupClass = "hybrid"          // elliptic curve and ML-KEM together
	ClassMLKEM      GroupClass = "mlkem"           // ML-KEM alone (FIPS 203)
	ClassKyberDraft GroupClass = "kyber-draft"     // hybrids with Kyber round 3, obsolete
	ClassExperiment GroupClass = "experiment"      // other post-quantum trials, obsolete
	ClassGREASE     GroupClass = "grease"          // reserved to be ignored (RFC 8701)
	ClassUnknown    GroupClass = "unknown"         // a code point without a name here
)

// Group is a key exchange group, an entry of the IANA registry "TLS Supported
// Groups".
type Group struct {
	Name        string // as IANA prints it; "0x1234" without a name
	Code        uint16
	Class       GroupClass
	PostQuantum bool     // withstands a quantum computer
	ClientShare int      // bytes of the client's key share on the wire; 0 unknown
	ServerShare int      // bytes of the server's key share on the wire; 0 unknown
	Min, Max    Version  // the versions that may negotiate it
	Aliases     []string // spellings of libraries; letter case and separators do not count
	Note        string
}

// groupsOnce holds the whole table, GREASE included, with its indexes.
var groupsOnce = sync.OnceValue(func() *index[Group] {
	return newIndex(allGroups(), func(g Group) (uint16, []string) {
		return g.Code, append([]string{g.Name}, g.Aliases...)
	}, fold)
})

// Groups returns a copy of the table of groups, family by family.
func Groups() []Group { return append([]Group(nil), groupsOnce().all...) }

// ParseGroup reads a group by its IANA name, the spelling of a library
// ("P-256", "prime256v1", "GROUP-X25519", "CurveP256") or its code point
// "0x11EC". A code point without a name is a group of [ClassUnknown]. The error
// is an [*UnknownName].
func ParseGroup(s string) (Group, error) {
	if code, ok := parseCode(s); ok {
		g, _ := GroupByCode(code)
		return g, nil
	}
	if g, ok := groupsOnce().byName[fold(s)]; ok {
		return *g, nil
	}
	return Group{}, unknown("group", s, groupsOnce().names)
}

// GroupByCode finds a group by its code point. Where the code point has no name
// it returns a group of [ClassUnknown] that prints as "0x1234", and false.
func GroupByCode(code uint16) (Group, bool) {
	if g, ok := groupsOnce().byCode[code]; ok {
		return *g, true
	}
	return Group{Name: codeName(code), Code: code, Class: ClassUnknown, Min: Version10, Max: Version13}, false
}

// String returns the name, or the code point where there is none.
func (g Group) String() string {
	if g.Name == "" {
		return codeName(g.Code)
	}
	return g.Name
}

// index finds the rows of a literal table by code point and by any spelling.
type index[T any] struct {
	all    []T
	names  []string // the canonical names, for hints
	byCode map[uint16]*T
	byName map[string]*T // folded spellings
}

// newIndex builds the index. The first name of a row is the canonical one; the
// first row that claims a spelling keeps it.
func newIndex[T any](all []T, keys func(T) (code uint16, names []string), fold func(string) string) *index[T] {
	ix := &index[T]{all: all, byCode: map[uint16]*T{}, byName: map[string]*T{}}
	for i := range all {
		code, names := keys(all[i])
		ix.byCode[code] = &all[i]
		ix.names = append(ix.names, names[0])
		for _, name := range names {
			if key := fold(name); key != "" && ix.byName[key] == nil {
				ix.byName[key] = &all[i]
			}
		}
	}
	return ix
}
