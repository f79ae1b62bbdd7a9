package plan

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"

	"shakedown/spec"
)

// Read decodes a plan strictly. name is the file name for messages. An error
// names file, line, column and field, and what was probably meant.
func Read(name string, data []byte) (*Plan, error) {
	var p Plan
	err := decode(data, &p)
	if err == nil {
		err = p.check(data)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, placed(err))
	}
	return &p, nil
}

// decode reads the YAML. The reader has been seen to panic on a tag such as
// "!0 x" where a list belongs: that is an error of the file, not of the program.
func decode(data []byte, p *Plan) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("this YAML cannot be read (%v): a plan needs no tags or aliases", r)
		}
	}()
	return yaml.UnmarshalWithOptions(data, p, yaml.Strict())
}

// placed turns an error of the YAML reader into one of ours.
func placed(err error) error {
	var ours *PlaceError
	var theirs yaml.Error
	if errors.As(err, &ours) || !errors.As(err, &theirs) || theirs.GetToken() == nil {
		return err
	}
	pos := theirs.GetToken().Position
	return &PlaceError{Line: pos.Line, Column: pos.Column, Err: explain(theirs)}
}

var quoted = regexp.MustCompile(`unknown field "([^"]*)"`)

// explain says in words of the plan what the YAML reader found.
func explain(err yaml.Error) error {
	var wrong *yaml.TypeError
	if errors.As(err, &wrong) {
		return fmt.Errorf("%swant %s, not %q", fieldOf(wrong), kindOf(wrong.DstType), wrong.Token.Value)
	}
	if found := quoted.FindStringSubmatch(err.GetMessage()); found != nil {
		return &spec.UnknownName{What: "field", Name: found[1], Near: spec.Near(found[1], fieldNames())}
	}
	return errors.New(err.GetMessage())
}

// fieldOf names the field of a value, as the file writes it.
func fieldOf(wrong *yaml.TypeError) string {
	if wrong.StructFieldName == nil {
		return ""
	}
	name := *wrong.StructFieldName
	return strings.ToLower(name[strings.LastIndex(name, ".")+1:]) + ": "
}

// kindOf says what a field takes.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "a list"
	case reflect.String:
		return "text"
	default:
		return "a mapping"
	}
}

// fieldNames lists the names that fields of a plan have, on any level.
func fieldNames() []string {
	var names []string
	for _, t := range []any{Plan{}, Effort{}, Published{}, Figure{}, Comparison{}, Target{}} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(t)) {
			if name, _, _ := strings.Cut(f.Tag.Get("yaml"), ","); name != "" {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// check refuses a plan that cannot mean anything.
func (p *Plan) check(data []byte) error {
	if len(p.Cases) == 0 {
		return errors.New(`cases: the plan measures nothing: give at least one entry, such as "- {kind: handshake, client: go, server: go}"`)
	}
	for i, m := range p.Cases {
		if len(m.Axes["client"]) == 0 {
			return locate(data, fmt.Sprintf("$.cases[%d]", i), errors.New("an entry of cases needs a client: a stack, or here for each of this machine"))
		}
	}
	for prefix, e := range map[string]Effort{"$.": p.Effort, "$.quick.": p.Quick} {
		if field, err := e.check(); err != nil {
			return locate(data, prefix+field, fmt.Errorf("%s: %w", field, err))
		}
	}
	for i, c := range p.Comparisons {
		if err := c.check(); err != nil {
			return locate(data, fmt.Sprintf("$.comparisons[%d]", i), err)
		}
	}
	return nil
}

// check names the first field that makes no sense.
func (e Effort) check() (field string, err error) {
	for _, f := range []struct {
		name  string
		value float64
	}{
		{"samples", float64(e.Samples)},
		{"time", float64(e.Time)},
		{"precision", e.Precision},
		{"block", float64(e.Block)},
		{"timeout", float64(e.Timeout)},
		{"processes", float64(e.Processes)},
	} {
		if f.value < 0 {
			return f.name, errors.New("must not be negative")
		}
	}
	if e.Precision >= 1 {
		return "precision", fmt.Errorf("%v is no precision: 0.02 means an interval of ± 2 %%", e.Precision)
	}
	return "", nil
}

func (c Comparison) check() error {
	if c.Statistic != "" && c.Statistic != "median" && c.Statistic != "mean" {
		return fmt.Errorf("statistic: want median or mean, not %q", c.Statistic)
	}
	if c.Metric == "" || len(c.Base) == 0 || len(c.Against) == 0 {
		return errors.New("a comparison needs metric, base and against")
	}
	return nil
}

// locate finds the place of a path in the file; the error stays without one
// where the path is not there.
func locate(data []byte, path string, err error) error {
	file, parseErr := parser.ParseBytes(data, 0)
	query, pathErr := yaml.PathString(path)
	if parseErr != nil || pathErr != nil {
		return err
	}
	node, findErr := query.FilterFile(file)
	if findErr != nil || node == nil {
		return err
	}
	return at(node, err)
}
