// Package spec is the vocabulary of the lab as types: protocols, versions,
// groups, suites, signature schemes, authentication, modes, stacks and cases,
// with the IANA code points, a parser for each spelling in common use and one
// canonical way to print each thing.
//
// Parsers are lenient in letter case and separators and strict in everything
// else: an unknown name is an [*UnknownName] that lists the near ones.
package spec
