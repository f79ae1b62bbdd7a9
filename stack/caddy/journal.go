package caddy

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"net/netip"
	"strconv"
	"strings"

	"shakedown/driver"
	"shakedown/spec"
)

// Caddy's loggers of requests, and of what its HTTP server has to say: that a
// handshake failed.
const (
	accessLogger = "http.log.access"
	errorLogger  = "http.stdlib"
)

// Bounds of what is kept of the log, bytes.
const (
	maxRaw  = 4 << 20 // before it is read
	maxLine = 1 << 20
)

// journal turns Caddy's log into accounts of handshakes. Lines are kept as they
// come and read when they are asked for, so that nothing is computed while a
// block of handshakes is timed.
type journal struct {
	raw    []byte
	list   []driver.Handshake
	marker string // a path: its line ends what is waited for
	marked bool
}

// add keeps a piece of the log.
func (j *journal) add(piece []byte) {
	j.raw = append(j.raw, piece...)
	if len(j.raw) > maxRaw {
		j.read()
	}
}

// read takes in all lines that are complete.
func (j *journal) read() {
	rest := j.raw
	for {
		line, after, whole := bytes.Cut(rest, []byte{'\n'})
		if !whole {
			break
		}
		j.take(line)
		rest = after
	}
	if len(rest) > maxLine {
		rest = nil // no line of Caddy's is that long
	}
	j.raw = j.raw[:copy(j.raw, rest)]
}

// entry is what a line of the log tells.
type entry struct {
	Logger  string `json:"logger"`
	Msg     string `json:"msg"`
	Request struct {
		Port string     `json:"remote_port"`
		URI  string     `json:"uri"`
		TLS  *tlsRecord `json:"tls"`
	} `json:"request"`
}

// tlsRecord is what Caddy tells of a connection.
type tlsRecord struct {
	Resumed bool    `json:"resumed"`
	Version uint16  `json:"version"`
	Suite   uint16  `json:"cipher_suite"`
	Client  *string `json:"client_common_name"` // of the client's certificate, if it showed one
}

// take reads one line. What is no account of a connection is passed over.
func (j *journal) take(line []byte) {
	var e entry
	if json.Unmarshal(line, &e) != nil {
		return
	}
	switch {
	case e.Logger == errorLogger:
		if h, ok := failed(e.Msg); ok {
			j.list = append(j.list, h)
		}
	case e.Logger != accessLogger:
	case e.Request.TLS != nil:
		j.list = append(j.list, served(e))
	case j.marker != "" && e.Request.URI == j.marker:
		j.marked = true
	}
}

// served is the account of a connection whose request was answered.
func served(e entry) driver.Handshake {
	t := e.Request.TLS
	port, _ := strconv.Atoi(e.Request.Port)
	mutual := t.Client != nil
	proof := &spec.Proof{Version: versionName(t.Version), Mode: string(spec.ModeFull), Mutual: &mutual}
	if suite, known := spec.SuiteByCode(t.Suite); known {
		proof.Suite = suite.Name
	}
	if t.Resumed {
		proof.Mode = string(spec.ModeResumed)
	}
	return driver.Handshake{Kind: driver.KindHandshake, Side: "server", Port: port, OK: true, Proof: proof}
}

// versionName is empty for a version that the vocabulary lacks.
func versionName(code uint16) string {
	for _, v := range spec.Versions() {
		if v.Code(spec.ProtocolTLS) == code {
			return string(v)
		}
	}
	return ""
}

// failed is the account of a handshake that failed, as net/http words it:
// "http: TLS handshake error from 127.0.0.1:4711: EOF".
func failed(msg string) (driver.Handshake, bool) {
	rest, found := strings.CutPrefix(msg, "http: TLS handshake error from ")
	from, cause, told := strings.Cut(rest, ": ")
	client, err := netip.ParseAddrPort(from)
	if !found || !told || err != nil {
		return driver.Handshake{}, false
	}
	h := driver.Handshake{Kind: driver.KindHandshake, Side: "server", Port: int(client.Port()), Detail: cause}
	h.Reason, h.Alert, h.From = reason(cause)
	return h, true
}

// reason sorts the words of crypto/tls and of the network into the protocol's
// list.
func reason(cause string) (reason, alert, from string) {
	if text, remote := strings.CutPrefix(cause, "remote error: "); remote {
		return driver.ReasonAlert, alertName(text), driver.FromPeer
	}
	if text, local := strings.CutPrefix(cause, "local error: "); local {
		return driver.ReasonAlert, alertName(text), driver.FromLocal
	}
	for _, known := range []struct{ words, reason string }{
		{"EOF", driver.ReasonClosed},
		{"i/o timeout", driver.ReasonTimeout},
		{"connection reset by peer", driver.ReasonReset},
		{"broken pipe", driver.ReasonReset},
		{"certificate", driver.ReasonVerify},
		{"tls: ", driver.ReasonProtocol},
		{"HTTP request", driver.ReasonProtocol},
	} {
		if strings.Contains(cause, known.words) {
			return known.reason, "", ""
		}
	}
	return driver.ReasonOther, "", ""
}

// alertName finds the alert that crypto/tls words so, "" for none.
func alertName(text string) string {
	for code := range 256 {
		if tls.AlertError(code).Error() == text {
			return driver.AlertName(uint8(code))
		}
	}
	return ""
}
