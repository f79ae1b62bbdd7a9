package main

import (
	"fmt"
	"text/tabwriter"

	"shakedown/study"
)

// studiesCmd is `shakedown studies`.
type studiesCmd struct {
	Name string `arg:"" optional:"" help:"Study whose YAML is printed."`
}

// Help shows an example.
func (studiesCmd) Help() string {
	return "Example: shakedown studies iot-tls > mine.yaml, edit it, shakedown run mine.yaml"
}

// Run lists the studies or prints one.
func (c *studiesCmd) Run(e *env) error {
	if c.Name != "" {
		text, err := study.YAML(c.Name)
		if err != nil {
			return usage(err, "shakedown studies lists them")
		}
		_, err = e.stdout.Write(text)
		return err
	}
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	for _, name := range study.Names() {
		p, err := study.Load(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\t%s\n", name, p.Title)
	}
	return w.Flush()
}
