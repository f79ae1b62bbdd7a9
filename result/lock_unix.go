//go:build linux || darwin || freebsd || netbsd || openbsd

package result

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// lock keeps a second writer away from a file of the run until it is closed,
// which the end of the process, however it comes, does too.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return fmt.Errorf("%s: another shakedown is writing this run", filepath.Dir(f.Name()))
	}
	return err
}
