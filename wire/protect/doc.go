// Package protect opens the encrypted records of TLS with the secrets of a key
// log: TLS 1.3 with each of its secrets, TLS 1.2 and older with the master
// secret. It reads what others recorded; it is no part of a TLS stack.
package protect
