package driver

import (
	"strconv"
	"strings"
	"time"
)

// Config is the set of flags of one endpoint; zero values are left to the
// stack's defaults. See docs/driver.md for the meaning of each.
type Config struct {
	Protocol    string
	Version     string
	Groups      []string
	Suites      []string
	Auth        string
	Cert        string
	Key         string
	CA          string
	Insecure    bool
	Mutual      bool
	PSK         string // hex
	PSKIdentity string
	Mode        string
	ServerName  string
	Request     int    // bytes
	Response    int    // bytes
	RequestText string // connect only
	Timeout     time.Duration
	KeyLog      string
	Memory      bool
	Fault       string

	Listen string // serve
	To     string // connect
	Count  int    // connect
	Op     string // op
	Size   int    // op record, bytes
}

// Args prints the flags, in the order of docs/driver.md.
func (c Config) Args() []string {
	var a args
	a.text("listen", c.Listen)
	a.text("to", c.To)
	a.number("count", c.Count)
	a.text("protocol", c.Protocol)
	a.text("version", c.Version)
	a.text("group", strings.Join(c.Groups, ","))
	a.text("suite", strings.Join(c.Suites, ","))
	a.text("auth", c.Auth)
	a.text("cert", c.Cert)
	a.text("key", c.Key)
	a.text("ca", c.CA)
	a.flag("insecure", c.Insecure)
	a.flag("mutual", c.Mutual)
	a.text("psk", c.PSK)
	a.text("psk-identity", c.PSKIdentity)
	a.text("mode", c.Mode)
	a.text("server-name", c.ServerName)
	a.number("request", c.Request)
	a.number("response", c.Response)
	a.text("request-text", c.RequestText)
	a.number("timeout", int(c.Timeout.Milliseconds()))
	a.text("keylog", c.KeyLog)
	a.flag("memory", c.Memory)
	a.text("fault", c.Fault)
	a.number("size", c.Size)
	return a
}

// args collects flags that are set.
type args []string

func (a *args) text(name, value string) {
	if value != "" {
		*a = append(*a, "--"+name, value)
	}
}

func (a *args) number(name string, value int) {
	if value != 0 {
		a.text(name, strconv.Itoa(value))
	}
}

func (a *args) flag(name string, on bool) {
	if on {
		*a = append(*a, "--"+name)
	}
}
