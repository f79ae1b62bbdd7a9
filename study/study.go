// Package study holds the plans that are shipped inside the binary, each with
// the published figures it repeats.
package study

import (
	"embed"
	"fmt"
	"strings"

	"shakedown/plan"
	"shakedown/spec"
)

//go:embed *.yaml
var files embed.FS

// Default is the study that runs when none is named.
const Default = "basics"

// Names lists the studies in alphabetical order.
func Names() []string {
	entries, _ := files.ReadDir(".") // the embedded directory is always there
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

// YAML returns the text of a study. The error is a *spec.UnknownName.
func YAML(name string) ([]byte, error) {
	text, err := files.ReadFile(name + ".yaml")
	if err != nil {
		return nil, &spec.UnknownName{What: "study", Name: name, Near: spec.Near(name, Names())}
	}
	return text, nil
}

// Load reads a study.
func Load(name string) (*plan.Plan, error) {
	text, err := YAML(name)
	if err != nil {
		return nil, err
	}
	p, err := plan.Read(name+".yaml", text)
	if err != nil {
		return nil, fmt.Errorf("shipped study: %w", err)
	}
	return p, nil
}
