// Package link is the network between two endpoints, and what is seen of it: so
// far a tap on loopback, through which a connection runs while it is recorded.
package link
