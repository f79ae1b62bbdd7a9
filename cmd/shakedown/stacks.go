package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"shakedown/spec"
	"shakedown/stack"
	"shakedown/stack/native"
)

// stacksCmd is `shakedown stacks`.
type stacksCmd struct {
	JSON bool `help:"Print one JSON object a line."`
}

// Help shows an example.
func (stacksCmd) Help() string {
	return "Example: shakedown stacks --json | jq -r 'select(.here) | .name'"
}

// Run lists the stacks of this machine, what each can do, and what is missing.
// It fails only when the output does.
func (c *stacksCmd) Run(e *env) error {
	set := newSet(e)
	entries := set.All(e.ctx)
	for _, w := range worthwhile {
		ref := spec.StackRef{Name: w.name, Version: w.version}
		if _, err := set.Resolve(e.ctx, ref); err != nil && hasStack(entries, w.name) {
			entries = append(entries, stack.Entry{Name: ref.String(), Err: err})
		}
	}
	if err := e.ctx.Err(); err != nil {
		return err
	}
	if c.JSON {
		return stacksJSON(e.stdout, entries)
	}
	return stacksText(e.stdout, entries)
}

// worthwhile are versions that bring what others lack, or still serve in the
// field.
var worthwhile = []struct{ name, version, brings string }{
	{"openssl", "3.5", "ML-KEM hybrids and ML-DSA"},
	{"openssl", "1.1.1", "what older devices still run"},
	{"wolfssl", "5.7", "a newer release"},
	{"mbedtls", "3.6", "TLS 1.3"},
	{"gnutls", "3.8", "a newer release"},
}

// hasStack: some version of it is here. Where there is none, the stack itself is
// what is missing.
func hasStack(entries []stack.Entry, name string) bool {
	return slices.ContainsFunc(entries, func(e stack.Entry) bool { return e.Name == name && e.Stack != nil })
}

// stackLine is one line of `stacks --json`.
type stackLine struct {
	Name string `json:"name"` // with its version where it is here
	Here bool   `json:"here"`
	Root string `json:"root,omitempty"`
	Why  string `json:"why,omitempty"`  // it is not here
	Hint string `json:"hint,omitempty"` // the command that brings it
	*spec.Info
}

func stacksJSON(w io.Writer, entries []stack.Entry) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, entry := range entries {
		line := stackLine{Name: entry.Name, Root: entry.Root, Here: entry.Stack != nil}
		if entry.Stack != nil {
			line.Name, line.Info = entry.Stack.Name, &entry.Stack.Info
		} else {
			line.Why, line.Hint = absence(entry)
		}
		if err := enc.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

// absence says why a stack is not here and what brings it, "" where no single
// command does.
func absence(entry stack.Entry) (why, hint string) {
	var lacks *native.MissingError
	var missing *stack.MissingError
	switch {
	case errors.As(entry.Err, &lacks):
		return lacks.What, lacks.Hint
	case errors.As(entry.Err, &missing):
		return missing.Why, missing.Hint
	case entry.Err != nil:
		return entry.Err.Error(), ""
	}
	return "unknown", ""
}

// stacksText prints the matrix: first one line a stack, then what the lines
// have no room for, then what is missing.
func stacksText(w io.Writer, entries []stack.Entry) error {
	var out strings.Builder
	here := slices.DeleteFunc(slices.Clone(entries), func(e stack.Entry) bool { return e.Stack == nil })
	overview(&out, here)
	for _, entry := range here {
		details(&out, entry.Stack)
	}
	missing(&out, entries)
	_, err := io.WriteString(w, out.String())
	return err
}

// overview prints yes and no by stack.
func overview(out *strings.Builder, here []stack.Entry) {
	rows := [][]string{{"", "TLS 1.2", "TLS 1.3", "resumed", "early-data", "mutual", "retry", "hybrid", "ML-DSA", "psk", "records", "memory"}}
	for _, entry := range here {
		i := entry.Stack.Info
		rows = append(rows, []string{
			entry.Stack.Name,
			yes(slices.Contains(i.Versions, "1.2")), yes(slices.Contains(i.Versions, "1.3")),
			yes(slices.Contains(i.Modes, "resumed")), yes(slices.Contains(i.Modes, "early-data")),
			yes(i.Mutual), yes(i.HelloRetry), yes(len(byClass(i.Groups)["hybrid"]) > 0),
			yes(slices.ContainsFunc(i.Auths, func(a string) bool { return spec.Auth(a).PostQuantum() })),
			yes(slices.Contains(i.Auths, string(spec.AuthPSK))), yes(slices.Contains(i.Ops, "record")), cmp.Or(i.Memory, "-"),
		})
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len(cell))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			line += fmt.Sprintf("%-*s  ", widths[i], cell)
		}
		fmt.Fprintln(out, strings.TrimRight(line, " "))
	}
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "-"
}

// details prints the lists of one stack.
func details(out *strings.Builder, s *stack.Stack) {
	i := s.Info
	fmt.Fprintf(out, "\n%s  %s\n", s.Name, i.Library)
	groups := byClass(i.Groups)
	old, new13 := suitesByVersion(i.Suites)
	for _, row := range [][2]string{
		{"root", s.Root},
		{"headers", differing(i.Headers, i.Version)},
		{"verbs", strings.Join(i.Verbs, " ")},
		{"modes", strings.Join(i.Modes, " ")},
		{"classical", strings.Join(groups["classical"], " ")},
		{"hybrid", strings.Join(groups["hybrid"], " ")},
		{"pure ML-KEM", strings.Join(groups["mlkem"], " ")},
		{"other groups", strings.Join(groups["other"], " ")},
		{"TLS 1.3 suites", strings.Join(new13, " ")},
		{"TLS 1.2 suites", ciphers(old)},
		{"auth", strings.Join(i.Auths, " ")},
	} {
		list(out, row[0], row[1])
	}
	reasons := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(i.Cannot)) {
		reasons[i.Cannot[name]] = append(reasons[i.Cannot[name]], name)
	}
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		list(out, "cannot", strings.Join(reasons[reason], " ")+": "+reason)
	}
}

// byClass sorts groups by what they rest on, each class in the stack's order.
func byClass(names []string) map[string][]string {
	out := map[string][]string{}
	for _, name := range names {
		class := "other"
		g, _ := spec.ParseGroup(name)
		switch g.Class {
		case spec.ClassEC, spec.ClassFFDHE:
			class = "classical"
		case spec.ClassHybrid:
			class = "hybrid"
		case spec.ClassMLKEM:
			class = "mlkem"
		default: // drafts and trials stay among the others
		}
		out[class] = append(out[class], name)
	}
	return out
}

// ciphers sums up a long list of suites: how many, with which ciphers.
func ciphers(suites []string) string {
	if len(suites) == 0 {
		return ""
	}
	var found []string
	for _, name := range suites {
		if s, err := spec.ParseSuite(name); err == nil && !slices.Contains(found, s.Cipher) {
			found = append(found, s.Cipher)
		}
	}
	return fmt.Sprintf("%d (by name: --json), with %s", len(suites), strings.Join(found, " "))
}

// differing is the version of the headers where it is not that of the library.
func differing(headers, version string) string {
	if headers == version {
		return ""
	}
	return headers
}

// suitesByVersion separates the suites of TLS 1.3 from the older ones.
func suitesByVersion(names []string) (old, new13 []string) {
	for _, name := range names {
		if s, err := spec.ParseSuite(name); err == nil && s.TLS13 {
			new13 = append(new13, name)
		} else {
			old = append(old, name)
		}
	}
	return old, new13
}

// list prints a title and its words in lines of at most 100 columns.
func list(out *strings.Builder, title, words string) {
	if words == "" {
		return
	}
	line := fmt.Sprintf("  %-14s", title)
	for _, word := range strings.Fields(words) {
		if len(line)+1+len(word) > 100 {
			fmt.Fprintln(out, line)
			line = strings.Repeat(" ", 16)
		}
		line += " " + word
	}
	fmt.Fprintln(out, line)
}

// missing prints what is not here and the command that brings it.
func missing(out *strings.Builder, entries []stack.Entry) {
	title := "\nnot here\n"
	for _, entry := range entries {
		if entry.Stack != nil {
			continue
		}
		why, hint := absence(entry)
		if entry.Root != "" {
			why += " (" + entry.Root + ")"
		}
		for _, w := range worthwhile {
			if entry.Name == w.name+"@"+w.version {
				why += "; it would bring " + w.brings
			}
		}
		fmt.Fprint(out, title)
		list(out, entry.Name, why)
		list(out, "", hint)
		title = ""
	}
}
