package gotls

import (
	"crypto/tls"
	"errors"
	"net"
	"reflect"
	"strings"

	"shakedown/driver"
)

// Failure classifies an error of crypto/tls.
func (c *conn) Failure(err error) driver.Failure {
	f := driver.Failure{Reason: driver.ReasonOther, Detail: err.Error()}
	if f.Alert = receivedAlert(err); f.Alert != "" {
		f.Reason, f.From = driver.ReasonAlert, driver.FromPeer
		return f
	}
	if f.Alert = c.sentAlert(); f.Alert != "" {
		f.From = driver.FromLocal
	}
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &certificate):
		f.Reason = driver.ReasonVerify
	case f.Alert != "":
		f.Reason = driver.ReasonAlert
	case strings.HasPrefix(err.Error(), "tls: "):
		f.Reason = driver.ReasonProtocol
	}
	return f
}

// receivedAlert names the alert that the peer ended with, if it did.
func receivedAlert(err error) string {
	var op *net.OpError
	if !errors.As(err, &op) || op.Op != "remote error" {
		return ""
	}
	return alertOf(reflect.ValueOf(op.Err))
}

// sentAlert names the alert that this end sent, if it did. crypto/tls returns
// the cause instead and keeps the alert as the error of its writing half, which
// is not exported: it can be read but may move; then it is left out.
func (c *conn) sentAlert() string {
	op := inner(field(field(reflect.ValueOf(c.Conn), "out"), "err"))
	if !op.IsValid() || op.Type() != reflect.TypeFor[net.OpError]() || op.FieldByName("Op").String() != "local error" {
		return ""
	}
	return alertOf(op.FieldByName("Err").Elem())
}

// field reads a field of a structure or of what it points to; not valid
// without one.
func field(v reflect.Value, name string) reflect.Value {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	return v.FieldByName(name)
}

// inner unwraps an error that is kept in fields named err.
func inner(err reflect.Value) reflect.Value {
	for next := field(err, "err"); next.IsValid(); next = field(err, "err") {
		err = next
	}
	for err.Kind() == reflect.Pointer || err.Kind() == reflect.Interface {
		err = err.Elem()
	}
	return err
}

// alertOf names an alert, which crypto/tls has as a type of its own over uint8.
func alertOf(v reflect.Value) string {
	if v.Kind() != reflect.Uint8 {
		return ""
	}
	return driver.AlertName(uint8(v.Uint()))
}
