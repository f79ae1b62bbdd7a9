// Package gotls lends crypto/tls of the Go standard library to the lab as the
// stack "go".
package gotls

import (
	"io"
	"runtime"
	"strings"

	"shakedown/driver"
)

// Main is the driver of crypto/tls: arguments after the program's name in, exit
// status out (docs/driver.md).
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return driver.Main(stack{}, args, stdin, stdout, stderr)
}

type stack struct{}

func (stack) Name() string { return "go" }

// version is that of the Go that built this program: "1.26.8".
func version() string {
	word, _, _ := strings.Cut(runtime.Version(), " ")
	return strings.TrimPrefix(word, "go")
}
