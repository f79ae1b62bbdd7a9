package spec

// Info is what a stack can do, probed in the library as loaded: a driver's answer
// to `info` (docs/driver.md).
type Info struct {
	Kind       string   `json:"kind"`
	Protocol   int      `json:"protocol"`
	Stack      string   `json:"stack"`
	Version    string   `json:"version"`
	Library    string   `json:"library"`
	Headers    string   `json:"headers,omitempty"`
	Verbs      []string `json:"verbs"`
	Protocols  []string `json:"protocols"`
	Versions   []string `json:"versions"`
	Groups     []string `json:"groups"`
	Suites     []string `json:"suites"`
	Auths      []string `json:"auths"`
	Modes      []string `json:"modes"`
	Mutual     bool     `json:"mutual"`
	HelloRetry bool     `json:"hello_retry"`
	Ops        []string `json:"ops"`
	Memory     string   `json:"memory"`
	// Application is what its server speaks on top of TLS when it is not the bare
	// request and response of the driver protocol: "http".
	Application string            `json:"application,omitempty"`
	Cannot      map[string]string `json:"cannot,omitempty"`
}
