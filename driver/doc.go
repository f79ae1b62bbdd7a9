// Package driver is the process protocol through which the lab operates a
// stack: how to operate a driver ([Start]), how to be one ([Main]), and the
// messages in between. The protocol is written down in docs/driver.md.
package driver

// Protocol is the version of the driver protocol spoken by this package.
const Protocol = 1

// Limits of the protocol (docs/driver.md).
const (
	MaxBlock = 4096  // most repetitions in one `run`
	MaxApp   = 16384 // longest request or response, bytes
)
