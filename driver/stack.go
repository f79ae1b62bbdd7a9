package driver

import (
	"fmt"
	"io"
	"net"

	"shakedown/spec"
)

// Stack is an implementation of TLS that a Go program lends to [Main].
type Stack interface {
	// Name is the stack's name in flags and files, such as "go".
	Name() string
	// Info tells what the stack can do, probed. Main fills in what is its own:
	// Kind, Protocol, Verbs, Ops and Memory.
	Info() (spec.Info, error)
	// Server and Client make one end's context from the flags. What the stack
	// lacks is an error of [Cannot]; any other error is about the set-up.
	Server(Config) (Side, error)
	Client(Config) (Side, error)
}

// Side is the context of one end: certificates, parameters, the saved session.
// It has one connection at a time.
type Side interface {
	// Open puts a connection on top of a transport, without any I/O. A client
	// in mode resumed or early-data offers its saved session, if it has one.
	Open(net.Conn) Conn
	// HasSession tells whether a client has a session to offer.
	HasSession() bool
}

// Conn is one connection of a side.
type Conn interface {
	Handshake() error
	// Read returns application data as it comes, and deals with tickets and
	// other messages in between. The peer's end is io.EOF.
	io.ReadWriter
	// Proof tells what happened; it is asked after the handshake.
	Proof() spec.Proof
	// Failure classifies an error of the stack. Errors of the network
	// (refused, reset, closed, timeout) never get here.
	Failure(error) Failure
	// SaveSession keeps the newest session for the side's next connection.
	SaveSession()
	// Close sends close_notify first, if notify, and closes the transport.
	Close(notify bool) error
}

// EarlyConn is a Conn of a stack that accepts `--mode early-data`.
type EarlyConn interface {
	Conn
	// WriteEarly, at a client, begins the handshake and sends b as early data
	// (RFC 8446 2.3); Handshake then brings it to its end.
	WriteEarly(b []byte) error
	// HandshakeEarly, at a server, does the whole handshake. It calls got with
	// early data as it comes and sends at once what got answers, if anything.
	HandshakeEarly(got func(b []byte) (reply []byte)) error
}

// Values of Proof.Early.
const (
	EarlyAccepted = "accepted"
	EarlyRejected = "rejected"
)

// Cannot makes the error of a stack that lacks something: what is the name of
// the flag, the detail is for people.
func Cannot(what, format string, args ...any) error {
	return &CannotError{Error{Kind: KindError, Reason: "cannot", What: what, Detail: fmt.Sprintf(format, args...)}}
}
