package main

import (
	"fmt"
	"io"

	"shakedown/stack/gotls"
)

// driverMain is `shakedown driver STACK VERB …`: this binary as the driver of
// the stacks inside it. It is for the lab, not for people.
func driverMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "go" {
		return gotls.Main(args[1:], stdin, stdout, stderr)
	}
	fmt.Fprintln(stderr, "shakedown: error: driver: want the name of a stack inside this program: go")
	return exitUsage
}
