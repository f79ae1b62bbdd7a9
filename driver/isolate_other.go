//go:build !unix

package driver

import "os/exec"

// isolate does nothing: the system has no process groups.
func isolate(*exec.Cmd) {}
