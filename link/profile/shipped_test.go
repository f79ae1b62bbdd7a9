package profile

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

var update = flag.Bool("update", false, "write the table of docs/links.md")

// TestShipped: each profile is found under its name, prints as it, has a title, and
// changes something.
func TestShipped(t *testing.T) {
	if _, err := shipped(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		Loopback, "lan", "wifi", "wifi-lossy", "lte-m", "nb-iot", "5g", "3g", "satellite-geo", "leo", "thread", "ble",
		"lorawan-like", "transatlantic", "rate-1mbit", "delay-500ms", "loss-10",
	} {
		p, err := Find(want)
		if err != nil {
			t.Errorf("%s: %v", want, err)
			continue
		}
		if p.Name != want || p.String() != want || p.Title == "" {
			t.Errorf("%s is called %q, prints %q, title %q", want, p.Name, p, p.Title)
		}
		if p.Emulated() == (want == Loopback) {
			t.Errorf("%s: emulated %v", want, p.Emulated())
		}
	}
}

// TestSources: each figure of a shipped profile says where it is from, and each
// source is of a figure.
func TestSources(t *testing.T) {
	var entries []entry
	if err := yaml.Unmarshal(profilesYAML, &entries); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, e := range entries {
		if seen[e.Name] || e.Title == "" || strings.ContainsAny(e.Name, ",= ") || e.Name != strings.ToLower(e.Name) {
			t.Errorf("%q: title %q; a name must be its own, in lower case", e.Name, e.Title)
		}
		seen[e.Name] = true
		var sourced, set []string
		for _, s := range e.Sources {
			sourced = append(sourced, strings.Fields(s.Of)...)
			if s.From == "" || strings.Contains(s.From, "|") {
				t.Errorf("%s: source %q of %s", e.Name, s.From, s.Of)
			}
		}
		for key := range e.Link {
			set = append(set, key)
		}
		slices.Sort(sourced)
		slices.Sort(set)
		if !slices.Equal(sourced, set) {
			t.Errorf("%s: sources of %v, figures %v", e.Name, sourced, set)
		}
	}
}

// TestPublished holds the profiles that repeat a paper against its netem settings.
func TestPublished(t *testing.T) {
	for name, want := range map[string]string{
		"lte-m":         "delay=100ms,rate=1Mbit,loss=10%",
		"5g":            "delay=22ms,rate=880Mbit,loss=4%",
		"loss-10":       "loss=10%",
		"rate-1mbit":    "rate=1Mbit",
		"delay-500ms":   "delay=500ms",
		"transatlantic": "delay=39.224ms,rate=1Gbit",
		"3g":            "delay=150ms,up.rate=768kbit,down.rate=1600kbit",
	} {
		p, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		if p.Name = ""; p.String() != want {
			t.Errorf("%s is %s, want %s", name, p, want)
		}
	}
}

// TestThreadPing: the arithmetic of which the source of thread speaks.
func TestThreadPing(t *testing.T) {
	p, err := Find("thread")
	if err != nil {
		t.Fatal(err)
	}
	const ping = 40 + 8 + 8 // bytes: IPv6, ICMPv6, data
	ms := 2 * (p.Up.Delay.Seconds()*1e3 + 8e3*float64(p.Frames.Bytes(ping))/float64(p.Up.Rate))
	if ms < 18.9 || ms > 19.1 {
		t.Errorf("a ping takes %.2f ms, the source says 19", ms)
	}
	if frames := p.Frames.Count(1280); frames != 18 {
		t.Errorf("1280 bytes take %d frames, 72 bytes each make 18", frames)
	}
}

// TestWiFiMedian: the jitter of which the sources of wifi and wifi-lossy speak.
func TestWiFiMedian(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	later := func(j Jitter) float64 { // ms, as the comment on Jitter has it
		return j.Spread.Seconds() * 1e3 * min(2*(math.Pow(1-rng.Float64(), -1.0/3)-1), ParetoReach)
	}
	for name, want := range map[string]float64{"wifi": 10, "wifi-lossy": 20} {
		p, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		trips := make([]float64, 100_001)
		for i := range trips {
			trips[i] = 2*p.Up.Delay.Seconds()*1e3 + later(p.Up.Jitter) + later(p.Down.Jitter)
		}
		slices.Sort(trips)
		if median := trips[len(trips)/2]; math.Abs(median-want) > 0.5 {
			t.Errorf("%s: a median of %.1f ms, the source says %v", name, median, want)
		}
	}
}

// TestDocs: the table of docs/links.md is the one made from the profiles.
func TestDocs(t *testing.T) {
	file := filepath.Join("..", "..", "docs", "links.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const begin = "<!-- profiles: go test ./link/profile -update -->\n"
	before, rest, found := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, "<!-- end -->")
	if !found || !closed {
		t.Fatalf("%s has no %q or no end of it", file, begin)
	}
	want := before + begin + table(t) + "<!-- end -->" + after
	if want == string(text) {
		return
	}
	if !*update {
		t.Fatalf("the table of %s is not that of the profiles: go test ./link/profile -update writes it", file)
	}
	if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// table is the profiles in Markdown.
func table(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| name | delay, one way | jitter | rate | loss | MTU | source |\n|---|---|---|---|---|---|---|\n")
	for _, name := range Names() {
		p, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %s. %s |\n", name,
			cell(p, "delay"), cell(p, "jitter"), cell(p, "rate"), cell(p, "loss"), packets(p), p.Title, p.Source)
	}
	return b.String()
}

// cell prints a setting of both directions; what changes nothing as a dash.
func cell(p Profile, name string) string {
	i := slices.IndexFunc(ways, func(w way) bool { return w.name == name })
	get := func(d Direction) string {
		if value := ways[i].get(d); value != ways[i].get(Direction{}) {
			return value
		}
		return "–"
	}
	if up, down := get(p.Up), get(p.Down); up != down {
		return up + " up, " + down + " down"
	}
	return get(p.Up)
}

func packets(p Profile) string {
	text := fmt.Sprint(p.MTU)
	if p.Family == 6 {
		text += ", IPv6"
	}
	if p.Frames.Size > 0 {
		text += fmt.Sprintf(", frames of %d with %d of the packet", p.Frames.Size, p.Frames.Size-p.Frames.Header)
	}
	return text
}
