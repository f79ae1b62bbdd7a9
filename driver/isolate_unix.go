//go:build unix

package driver

import (
	"os/exec"
	"syscall"
)

// isolate puts the driver into a process group of its own, so that a Ctrl-C
// at the terminal reaches the lab alone, which then ends the drivers in order.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
