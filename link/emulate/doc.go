// Package emulate is the process that carries packets between two TUN devices as a
// link would: it reads them, has their fate reckoned (link/shape), and writes them
// when they are due. It needs no rights, and measures its own error. It is for
// Linux.
package emulate
