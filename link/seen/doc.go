// Package seen reads what the packets between two endpoints say of a TCP
// connection: its two byte streams and when each byte could be read, which packets
// carried them, what was lost and sent again, and for what a sender had to wait.
package seen
