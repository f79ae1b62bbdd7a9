package main

import (
	"fmt"
	"runtime/debug"
)

// versionCmd is `shakedown version`.
type versionCmd struct{}

// Run prints version and toolchain.
func (versionCmd) Run(e *env) error {
	_, err := fmt.Fprintln(e.stdout, "shakedown", version())
	return err
}

// version is the module's version, or the commit it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	if v == "" {
		v = "(devel)"
	}
	return v + " " + info.GoVersion
}
