package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/goccy/go-yaml/ast"

	"shakedown/spec"
)

// Duration is a time span that is written like "90s" or "10m" in YAML and JSON.
type Duration time.Duration

// UnmarshalYAML reads the span.
func (d *Duration) UnmarshalYAML(n ast.Node) error {
	text, err := scalar(n)
	if err != nil {
		return err
	}
	span, err := time.ParseDuration(text)
	if err != nil {
		return at(n, fmt.Errorf("%q is no duration: want something like 90s or 10m", text))
	}
	*d = Duration(span)
	return nil
}

// MarshalJSON writes the span as text.
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(d).String()) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (d *Duration) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	span, err := time.ParseDuration(text)
	*d = Duration(span)
	return err
}

// Where selects cases: coordinate to the value it must have.
type Where map[string]string

// UnmarshalYAML reads a mapping of coordinate to value, in any spelling.
func (w *Where) UnmarshalYAML(n ast.Node) error {
	mapping, ok := n.(ast.MapNode)
	if !ok {
		return at(n, fmt.Errorf("want a mapping such as {mode: full}"))
	}
	*w = Where{}
	for it := mapping.MapRange(); it.Next(); {
		name, err := coordinate(it.Key())
		if err != nil {
			return err
		}
		if (*w)[name], err = value(name, it.Value()); err != nil {
			return err
		}
	}
	return nil
}

// Matches tells whether a case has the values. A stack may be named in part:
// "openssl@3.5" matches openssl@3.5.9.
func (w Where) Matches(c spec.Case) bool {
	for field, value := range w {
		if got := c.Get(field); got != value && !(isStack(field) && covers(value, got)) {
			return false
		}
	}
	return true
}

func isStack(field string) bool { return field == "client" || field == "server" || field == "provider" }

func covers(value, got string) bool {
	ref, err := spec.ParseStackRef(value)
	return err == nil && ref.Covers(got)
}

// coordinate reads the name of a coordinate of a case.
func coordinate(key ast.Node) (string, error) {
	name := key.GetToken().Value
	if !slices.Contains(spec.Fields(), name) {
		return "", at(key, &spec.UnknownName{What: "field", Name: name, Near: spec.Near(name, spec.Fields())})
	}
	return name, nil
}

// value reads one value of a coordinate.
func value(name string, n ast.Node) (string, error) {
	text, err := scalar(n)
	if err != nil {
		return "", err
	}
	canonical, err := Value(name, text)
	if err != nil {
		return "", at(n, fmt.Errorf("%s: %w", name, err))
	}
	return canonical, nil
}
