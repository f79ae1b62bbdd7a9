// Package lab runs a plan: it expands the cases, starts the drivers, measures
// in interleaved blocks of random order, checks every handshake against its
// label, and journals what it measured before it goes on.
package lab
