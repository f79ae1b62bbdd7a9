// Package virtual is a link inside one process, for tests of protocols: two packet
// connections with a profile's network between them. Inside a bubble of
// [testing/synctest] its time is virtual, so that a test asserts to the nanosecond
// how long a handshake takes; elsewhere it takes real time. It carries UDP alone,
// and needs no rights, no devices and no processes.
package virtual
