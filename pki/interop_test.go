package pki

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestHandshake lets crypto/tls use the PEM files of both sides. It is TLS 1.2,
// because there both sides are done at the same message, as an unbuffered pipe
// needs.
func TestHandshake(t *testing.T) {
	for _, c := range classical {
		t.Run(c.auth, func(t *testing.T) {
			server, client := identity(t, c.auth, false), identity(t, "ecdsa-p256", true)
			serverEnd, clientEnd := net.Pipe()
			done := make(chan error, 1)
			go func() {
				done <- tls.Server(serverEnd, &tls.Config{
					Certificates: []tls.Certificate{keyPair(t, server)},
					ClientCAs:    pool(client), ClientAuth: tls.RequireAndVerifyClientCert,
				}).Handshake()
				_ = serverEnd.Close()
			}()
			conn := tls.Client(clientEnd, &tls.Config{
				Certificates: []tls.Certificate{keyPair(t, client)},
				RootCAs:      pool(server), ServerName: "localhost", MaxVersion: tls.VersionTLS12,
			})
			if err := conn.Handshake(); err != nil {
				t.Error("client:", err)
			}
			_ = clientEnd.Close()
			if err := <-done; err != nil {
				t.Error("server:", err)
			}
		})
	}
}

func keyPair(t *testing.T, id *Identity) tls.Certificate {
	pair, err := tls.X509KeyPair(id.ChainPEM(), id.KeyPEM())
	if err != nil {
		t.Error(err)
	}
	return pair
}

func pool(id *Identity) *x509.CertPool {
	p := x509.NewCertPool()
	p.AppendCertsFromPEM(id.RootPEM())
	return p
}

// An opensslTool is the command line that starts one OpenSSL.
type opensslTool []string

func (tool opensslTool) run(args ...string) (string, error) {
	cmd := exec.Command(tool[0], append(tool[1:len(tool):len(tool)], args...)...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// systemOpenSSL is the OpenSSL of this machine.
func systemOpenSSL(t *testing.T) opensslTool {
	t.Helper()
	path, err := exec.LookPath("openssl")
	if err != nil {
		t.Skip("openssl is not installed")
	}
	return opensslTool{path}
}

// mldsaOpenSSL is an OpenSSL of version 3.5 or later: that of this machine, or
// of an unpacked Debian root in the user's cache.
func mldsaOpenSSL(t *testing.T) opensslTool {
	t.Helper()
	var tools []opensslTool
	if path, err := exec.LookPath("openssl"); err == nil {
		tools = append(tools, opensslTool{path})
	}
	if cache, err := os.UserCacheDir(); err == nil {
		root := filepath.Join(cache, "shakedown", "roots", "trixie")
		for _, arch := range []string{"x86_64", "aarch64"} {
			loaders, _ := filepath.Glob(filepath.Join(root, "usr", "lib", arch+"-linux-gnu", "ld-linux-*"))
			for _, loader := range loaders {
				tools = append(tools, opensslTool{loader, "--library-path", filepath.Dir(loader), filepath.Join(root, "usr", "bin", "openssl")})
			}
		}
	}
	for _, tool := range tools {
		if out, err := tool.run("list", "-signature-algorithms"); err == nil && strings.Contains(out, "ML-DSA-65") {
			return tool
		}
	}
	t.Skip("no OpenSSL with ML-DSA (3.5 or later) on this machine or in the cache")
	return nil
}

func TestSystemOpenSSLVerifies(t *testing.T) {
	tool := systemOpenSSL(t)
	for _, c := range classical {
		t.Run(c.auth, func(t *testing.T) { opensslAccepts(t, tool, identity(t, c.auth, false), "sslserver") })
	}
	t.Run("client", func(t *testing.T) { opensslAccepts(t, tool, identity(t, "ecdsa-p256", true), "sslclient") })
	t.Run("padded", func(t *testing.T) {
		opensslAccepts(t, tool, mustNew(t, Options{Auth: "ecdsa-p256", Chain: 2, MinLeafBytes: 6000}), "sslserver")
	})
	t.Run("longest", func(t *testing.T) {
		opensslAccepts(t, tool, mustNew(t, Options{Auth: "ed25519", Chain: MaxChain}), "sslserver")
	})
}

func TestOpenSSLVerifiesMLDSA(t *testing.T) {
	tool := mldsaOpenSSL(t)
	for _, c := range postQuantum {
		t.Run(c.auth, func(t *testing.T) {
			opensslAccepts(t, tool, identity(t, c.auth, false), "sslserver")
			opensslAccepts(t, tool, mustNew(t, Options{Auth: c.auth, Client: true, MinLeafBytes: 12000}), "sslclient")
		})
	}
}

// opensslAccepts verifies the written chain strictly, and that the written key
// is whole and the leaf's.
func opensslAccepts(t *testing.T, tool opensslTool, id *Identity, purpose string) {
	t.Helper()
	files, err := id.WriteFiles(t.TempDir(), "id")
	if err != nil {
		t.Fatal(err)
	}
	out, err := tool.run("verify", "-x509_strict", "-purpose", purpose, "-verify_hostname", "localhost",
		"-CAfile", files.Root, "-untrusted", files.Chain, files.Chain)
	if err != nil {
		t.Errorf("verify: %v\n%s", err, out)
	}
	if out, err := tool.run("pkey", "-in", files.Key, "-noout", "-check"); err != nil {
		t.Errorf("pkey -check: %v\n%s", err, out)
	}
	ofKey, err1 := tool.run("pkey", "-in", files.Key, "-pubout")
	ofLeaf, err2 := tool.run("x509", "-in", files.Chain, "-noout", "-pubkey")
	if err1 != nil || err2 != nil || ofKey != ofLeaf {
		t.Errorf("the key is not the leaf's: %v, %v\n%s%s", err1, err2, ofKey, ofLeaf)
	}
}
