package capture

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"shakedown/wire"
	"shakedown/wire/protect"
	"shakedown/wire/transcript"
)

// shark is a capture file before tshark.
type shark struct {
	program, dir, file string
}

// openShark writes a conversation for tshark.
func openShark(t *testing.T, c Conversation, o Options) *shark {
	t.Helper()
	return shown(t, func(w io.Writer) error { return WriteTCP(w, c, o) })
}

// shown writes a file for tshark. It skips the test where there is no tshark.
func shown(t *testing.T, write func(io.Writer) error) *shark {
	t.Helper()
	program, err := exec.LookPath("tshark")
	if err != nil && os.Getenv("CI") != "true" {
		t.Skip("no tshark on PATH (package tshark): what Wireshark says of the file is not tested")
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s := &shark{program, dir, filepath.Join(dir, "a.pcapng")}
	file, err := os.Create(s.file)
	if err != nil {
		t.Fatal(err)
	}
	if err := write(file); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return s
}

// run returns the lines that tshark prints, with its settings as they come and all
// checksums verified.
func (s *shark) run(t *testing.T, args ...string) []string {
	t.Helper()
	args = append([]string{"-n", "-r", s.file, "-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE"}, args...)
	cmd := exec.Command(s.program, args...)
	cmd.Env = append(os.Environ(), "HOME="+s.dir, "XDG_CONFIG_HOME="+s.dir, "WIRESHARK_CONFIG_DIR="+s.dir)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("tshark %s: %v\n%s", strings.Join(args, " "), err, said.String())
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' })
}

func (s *shark) bytes(t *testing.T) []byte {
	t.Helper()
	b, err := os.ReadFile(s.file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// objection is a filter for what Wireshark has against a packet: anything in its
// analysis of the flow, a checksum that is not good, and warnings and errors.
const objection = "tcp.analysis.flags || !(tcp.checksum.status == 1) || (ip && !(ip.checksum.status == 1)) || " +
	"_ws.malformed || _ws.expert.severity >= 6291456"

// clean checks that Wireshark has nothing against any packet.
func (s *shark) clean(t *testing.T) {
	t.Helper()
	if lines := s.run(t, "-Y", objection); len(lines) != 0 {
		t.Errorf("Wireshark objects to\n%s", strings.Join(lines, "\n"))
	}
}

// messages lists the handshake messages that Wireshark shows: sender, type and
// size with header.
func (s *shark) messages(t *testing.T, c Conversation, args ...string) string {
	t.Helper()
	args = append(args, "-Y", "tls.handshake.type", "-T", "fields",
		"-e", "tcp.srcport", "-e", "tls.handshake.type", "-e", "tls.handshake.length")
	var b strings.Builder
	for _, line := range s.run(t, args...) {
		fields := strings.Split(line, "\t")
		from := transcript.Server
		if fields[0] == strconv.Itoa(int(c.Client.Port())) {
			from = transcript.Client
		}
		types, lengths := strings.Split(fields[1], ","), strings.Split(fields[2], ",")
		if len(types) != len(lengths) {
			t.Fatalf("tshark prints %q", line)
		}
		for i, length := range lengths {
			size, err := strconv.Atoi(length)
			if err != nil {
				t.Fatalf("tshark prints %q", line)
			}
			fmt.Fprintf(&b, "%s %s %d\n", from, types[i], size+wire.HandshakeHeader)
		}
	}
	return b.String()
}

// read lists the same out of our own transcript.
func (r *recording) read(t *testing.T) string {
	t.Helper()
	keys, err := protect.ParseKeyLog(r.keys)
	if err != nil {
		t.Fatal(err)
	}
	got := transcript.Read(transcript.Connection{Chunks: r.Chunks, Keys: keys})
	if got.Problem != "" || got.Opaque != 0 || !got.Complete {
		t.Fatalf("problem %q, %d records closed", got.Problem, got.Opaque)
	}
	var b strings.Builder
	for _, e := range got.Entries {
		if e.Content == wire.ContentHandshake {
			fmt.Fprintf(&b, "%s %d %d\n", e.From, e.Type, e.Size)
		}
	}
	return b.String()
}

func (r *recording) keyFile(t *testing.T, s *shark) string {
	t.Helper()
	name := filepath.Join(s.dir, "keys")
	if err := os.WriteFile(name, r.keys, 0o600); err != nil {
		t.Fatal(err)
	}
	return "tls.keylog_file:" + name
}

// Real handshakes: what Wireshark decrypts out of the file and what we read from
// the chunks is the same, message by message.
func TestWiresharkReadsHandshakes(t *testing.T) {
	for _, host := range []string{"127.0.0.1", "::1"} {
		for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
			for _, mss := range []int{0, 300} {
				t.Run(fmt.Sprint(host, " ", tls.VersionName(version), " ", mss), func(t *testing.T) {
					r := record(t, host, version)
					s := openShark(t, r.Conversation, Options{MSS: mss})
					s.clean(t)
					follow(t, packets(t, s.bytes(t), r.Conversation), r.Conversation, cmp.Or(mss, 1460))
					want := r.read(t)
					as := fmt.Sprintf("tcp.port==%d,tls", r.Server.Port())
					got := s.messages(t, r.Conversation, "-o", r.keyFile(t, s), "-d", as)
					if got != want || strings.Count(want, "\n") < 7 {
						t.Errorf("tshark shows\n%swe read\n%s", got, want)
					}
				})
			}
		}
	}
}

// On ports that belong to no protocol Wireshark finds TLS by itself.
func TestWiresharkFindsTLS(t *testing.T) {
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		r := record(t, "127.0.0.1", version)
		c := empty(false)
		r.Client, r.Server = c.Client, c.Server
		s := openShark(t, r.Conversation, Options{Command: "shakedown trace go go"})
		if got, want := s.messages(t, r.Conversation, "-o", r.keyFile(t, s)), r.read(t); got != want {
			t.Errorf("tshark shows\n%swe read\n%s", got, want)
		}
	}
}

// Large chunks, small segments and no bytes at all are a sound connection.
func TestWiresharkHasNothingAgainstIt(t *testing.T) {
	for _, ip6 := range []bool{false, true} {
		for name, c := range map[string]struct {
			Conversation
			mss int
		}{
			"empty":         {empty(ip6), 0},
			"1 MiB":         {talk(ip6, 10, 1<<20, 10), 0},
			"1 MiB, jumbo":  {talk(ip6, 1<<20, 1<<20), MaxMSS},
			"small segment": {talk(ip6, 2000, 1, 1), 1},
		} {
			t.Run(fmt.Sprint(name, " ", ip6), func(t *testing.T) {
				s := openShark(t, c.Conversation, Options{MSS: c.mss})
				s.clean(t)
				if lines := s.run(t); len(lines) < 6 {
					t.Errorf("tshark shows\n%s", strings.Join(lines, "\n"))
				}
			})
		}
	}
}
