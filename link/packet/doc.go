// Package packet reads the headers of IP packets as a link carries them: addresses
// and ports, and of TCP what its dynamics show.
package packet
