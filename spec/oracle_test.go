package spec

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"io"
	"net"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// tool returns the path of a program, or skips the test and says so.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not on this machine: its spellings go unchecked", name)
	}
	return path
}

func output(t *testing.T, path string, args ...string) string {
	t.Helper()
	out, err := exec.Command(path, args...).Output()
	if err != nil {
		t.Skipf("%s %s: %v", path, strings.Join(args, " "), err)
	}
	return string(out)
}

// TestOpenSSLSuites holds every suite that the machine's OpenSSL prints against
// the table: code point, IANA name and OpenSSL's own name.
func TestOpenSSLSuites(t *testing.T) {
	out := output(t, tool(t, "openssl"), "ciphers", "-V", "-stdname", "ALL:COMPLEMENTOFALL:@SECLEVEL=0")
	line := regexp.MustCompile(`0x(..),0x(..) - (\S+)\s+- (\S+)\s+(\S+)`)
	rows := line.FindAllStringSubmatch(out, -1)
	if len(rows) < 10 {
		t.Fatalf("openssl printed %d suites", len(rows))
	}
	oldest := map[string]Version{"SSLv3": Version10, "TLSv1": Version10, "TLSv1.2": Version12, "TLSv1.3": Version13}
	for _, row := range rows {
		code, _ := strconv.ParseUint(row[1]+row[2], 16, 16)
		for _, spelling := range row[3:5] {
			s, err := ParseSuite(spelling)
			if err != nil || uint64(s.Code) != code || s.Name != row[3] || s.OpenSSL != row[4] || s.Min != oldest[row[5]] {
				t.Errorf("%q = %+v, %v; openssl says %s", spelling, s, err, row[0])
			}
		}
	}
	t.Logf("%d suites agree with openssl", len(rows))
}

// TestOpenSSLGroupsAndSchemes gives every spelling we know to the machine's
// OpenSSL. Each that it takes must put the code point of the table into the
// ClientHello.
func TestOpenSSLGroupsAndSchemes(t *testing.T) {
	if testing.Short() {
		t.Skip("starts openssl once for each spelling")
	}
	client := newHelloClient(t, tool(t, "openssl"))
	for _, kind := range []struct {
		flag      string
		extension uint16
		entries   []entry
		least     int
	}{
		{"-groups", 10, groupEntries(), 8},
		{"-sigalgs", 13, schemeEntries(), 8},
	} {
		agreed := 0
		for _, e := range kind.entries {
			for _, spelling := range append([]string{e.name}, e.aliases...) {
				codes, taken := client.offer(kind.flag, spelling, kind.extension)
				if !taken {
					continue
				}
				agreed++
				if len(codes) != 1 || codes[0] != e.code {
					t.Errorf("openssl %s %s sends %04X; the table says %04X", kind.flag, spelling, codes, e.code)
				}
			}
		}
		if agreed < kind.least {
			t.Errorf("openssl took only %d spellings for %s", agreed, kind.flag)
		}
		t.Logf("%d spellings for %s agree with openssl", agreed, kind.flag)
	}
}

// helloClient makes OpenSSL send ClientHellos to a listener of ours.
type helloClient struct {
	t        *testing.T
	path     string
	listener net.Listener
	hellos   chan []byte
}

func newHelloClient(t *testing.T, path string) *helloClient {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &helloClient{t: t, path: path, listener: listener, hellos: make(chan []byte, 1)}
	t.Cleanup(func() { _ = listener.Close() })
	go c.collect()
	return c
}

// collect reads the first record of each connection, until the listener closes.
func (c *helloClient) collect() {
	for {
		conn, err := c.listener.Accept()
		if err != nil {
			return
		}
		c.hellos <- firstRecord(conn)
		_ = conn.Close()
	}
}

// firstRecord returns the body of a record, or nothing if the peer left early.
func firstRecord(conn io.Reader) []byte {
	header := make([]byte, 5)
	if _, err := io.ReadFull(conn, header); err != nil {
		return nil
	}
	body := make([]byte, binary.BigEndian.Uint16(header[3:]))
	if _, err := io.ReadFull(conn, body); err != nil {
		return nil
	}
	return body
}

// offer returns the list in one extension of the ClientHello, and whether
// OpenSSL took the spelling at all.
func (c *helloClient) offer(flag, spelling string, extension uint16) (codes []uint16, taken bool) {
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.path, "s_client", "-connect", c.listener.Addr().String(), flag, spelling,
		"-cipher", "ALL:@SECLEVEL=0")
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		c.t.Fatalf("openssl hung on %s %s: %v", flag, spelling, err)
	}
	if !bytes.Contains(out, []byte("CONNECTED")) {
		return nil, false
	}
	codes = extensionCodes(<-c.hellos, extension)
	return codes, codes != nil
}

// extensionCodes finds an extension that is a list of code points in the
// ClientHello message of a well-behaved client.
func extensionCodes(hello []byte, extension uint16) (codes []uint16) {
	rest := hello[min(len(hello), 4+2+32):]
	for _, prefix := range []int{1, 2, 1} { // session ID, suites, compression
		if len(rest) < prefix {
			return nil
		}
		n := int(rest[prefix-1])
		if prefix == 2 {
			n |= int(rest[0]) << 8
		}
		rest = rest[min(len(rest), prefix+n):]
	}
	for rest = rest[min(len(rest), 2):]; len(rest) >= 4; {
		kind, n := binary.BigEndian.Uint16(rest), int(binary.BigEndian.Uint16(rest[2:]))
		body := rest[4:min(len(rest), 4+n)]
		for i := 2; kind == extension && i+1 < len(body); i += 2 {
			codes = append(codes, binary.BigEndian.Uint16(body[i:]))
		}
		rest = rest[min(len(rest), 4+n):]
	}
	return codes
}

// TestOpenSSLGroupList parses what OpenSSL 3.5 and later lists.
func TestOpenSSLGroupList(t *testing.T) {
	out := output(t, tool(t, "openssl"), "list", "-tls-groups")
	for _, name := range strings.FieldsFunc(out, func(r rune) bool { return r == ':' || r <= ' ' }) {
		if _, err := ParseGroup(name); err != nil {
			t.Error(err)
		}
	}
}

// TestGnuTLS holds the names that the machine's GnuTLS lists against the tables.
func TestGnuTLS(t *testing.T) {
	out := output(t, tool(t, "gnutls-cli"), "--list")
	rows := regexp.MustCompile(`(?m)^(TLS_\S+)\s+0x(..), 0x(..)\s`).FindAllStringSubmatch(out, -1)
	for _, row := range rows {
		code, _ := strconv.ParseUint(row[2]+row[3], 16, 16)
		s, err := ParseSuite(row[1])
		if gost := strings.Contains(row[1], "GOST"); !gost && (err != nil || uint64(s.Code) != code) {
			t.Errorf("%s = %s %04X, %v; gnutls says %04X", row[1], s, s.Code, err, code)
		}
	}
	groups := listAfter(out, "Groups: ")
	for _, name := range groups {
		if _, err := ParseGroup(name); err != nil {
			t.Error(err)
		}
	}
	if len(rows) < 10 || len(groups) < 5 {
		t.Fatalf("gnutls printed %d suites and %d groups", len(rows), len(groups))
	}
}

func listAfter(text, heading string) []string {
	_, rest, found := strings.Cut(text, heading)
	line, _, _ := strings.Cut(rest, "\n")
	if !found {
		return nil
	}
	return strings.Split(line, ", ")
}

// TestGo holds the names and code points of crypto/tls against the tables.
func TestGo(t *testing.T) {
	for _, want := range append(tls.CipherSuites(), tls.InsecureCipherSuites()...) {
		s, err := ParseSuite(want.Name)
		if err != nil || s.Code != want.ID || s.Name != want.Name {
			t.Errorf("%s = %+v, %v", want.Name, s, err)
		}
		if s.TLS13 != (want.SupportedVersions[0] == tls.VersionTLS13) {
			t.Errorf("%s: TLS 1.3 %v", want.Name, s.TLS13)
		}
	}
	for _, id := range []tls.CurveID{
		tls.CurveP256, tls.CurveP384, tls.CurveP521, tls.X25519,
		tls.X25519MLKEM768, tls.SecP256r1MLKEM768, tls.SecP384r1MLKEM1024,
	} {
		if g, err := ParseGroup(id.String()); err != nil || g.Code != uint16(id) {
			t.Errorf("%s = %s, %v", id, g, err)
		}
	}
	for _, scheme := range []tls.SignatureScheme{
		tls.PKCS1WithSHA256, tls.PKCS1WithSHA384, tls.PKCS1WithSHA512, tls.PSSWithSHA256, tls.PSSWithSHA384,
		tls.PSSWithSHA512, tls.ECDSAWithP256AndSHA256, tls.ECDSAWithP384AndSHA384, tls.ECDSAWithP521AndSHA512,
		tls.Ed25519, tls.PKCS1WithSHA1, tls.ECDSAWithSHA1,
	} {
		if s, err := ParseSignatureScheme(scheme.String()); err != nil || s.Code != uint16(scheme) {
			t.Errorf("%s = %s, %v", scheme, s, err)
		}
	}
}
