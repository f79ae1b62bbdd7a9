package spec

import (
	"strings"
	"testing"
)

// TestJudge: a proof that says otherwise than the label is caught, whichever
// field of it was flipped.
func TestJudge(t *testing.T) {
	yes, no := true, false
	c := Case{
		Kind: KindHandshake, Version: "1.3", Group: "x25519", Suite: "TLS_AES_128_GCM_SHA256",
		Auth: AuthECDSAP256, Mode: ModeFull, Mutual: true,
	}
	good := Proof{
		Version: "1.3", Group: "x25519", Suite: "TLS_AES_128_GCM_SHA256",
		Signature: "ecdsa_secp256r1_sha256", Mode: "full", Mutual: &yes, HelloRetry: &no,
	}
	if m := c.Judge("client", &good); m != "" {
		t.Fatalf("a true proof was refused: %s", m)
	}
	for name, flip := range map[string]func(*Proof){
		"version":            func(p *Proof) { p.Version = "1.2" },
		"group":              func(p *Proof) { p.Group = "secp256r1" },
		"suite":              func(p *Proof) { p.Suite = "TLS_AES_256_GCM_SHA384" },
		"signature":          func(p *Proof) { p.Signature = "ed25519" },
		"mode":               func(p *Proof) { p.Mode = "resumed" },
		"client certificate": func(p *Proof) { p.Mutual = &no },
		"hello retry":        func(p *Proof) { p.HelloRetry = &yes },
		"external psk":       func(p *Proof) { p.PSK = true },
	} {
		p := good
		flip(&p)
		if m := c.Judge("server", &p); !strings.Contains(m, name) || !strings.HasPrefix(m, "server says") {
			t.Errorf("%s flipped: %q", name, m)
		}
	}
	if c.Judge("client", nil) == "" {
		t.Error("no proof at all was accepted")
	}
	silent := Proof{Mode: "full"}
	if m := c.Judge("client", &silent); m != "" {
		t.Errorf("what a stack cannot tell was held against it: %s", m)
	}
}

// TestDisagree: two witnesses that differ in one thing contradict each other, in
// either order; what one cannot tell contradicts nothing.
func TestDisagree(t *testing.T) {
	yes, no := true, false
	wire := Proof{
		Version: "1.3", Suite: "TLS_AES_128_GCM_SHA256", Group: "x25519", Signature: "ed25519",
		Mode: "early-data", Early: "accepted", HelloRetry: &no,
	}
	for name, flip := range map[string]func(*Proof){
		"version":     func(p *Proof) { p.Version = "1.2" },
		"suite":       func(p *Proof) { p.Suite = "TLS_AES_256_GCM_SHA384" },
		"group":       func(p *Proof) { p.Group = "secp256r1" },
		"signature":   func(p *Proof) { p.Signature = "ecdsa_secp256r1_sha256" },
		"mode":        func(p *Proof) { p.Mode = "full" },
		"early data":  func(p *Proof) { p.Early = "rejected" },
		"hello retry": func(p *Proof) { p.HelloRetry = &yes },
	} {
		client := wire
		flip(&client)
		for _, pair := range [][2]Witness{{{"client", &client}, {"wire", &wire}}, {{"wire", &wire}, {"client", &client}}} {
			m := Disagree(pair[0], pair[1])
			if !strings.Contains(m, name) || !strings.Contains(m, "client says") || !strings.Contains(m, "wire says") {
				t.Errorf("%s flipped: %q", name, m)
			}
		}
	}
	for _, silent := range []*Proof{{}, nil} {
		if m := Disagree(Witness{"client", silent}, Witness{"wire", &wire}); m != "" {
			t.Errorf("silence was held against it: %q", m)
		}
	}
}
