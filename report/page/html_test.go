package page

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shakedown/plan"
	"shakedown/report/internal/content"
	"shakedown/report/internal/fixture"
	"shakedown/report/internal/number"
	"shakedown/result"
	"shakedown/spec"
)

func TestHTML(t *testing.T) {
	for name, runOf := range map[string]func() (result.Run, []result.Row){"paper": fixture.Paper, "rough": fixture.Rough, "wire": fixture.Wire} {
		t.Run(name, func(t *testing.T) {
			run, rows := runOf()
			fixture.Golden(t, name+".html", func(w io.Writer) error { return HTML(w, run, rows, fixture.Blocks(rows[:4], 200)) })
		})
	}
}

func htmlOf(t *testing.T, run result.Run, rows []result.Row, blocks []result.Block) string {
	t.Helper()
	var buf bytes.Buffer
	if err := HTML(&buf, run, rows, blocks); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// Elements and attributes that a page may have: none loads or runs anything.
var (
	elements = strings.Fields(`html head meta title style body header main section h1 h2 h3 small p ul li dl dt dd a strong code
		div table caption thead tbody tr th td svg line circle path rect text`)
	attributes = strings.Fields(`lang charset http-equiv content name class id href aria-labelledby aria-label aria-hidden role tabindex
		scope colspan rowspan x y x1 x2 y1 y2 cx cy r d width height viewBox preserveAspectRatio text-anchor`)
)

// checkPage parses a page, strictly, and refuses what could load or run
// something. It returns the text of the page.
func checkPage(t *testing.T, page string) string {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(page))
	dec.Entity = xml.HTMLEntity
	var text strings.Builder
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return text.String()
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		switch token := token.(type) {
		case xml.CharData:
			text.Write(token)
		case xml.StartElement:
			checkElement(t, token)
		}
	}
}

func checkElement(t *testing.T, e xml.StartElement) {
	t.Helper()
	if !slices.Contains(elements, e.Name.Local) {
		t.Errorf("<%s> in the page", e.Name.Local)
	}
	for _, a := range e.Attr {
		if !slices.Contains(attributes, a.Name.Local) || a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#") {
			t.Errorf("<%s %s=%q> in the page", e.Name.Local, a.Name.Local, a.Value)
		}
	}
}

// hostile is what a peer might call itself.
const hostile = "\"'><script>alert(1)</script><img src=https://evil.example/ onerror=alert(1)>]]>--></style></title></svg>{{.}}\x1b[31m\u202eabc"

func TestHTMLHostileText(t *testing.T) {
	run, rows := fixture.Rough()
	run.Plan = plan.Plan{
		Title: hostile, Question: hostile, Source: hostile, Notes: []string{hostile},
		Comparisons: []plan.Comparison{{Title: hostile, Metric: "response"}},
	}
	run.CommandLine, run.Stacks = []string{hostile}, map[string]result.Stack{hostile: {Info: spec.Info{Library: hostile}, Root: hostile}}
	run.Settings.Fault, run.Cases[1].Cannot, run.Cases[2].Text = hostile, hostile, hostile
	rows[0].Case.Client, rows[0].Case.Suite, rows[2].Reason, rows[0].Warnings = hostile, hostile, hostile, []string{hostile}
	rows[0].Published = []plan.Published{{Metric: "response", Value: 1, Unit: hostile, Source: hostile}}
	rows[1].Failures[0] = result.Failure{Reason: hostile, Side: hostile, Alert: hostile, Detail: hostile, Count: 1}
	rows[0].Comparisons = []result.Comparison{fixture.GainOver(hostile, "response", rows[1], rows[0], true, &plan.Published{Unit: hostile, Source: hostile})}
	odd := rows[1]
	odd.ID, odd.Case.Kind, odd.Label = "odd", spec.Kind(hostile), result.Label(hostile)
	page := htmlOf(t, run, append(rows, odd), fixture.Blocks(rows, 10))
	text := checkPage(t, page)
	if strings.ContainsAny(page, "\x1b\u202e") {
		t.Error("control characters reach the page")
	}
	if n := strings.Count(text, "<script>alert(1)</script>"); n < 20 {
		t.Errorf("the text is shown %d times, not in every place", n)
	}
}

// TestHTMLLoadsNothing: the page is one file, and a browser is told so.
func TestHTMLLoadsNothing(t *testing.T) {
	run, rows := fixture.Paper()
	page := htmlOf(t, run, rows, fixture.Blocks(rows, 100))
	checkPage(t, page)
	for _, bad := range []string{"http:", "https:", "url(", "@import", "src=", "<script", "javascript"} {
		if strings.Contains(page, bad) {
			t.Errorf("%s in the page", bad)
		}
	}
	if !strings.Contains(page, `content="default-src 'none'; style-src 'unsafe-inline';`) {
		t.Error("no policy against loading")
	}
}

// TestHTMLOrder: what matters first comes first.
func TestHTMLOrder(t *testing.T) {
	run, rows := fixture.Paper()
	page := htmlOf(t, run, rows, fixture.Blocks(rows, 100))
	at := 0
	for _, part := range []string{
		"<h1>TLS 1.2 against TLS 1.3</h1>", "How much faster", "Repeats:", ">In plain words<", ">Handshakes ", `class="picture"`,
		`class="figures"`, `class="picture hills"`, ">Records ", ">Comparisons ", "39.94 % [1]", ">Cases without figures<",
		">Warnings<", ">How it was measured<", "seed 42",
	} {
		i := strings.Index(page[at:], part)
		if i < 0 {
			t.Fatalf("no %q after %q", part, page[max(0, at-40):at])
		}
		at += i
	}
}

// TestHTMLEveryCase: each row has its number somewhere.
func TestHTMLEveryCase(t *testing.T) {
	run, rows := fixture.Rough()
	text := checkPage(t, htmlOf(t, run, rows, nil))
	for i, r := range rows {
		if !strings.Contains(text, fmt.Sprintf("#%d ", i+1)) {
			t.Errorf("case %d (%s) is not in the page", i+1, r.Case)
		}
	}
}

// TestHTMLPictures: a case is where its figures are, and pictures have words.
func TestHTMLPictures(t *testing.T) {
	_, rows := fixture.Paper()
	s := section{content.Sections(rows)[0]}
	pictures := s.medianPictures()
	if len(pictures) != 1 || len(pictures[0].Parts) != 2 {
		t.Fatalf("%+v", pictures)
	}
	p := pictures[0]
	if p.Log || p.Unit != "µs" || p.Parts[1].Stacks != "wolfssl@5.7.2" || len(p.Parts[1].Rows) != 3 {
		t.Errorf("%+v", p)
	}
	got, want := p.Parts[0].Rows[0], pictureRow{
		Label: "#1 TLS 1.2 AES_128_GCM full", Value: "913", Words: "median 913 µs, 95 % interval 901 to 925, 95th percentile 1096",
		Low: "57.73", Median: "58.49", High: "59.25", P95: "70.19",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if spreads := s.spreadPictures(fixture.Blocks(rows[:1], 50)); len(spreads) != 1 || len(spreads[0].Parts) != 1 || spreads[0].Parts[0].Rows[0].Value != "50" {
		t.Errorf("%+v", spreads)
	}
	if spreads := s.spreadPictures(nil); len(spreads) != 0 {
		t.Errorf("without blocks: %+v", spreads)
	}
}

// TestSentPicture: bars begin at zero, whatever their ratio, and a hello is never
// longer than what its side sent.
func TestSentPicture(t *testing.T) {
	_, rows := fixture.Wire()
	picture := func() *picture { return section{content.Sections(rows)[0]}.sentPicture() }
	rows[0].Wire.ClientBytes = 20
	p := picture()
	if p == nil || len(p.Parts) != 2 || len(p.Parts[0].Rows) != 3 || len(p.Parts[1].Rows) != 2 {
		t.Fatalf("%+v", p)
	}
	want := pictureRow{
		Label: "#1 TLS 1.2 x25519 full", Value: "20 / 1,041",
		Words: "the client sends 20 B, of which the ClientHello is 215 B; the server sends 1,041 B, of which the ServerHello is 94 B",
		Bars:  []bar{{"14", "0.88", "0.88"}, {"51", "45.6", "4.12"}},
	}
	if diff := cmp.Diff(want, p.Parts[0].Rows[0]); diff != "" {
		t.Error(diff)
	}
	if p.Log || p.Ticks[0].Text != "0" || p.Ticks[0].At != "0" {
		t.Errorf("%+v", p)
	}
	for i := range rows {
		rows[i].Wire = nil
	}
	if p := picture(); p != nil {
		t.Errorf("nothing was seen: %+v", p)
	}
}

// TestHTMLSize: the page of fifty cases can be sent by mail.
func TestHTMLSize(t *testing.T) {
	run, _ := fixture.Paper()
	var rows []result.Row
	for i := range 40 {
		words := fmt.Sprintf("client=openssl@3.5.%d server=openssl@3.5.%d version=1.%d auth=ecdsa-p256 group=%s", i/5, i/5, 2+i%2, []string{"x25519", "SecP384r1MLKEM1024", "secp256r1"}[i%3])
		rows = append(rows, fixture.Good(words, fixture.Handshake(0.000913*float64(i%7+1), 1000)))
	}
	for i := range 10 {
		rows = append(rows, fixture.Good(fmt.Sprintf("kind=record client=go server=go version=1.3 size=%d", 1+i), fixture.Record(4e-7*float64(i+1), 5e-7)))
	}
	if page := htmlOf(t, run, rows, fixture.Blocks(rows, 2000)); len(page) > 300_000 {
		t.Errorf("%d bytes", len(page))
	}
}

func TestHTMLWriteError(t *testing.T) {
	run, rows := fixture.Paper()
	if err := HTML(fixture.Failing{}, run, rows, nil); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
}

func TestAxis(t *testing.T) {
	micro := number.Scale{Unit: "µs", Factor: 1e6}
	for _, test := range []struct {
		name     string
		values   []float64
		fromZero bool
		log      bool
		ticks    string
	}{
		{"linear from zero", []float64{400e-6, 950e-6}, true, false, "0 200 400 600 800"},
		{"linear", []float64{400e-6, 950e-6}, false, false, "400 500 600 700 800 900"},
		{"two decades", []float64{90e-6, 2e-3}, true, true, "100 200 500 1000 2000"},
		{"three decades", []float64{90e-6, 20e-3}, true, true, "100 300 1000 3000 10000"},
		{"many decades", []float64{1e-6, 1e6}, true, true, "100 100000 1e+08 1e+11"},
		{"equal", []float64{1e-3, 1e-3}, false, false, "999.5 1000 1000.5"},
		{"nothing", nil, true, false, "0 200000 400000 600000 800000 1000000"},
		{"zeros", []float64{0, 0, -1}, false, false, "999000 999500 1000000 1000500"},
	} {
		a := newAxis(micro, test.values, test.fromZero)
		var ticks []string
		for _, tick := range a.ticks() {
			ticks = append(ticks, tick.Text)
		}
		if got := strings.Join(ticks, " "); got != test.ticks || a.log != test.log {
			t.Errorf("%s: %s, log %v; want %s", test.name, got, a.log, test.ticks)
		}
	}
}

// TestAxisShare: places keep the order of figures and stay inside.
func TestAxisShare(t *testing.T) {
	for _, a := range []axis{newAxis(number.Scale{Unit: "s", Factor: 1}, []float64{2, 5}, true), newAxis(number.Scale{Unit: "s", Factor: 1}, []float64{2, 500}, true)} {
		last := 0.0
		for _, v := range []float64{math.Inf(-1), -1, 0, 1, 2, 3, 5, 100, 499, 1e300, math.Inf(1)} {
			x := a.share(v)
			if !(x >= last && x <= 1) {
				t.Errorf("%+v: %g at %g after %g", a, v, x, last)
			}
			last = x
		}
	}
}

func TestHill(t *testing.T) {
	a := newAxis(number.Scale{Unit: "s", Factor: 1}, []float64{1, 2}, false)
	if got := a.hill([]float64{1, 1, 2, 9, math.NaN()}); got != "M0 24H2V0H3V24H77V12H78V24H80V24Z" {
		t.Error(got)
	}
	if got := a.hill(nil); got != "" {
		t.Error(got)
	}
}

// FuzzHTML: rows come from files; whatever they hold, a page is made of them.
func FuzzHTML(f *testing.F) {
	run, rows := fixture.Paper()
	_, more := fixture.Rough()
	_, wire := fixture.Wire()
	for _, r := range slices.Concat(rows, more, wire) {
		line, err := json.Marshal(r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var r result.Row
		if json.Unmarshal(line, &r) != nil {
			return
		}
		with := append([]result.Row{r, r}, rows...)
		checkPage(t, htmlOf(t, run, with, fixture.Blocks(with, 3)))
	})
}
