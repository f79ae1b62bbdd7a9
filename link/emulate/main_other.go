//go:build !linux

package emulate

import (
	"fmt"
	"io"
)

// Main refuses: emulated links need Linux.
func Main(_ io.Reader, _, stderr io.Writer) int {
	fmt.Fprintln(stderr, "link emulator: emulated links need Linux")
	return 1
}
