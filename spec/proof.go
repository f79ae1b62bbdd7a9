package spec

// Proof is what one side's stack says happened. Empty fields could not be told.
type Proof struct {
	Version    string `json:"version,omitempty"`
	Suite      string `json:"suite,omitempty"`
	Group      string `json:"group,omitempty"`
	Signature  string `json:"signature,omitempty"`
	Mode       string `json:"mode,omitempty"`
	Early      string `json:"early,omitempty"` // "accepted" or "rejected"
	PSK        bool   `json:"psk,omitempty"`
	HelloRetry *bool  `json:"hello_retry,omitempty"`
	Verified   *bool  `json:"verified,omitempty"`
	Mutual     *bool  `json:"mutual,omitempty"`
}
