// Package ladder draws one handshake for the terminal: who sends which message
// when, with how many bytes as message, record and packet, and what the
// ClientHello and the flights cost. The output is plain text in UTF-8.
package ladder
