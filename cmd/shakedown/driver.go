package main

import (
	"fmt"
	"io"

	"shakedown/stack/caddy"
	"shakedown/stack/gotls"
)

// driverMain is `shakedown driver STACK VERB …`: this binary as the driver of
// the stacks inside it, and of Caddy. It is for the lab, not for people.
func driverMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var name string
	if len(args) > 0 {
		name = args[0]
	}
	switch name {
	case "go":
		return gotls.Main(args[1:], stdin, stdout, stderr)
	case "caddy":
		return caddy.Main(args[1:], stdin, stdout, stderr)
	}
	fmt.Fprintln(stderr, "shakedown: error: driver: want the name of a stack whose driver is this program: go or caddy")
	return exitUsage
}
