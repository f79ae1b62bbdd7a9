// Command caddy is Caddy with its standard modules: the server that the stack
// "caddy" operates. It is a module of its own, so that nothing of it comes into
// shakedown.
package main

import (
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	_ "github.com/caddyserver/caddy/v2/modules/standard"
)

func main() { caddycmd.Main() }
