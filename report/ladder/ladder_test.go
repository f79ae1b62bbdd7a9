package ladder

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"shakedown/result"
	"shakedown/spec"
)

var update = flag.Bool("update", false, "write the golden files anew")

// draw is what is drawn of a transcript.
func draw(tb testing.TB, t result.Transcript, width int) string {
	tb.Helper()
	var buf bytes.Buffer
	if err := Text(&buf, t, width); err != nil {
		tb.Fatal(err)
	}
	return buf.String()
}

func TestGolden(t *testing.T) {
	for name, transcript := range fixtures() {
		t.Run(name, func(t *testing.T) { golden(t, name+".txt", draw(t, transcript, Usual)) })
	}
	t.Run("narrow", func(t *testing.T) { golden(t, "narrow.txt", draw(t, hybrid(), Least)) })
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test ./report/ladder -update writes it)", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s differs; -update takes what came:\n%s", file, diff)
	}
}

// sound holds what must be true of every drawing.
func sound(tb testing.TB, text string, width int) {
	tb.Helper()
	if width <= 0 {
		width = Usual
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if size(line) > max(width, Least) {
			tb.Errorf("%d columns where %d are allowed:\n%s", size(line), max(width, Least), line)
		}
		if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
			tb.Errorf("a character that does not print: %q", line)
		}
		if strings.HasSuffix(line, " ") {
			tb.Errorf("a space at the end: %q", line)
		}
	}
}

func TestWidth(t *testing.T) {
	odd := append(slices.Collect(maps.Values(fixtures())), hostile(), result.Transcript{})
	for _, width := range []int{-7, 0, 1, 79, 80, 81, 90, 100, 101, 120, 200} {
		for _, transcript := range odd {
			sound(t, draw(t, transcript, width), width)
		}
	}
}

// hostile has what no handshake has.
func hostile() result.Transcript {
	long := strings.Repeat("very-long-name", 20)
	escape := "\x1b]0;gone\x07\n\u202e\xff"
	t := hybrid()
	t.Case.Client, t.Case.Server, t.Problem = long, escape, escape+long
	t.Warnings = []string{escape, long, "", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40"}
	t.Proof.Wire = &spec.Proof{Version: escape, Suite: long, Group: escape + long, Mode: escape}
	t.Wire = result.Exchange{Messages: -1, MessagesPaper: math.MinInt, Flights: math.MaxInt, ClientBytes: math.MinInt, ServerBytes: math.MaxInt, MSS: -1, MessagesPost: math.MaxInt}
	for _, at := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1e-9, 1e300, -9999.9994} {
		for _, n := range []int{math.MinInt, -1, 0, math.MaxInt} {
			m := result.Message{From: escape, Name: escape + long, Epoch: escape, Size: n, Record: n, Records: n, Packets: n, Flight: n, Time: at, Shared: true}
			t.Messages = append(t.Messages, m)
			m.From, m.Counted = "server", true
			t.Messages = append(t.Messages, m)
			t.Flights = append(t.Flights, result.Flight{Number: n, From: "server", Bytes: n, Packets: n, Extra: n})
		}
	}
	t.Hello = &result.Offer{JA4: escape + long, Other: math.MaxInt, Extensions: []result.Extension{
		{Name: long, Bytes: math.MaxInt, Parts: []result.Part{{Name: long, Bytes: math.MinInt}}}, {Name: escape, Bytes: math.MinInt}, {},
	}}
	t.Fit = &result.Fit{Label: result.Label(escape), MSS: math.MaxInt, Bytes: 1, Spare: math.MinInt, Packets: -1, Enough: []string{long, escape}, Ways: []result.Way{
		{Name: long, Saves: math.MinInt, Bytes: math.MaxInt, Price: long}, {Name: escape, Price: escape}, {},
	}}
	return t
}

// TestEscapes: a name cannot speak to the terminal, and is told all the same.
func TestEscapes(t *testing.T) {
	transcript := hybrid()
	transcript.Messages[1].Name = "Server\x1b[2JHello"
	text := draw(t, transcript, Usual)
	if !strings.Contains(text, `Server\x1b[2JHello`) {
		t.Errorf("the name is not escaped:\n%s", text)
	}
}

// TestNamesAreWhole: a message's name is on its line down to 80 columns, every
// other name at 100; longer ones go on below and lose nothing.
func TestNamesAreWhole(t *testing.T) {
	for file, transcript := range fixtures() {
		narrow, usual := draw(t, transcript, Least), draw(t, transcript, Usual)
		for _, m := range transcript.Messages {
			if !strings.Contains(narrow, m.Name) && len(m.Name) < 20 {
				t.Errorf("%s: %s is not in one piece", file, m.Name)
			}
		}
		for _, e := range transcript.Hello.Extensions {
			if !strings.Contains(usual, "  "+e.Name+" ") {
				t.Errorf("%s: %s is not in one piece", file, e.Name)
			}
		}
	}
	transcript := tls12()
	transcript.Messages[1].Name = strings.Repeat("abcdefghi-", 9)
	letters := strings.Join(strings.FieldsFunc(draw(t, transcript, Least), func(r rune) bool { return r != '-' && !unicode.IsLower(r) }), "")
	if !strings.Contains(letters, transcript.Messages[1].Name[:25]) {
		t.Error("a long name lost a part")
	}
}

// TestCounts: what the lines of the drawing say of each fixture.
func TestCounts(t *testing.T) {
	for name, lines := range map[string][]string{
		"hybrid": {"messages     7 in 3 flights; 1 more after the handshake", "round trips  1 before", "45 B more than a packet carries (MSS 1,448 B)", "Enough: TLS 1.3 only."},
		"tls12":  {"messages     10 in 4 flights\n", "round trips  2 before", "1,243 B less than a packet carries"},
		"early":  {"messages     6 in 3 flights; papers count 5: they leave EndOfEarlyData out", "round trips  0: the client's first application bytes leave with its ClientHello", "0-RTT data of 36 B"},
		"retry":  {"HelloRetryRequest\n", "round trips  2 before", "one of them for the", "The first ClientHello, 1,496 bytes", "Enough together: no x25519 share and no compatibility mode."},
		"closed": {"No key opened 7 records, 642 B in all.", "not opened", "the end of the handshake was not seen", "handshake or data, no key tells:"},
		"cut":    {"read in part only", "PROBLEM", "the stream ends inside a record", "the end of the handshake was not seen"},
		"large":  {"they differ", "+1 RTT", "+ CertificateRequest", "Certificate, in 3 records", "Not even all of this", "flight 2: 20 of 30 packets"},
	} {
		text := draw(t, fixtures()[name], Usual)
		for _, line := range lines {
			if !strings.Contains(text, line) {
				t.Errorf("%s lacks %q:\n%s", name, line, text)
			}
		}
	}
}

// TestExtensionsAreSorted: the dearest comes first, its parts behind it.
func TestExtensionsAreSorted(t *testing.T) {
	text := draw(t, early(), Usual)
	last := 0
	for _, name := range []string{"  key_share", "    X25519MLKEM768", "    x25519", "  pre_shared_key", "    1 binder", "    1 identity", "  outside extensions", "  early_data"} {
		at := strings.LastIndex(text, "\n"+name+" ")
		if at <= last {
			t.Errorf("%q is not where it belongs:\n%s", name, text)
		}
		last = at
	}
}

// TestZero: nothing known is drawn as that.
func TestZero(t *testing.T) {
	text := draw(t, result.Transcript{}, 0)
	for _, want := range []string{"client → server", "No message was seen.", "Neither the stacks nor the wire"} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
	_ = draw(t, result.Transcript{Hello: &result.Offer{}, Fit: &result.Fit{}, Messages: make([]result.Message, 2), Flights: make([]result.Flight, 2)}, 0)
}

type fullDisk struct{}

var errFull = errors.New("no space left")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteError(t *testing.T) {
	if err := Text(fullDisk{}, hybrid(), 0); !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
}

// TestTimes: one unit for all, with digits that tell the messages apart.
func TestTimes(t *testing.T) {
	for latest, want := range map[float64]string{0: "0 µs", 0.000412: "412 µs", 0.0091234: "9.123 ms", 0.0214: "21.40 ms", 0.3141: "314.1 ms", 2.5: "2.500 s"} {
		c := clockFor([]result.Message{{}, {Time: latest}})
		if got := c.print(latest) + " " + c.unit; got != want {
			t.Errorf("%g s is %s, want %s", latest, got, want)
		}
	}
}

// FuzzText: whatever a file holds, the drawing keeps to its width and prints.
func FuzzText(f *testing.F) {
	for _, t := range fixtures() {
		text, err := json.Marshal(t)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, 80)
	}
	f.Fuzz(func(t *testing.T, text []byte, width int) {
		var transcript result.Transcript
		if json.Unmarshal(text, &transcript) == nil && width < 1000 {
			sound(t, draw(t, transcript, width), width)
		}
	})
}
