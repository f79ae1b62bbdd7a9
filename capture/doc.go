// Package capture moves packets into and out of capture files; so far it only
// writes: a recorded conversation as a pcapng file.
package capture
