package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"shakedown/spec"
)

// Words that stand for stacks in a matrix.
const (
	Here = "here" // client: each stack of this machine
	Same = "same" // server: the stack of the client
)

// Matrix spans cases: for each coordinate the values it takes, and of all of
// them every combination.
type Matrix struct {
	Axes map[string][]string `json:"axes"`
}

// PlaceError is a mistake at a place of a plan.
type PlaceError struct {
	Line, Column int
	Err          error
}

// Error gives line, column and the mistake.
func (e *PlaceError) Error() string {
	return fmt.Sprintf("line %d, column %d: %v", e.Line, e.Column, e.Err)
}

// Unwrap gives the mistake itself.
func (e *PlaceError) Unwrap() error { return e.Err }

func at(n ast.Node, err error) error {
	pos := n.GetToken().Position
	return &PlaceError{Line: pos.Line, Column: pos.Column, Err: err}
}

// UnmarshalYAML reads a mapping of coordinate to value or list of values, and
// checks each value against the vocabulary.
func (m *Matrix) UnmarshalYAML(n ast.Node) error {
	mapping, ok := n.(ast.MapNode)
	if !ok {
		return at(n, fmt.Errorf("want a mapping such as {kind: handshake, client: go, server: go}"))
	}
	m.Axes = map[string][]string{}
	for it := mapping.MapRange(); it.Next(); {
		if err := m.axis(it.Key(), it.Value()); err != nil {
			return err
		}
	}
	return nil
}

func (m *Matrix) axis(key, node ast.Node) error {
	name, err := coordinate(key)
	if err != nil {
		return err
	}
	for _, item := range items(node) {
		text, err := value(name, item)
		if err != nil {
			return err
		}
		m.Axes[name] = append(m.Axes[name], text)
	}
	return nil
}

// items gives the elements of a sequence, or the node itself.
func items(n ast.Node) []ast.Node {
	if seq, ok := n.(*ast.SequenceNode); ok {
		return seq.Values
	}
	return []ast.Node{n}
}

func scalar(n ast.Node) (string, error) {
	if _, ok := n.(ast.ScalarNode); !ok {
		return "", at(n, fmt.Errorf("want a value or a list of values"))
	}
	return n.GetToken().Value, nil
}

// Value checks one value of a coordinate and returns its canonical spelling.
// "default" unsets a coordinate; "here" and "same" stand for stacks.
func Value(field, text string) (string, error) {
	if isStack(field) && (text == Here || text == Same) {
		return text, nil
	}
	if text == "default" {
		return "", nil
	}
	var c spec.Case
	if err := c.Set(field, text); err != nil {
		return "", err
	}
	return c.Get(field), nil
}

// Add adds values of one coordinate, given as on the command line: a list
// separated by commas, of links by semicolons, since a link has commas in it.
func (m *Matrix) Add(field, list string) error {
	if m.Axes == nil {
		m.Axes = map[string][]string{}
	}
	separator := ","
	if field == "link" {
		separator = ";"
	}
	for text := range strings.SplitSeq(list, separator) {
		canonical, err := Value(field, strings.TrimSpace(text))
		if err != nil {
			return fmt.Errorf("--%s: %w", field, err)
		}
		m.Axes[field] = append(m.Axes[field], canonical)
	}
	return nil
}

// Expand lists the cases of the matrix in the order of its coordinates. here
// are the stacks that the word stands for.
func (m Matrix) Expand(here []string) []spec.Case {
	cases := []spec.Case{{Kind: spec.KindHandshake, Protocol: spec.ProtocolTLS, Mode: spec.ModeFull, Link: "loopback"}}
	for _, field := range spec.Fields() {
		values := replaceHere(m.Axes[field], here)
		if len(values) > 0 {
			cases = cross(cases, field, values)
		}
	}
	return cases
}

// UsesHere tells whether the plan asks for each stack of the machine.
func (p *Plan) UsesHere() bool {
	return slices.ContainsFunc(p.Cases, func(m Matrix) bool {
		return slices.Contains(m.Axes["client"], Here) || slices.Contains(m.Axes["server"], Here)
	})
}

func replaceHere(values, here []string) []string {
	var out []string
	for _, v := range values {
		if v == Here {
			out = append(out, here...)
		} else {
			out = append(out, v)
		}
	}
	return out
}

// cross combines each case with each value of a field.
func cross(cases []spec.Case, field string, values []string) []spec.Case {
	var out []spec.Case
	for _, c := range cases {
		for _, v := range values {
			if v == Same {
				v = c.Client
			}
			next := c
			if next.Set(field, v) == nil { // checked when it was read
				out = append(out, next)
			}
		}
	}
	return out
}

// Expand lists the cases of all matrices, each once, in order.
func (p *Plan) Expand(here []string) []spec.Case {
	var out []spec.Case
	seen := map[string]bool{}
	for _, m := range p.Cases {
		for _, c := range m.Expand(here) {
			if id := c.ID(); !seen[id] {
				seen[id] = true
				out = append(out, c)
			}
		}
	}
	return out
}
