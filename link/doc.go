// Package link is the network between two endpoints, and what is seen of it: a tap
// on loopback, through which a connection runs while it is recorded, and emulated
// networks of two namespaces with an emulator between them.
package link
