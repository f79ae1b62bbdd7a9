package driver

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net"
	"strings"
	"testing"
	"time"
)

// running is a driver inside this process.
type running struct {
	stdin  *io.PipeWriter
	lines  *bufio.Scanner
	status chan int
	words  strings.Builder
}

func launchHere(t *testing.T, s Stack, args ...string) *running {
	t.Helper()
	stdin, commands := io.Pipe()
	out, stdout := io.Pipe()
	r := &running{stdin: commands, lines: bufio.NewScanner(out), status: make(chan int, 1)}
	go func() {
		status := Main(s, args, stdin, stdout, &r.words)
		_ = stdout.Close()
		r.status <- status
	}()
	return r
}

// until returns the lines up to the one of a kind.
func (r *running) until(t *testing.T, kind string) (list []Handshake, last []byte) {
	t.Helper()
	for r.lines.Scan() {
		var h Handshake
		if err := json.Unmarshal(r.lines.Bytes(), &h); err != nil {
			t.Fatalf("%q: %v", r.lines.Text(), err)
		}
		if h.Kind == kind {
			return list, r.lines.Bytes()
		}
		list = append(list, h)
	}
	t.Fatalf("no line of kind %s; %q", kind, r.words.String())
	return nil, nil
}

func (r *running) ask(t *testing.T, command, kind string) []Handshake {
	t.Helper()
	if _, err := io.WriteString(r.stdin, command+"\n"); err != nil {
		t.Fatal(err)
	}
	list, _ := r.until(t, kind)
	return list
}

// end closes the input and wants a good end.
func (r *running) end(t *testing.T) {
	t.Helper()
	_ = r.stdin.Close()
	for r.lines.Scan() {
		t.Errorf("a line after the end: %s", r.lines.Text())
	}
	if status := <-r.status; status != 0 {
		t.Errorf("status %d, %q", status, r.words.String())
	}
}

// exchange makes one block of n handshakes of a mode.
func exchange(t *testing.T, s plain, n int, mode string) (client, server []Handshake) {
	t.Helper()
	srv := launchHere(t, s, "serve", "--listen", "127.0.0.1:0", "--cert", "c", "--key", "k", "--mode", mode)
	_, line := srv.until(t, KindReady)
	var ready Ready
	if err := json.Unmarshal(line, &ready); err != nil {
		t.Fatal(err)
	}
	cli := launchHere(t, s, "connect", "--to", ready.Address, "--mode", mode, "--timeout", "20000")
	cli.until(t, KindReady)
	client = cli.ask(t, "run "+string(rune('0'+n)), KindBlock)
	server = srv.ask(t, "report", KindReport)
	cli.end(t)
	srv.end(t)
	return client, server
}

func modes(list []Handshake) string {
	var words []string
	for _, h := range list {
		word := h.Reason
		if h.OK {
			word = strings.TrimSpace(h.Proof.Mode + " " + h.Proof.Early)
		}
		if h.Prime {
			word = "prime " + word
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		stack          plain
		mode           string
		client, server string
	}{
		{plain{}, "full", "full, full", "full, full"},
		{plain{tickets: true}, "resumed", "prime full, resumed, resumed", "full, resumed, resumed"},
		{plain{}, "resumed", "prime full, prime full, no-session, no-session", "full, full"},
		{
			plain{tickets: true},
			"early-data", "prime full, early-data accepted, early-data accepted",
			"full, early-data accepted, early-data accepted",
		},
		{
			plain{tickets: true, rejects: true},
			"early-data", "prime full, resumed rejected, resumed rejected",
			"full, resumed rejected, resumed rejected",
		},
	} {
		client, server := exchange(t, c.stack, 2, c.mode)
		if modes(client) != c.client || modes(server) != c.server {
			t.Errorf("%+v %s:\nclient %s\nserver %s", c.stack, c.mode, modes(client), modes(server))
		}
	}
}

// TestEarlyMarks: the request is at the server before its handshake is over,
// and the early answer is not given twice.
func TestEarlyMarks(t *testing.T) {
	client, server := exchange(t, plain{tickets: true}, 1, "early-data")
	c, s := client[1], server[1]
	if !(c.Start < s.Request && s.Request <= s.Complete && s.Request < c.Response) {
		t.Errorf("client start %d, response %d; server request %d, complete %d", c.Start, c.Response, s.Request, s.Complete)
	}
	if s.Port != c.Port {
		t.Errorf("ports %d and %d", c.Port, s.Port)
	}
}

func TestServerSurvivesGarbage(t *testing.T) {
	srv := launchHere(t, plain{}, "serve", "--listen", "127.0.0.1:0", "--cert", "c", "--key", "k")
	_, line := srv.until(t, KindReady)
	var ready Ready
	if err := json.Unmarshal(line, &ready); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"?", "", "Fhalf a request"} {
		c, err := net.Dial("tcp", ready.Address)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, text); err != nil {
			t.Fatal(err)
		}
		_ = c.Close()
	}
	if got := srv.ask(t, "report", KindReport); len(got) != 3 || got[0].Reason != "protocol" || got[1].Reason != "closed" || got[2].OK {
		t.Errorf("%+v", got)
	}
	srv.end(t)
}

func TestExitStatus(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		says   string
	}{
		{"", 2, ""},
		{"info", 0, `{"kind":"info","protocol":1,"stack":"plain","version":"1"`},
		{"serve --listen 127.0.0.1:0", 2, ""},
		{"serve --listen 127.0.0.1:0 --cert c --key k --version 1.2", 1, `{"kind":"error","reason":"cannot","what":"version","detail":"plain has no 1.2"}`},
		{"serve --listen 127.0.0.1:none --cert c --key k", 1, `{"kind":"error","reason":"setup","detail":"listen tcp`},
		{"connect --to 127.0.0.1", 1, `{"kind":"error","reason":"setup","detail":"--to: `},
	} {
		var out, words strings.Builder
		status := Main(plain{}, strings.Fields(c.args), strings.NewReader(""), &out, &words)
		if status != c.status || !strings.HasPrefix(out.String(), c.says) || (status != 0) != (words.String() != "") {
			t.Errorf("%q: status %d, out %q, err %q", c.args, status, out.String(), words.String())
		}
	}
}

func TestRecordInMemory(t *testing.T) {
	op := launchHere(t, plain{}, "op", "record", "--size", "100", "--cert", "c", "--key", "k")
	_, line := op.until(t, KindReady)
	var ready Ready
	if err := json.Unmarshal(line, &ready); err != nil {
		t.Fatal(err)
	}
	if ready.RecordBytes != 100 || ready.Proof == nil || ready.Proof.Client.Mode != "full" {
		t.Errorf("%+v", ready)
	}
	if got := op.ask(t, "run 2", KindBlock); len(got) != 2 || got[0].Kind != KindSamples {
		t.Errorf("%+v", got)
	}
	op.end(t)
}

// TestClock: the clock runs with the one of the machine.
func TestClock(t *testing.T) {
	c := newClock()
	before := monotonic()
	now := c.now()
	after := monotonic()
	const slack = int64(time.Millisecond) // of reading two clocks
	if now < before-slack || now > after+slack {
		t.Errorf("%d is not between %d and %d", now, before, after)
	}
	if later := c.now(); later < now {
		t.Errorf("%d after %d", later, now)
	}
}

func TestPipe(t *testing.T) {
	p := newPipe(8)
	_, _ = p.Write([]byte("0123456789"))
	b := make([]byte, 4)
	if n, err := p.Read(b); n != 4 || err != nil || p.len() != 6 {
		t.Errorf("%d, %v, %d left", n, err, p.len())
	}
	p.close()
	if _, err := p.Write(b); !errors.Is(err, errGone) {
		t.Errorf("write after close: %v", err)
	}
	if rest, err := io.ReadAll(p); string(rest) != "456789" || !errors.Is(err, errGone) {
		t.Errorf("%q, %v", rest, err)
	}
	p.alone = true
	if n, err := p.Read(b); n != 0 || !errors.Is(err, errEmpty) {
		t.Errorf("alone: %d, %v", n, err)
	}
}

func TestDialerTriesAll(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	dead, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = dead.Close()
	d := &dialer{addresses: []string{dead.Addr().String(), l.Addr().String()}}
	for range 2 {
		c, err := d.dial(time.Now().Add(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		_ = c.Close()
		if d.last != 1 {
			t.Errorf("remembers %d", d.last)
		}
	}
	d = &dialer{addresses: d.addresses[:1]}
	if _, err := d.dial(time.Now().Add(time.Minute)); netReason(err) != ReasonRefused {
		t.Errorf("%v", err)
	}
}

func TestMeter(t *testing.T) {
	m := meter{on: true}
	m.ready()
	held := make([]byte, 8<<20)
	for i := range held {
		held[i] = byte(i)
	}
	got := m.read()
	if memoryKind == "" {
		t.Skip("this system does not tell the peak")
	}
	if got == nil || got.What != memoryKind || got.Peak-got.Idle < 7<<20 || got.Peak > math.MaxInt32 {
		t.Errorf("%+v for %d bytes", got, len(held))
	}
	if off := (&meter{}).read(); off != nil {
		t.Errorf("not asked, but %+v", off)
	}
}
