package content

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shakedown/report/internal/fixture"
	"shakedown/report/internal/table"
	"shakedown/result"
)

// wireOf is the table of what was seen of some rows.
func wireOf(t *testing.T, rows []result.Row) Figures {
	t.Helper()
	for _, f := range Sections(rows)[0].Tables(result.Run{}) {
		if f.Wire {
			return f
		}
	}
	t.Fatal("no table of the wire")
	return Figures{}
}

// cells are those of a column, "group/column".
func cells(f Figures, name string) []string {
	for _, g := range f.Table.Groups {
		for _, c := range g.Columns {
			if g.Title+"/"+c.Title == name {
				return c.Cells
			}
		}
	}
	return nil
}

func TestWire(t *testing.T) {
	_, rows := fixture.Wire()
	f := wireOf(t, rows)
	for name, want := range map[string]string{
		"handshake/messages":             "10|7|7|6 (5)|9|-",
		"handshake/after":                "1|-|-|1|-|-",
		"handshake/round trips":          "2|1|1|0|2|-",
		"hellos, B/ClientHello":          "210|312|1,488|465|283|-",
		"hellos, B/both":                 "299|434|2,698|593|438|-",
		"published/ClientHello":          "-|318 B [1], 312 B [2]|1,494 B [1]|-|-|-",
		"published/both":                 "-|440 B [1]|-|-|-|-",
		"sent, B/both":                   "1,381|1,504|3,768|943|1,993|-",
		"sent, B/0-RTT":                  "-|-|-|118|-|-",
		"packets (composed)/ClientHello": "1|1|2|1|1|-",
		"negotiated/group":               "x25519|x25519|X25519MLKEM768|x25519|secp256r1 (retry)|-",
	} {
		if diff := cmp.Diff(strings.Split(want, "|"), cells(f, name)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	at := slices.IndexFunc(f.Table.Groups, func(g table.Group) bool { return g.Title == PublishedTitle })
	if !f.Table.Groups[at].Beside || f.Table.Groups[at-1].Title != "hellos, B" {
		t.Error("published hellos are not beside ours")
	}
}

// TestWireOnlyWhatIsThere: columns, notes and the table itself are left out where
// no row has anything to say in them.
func TestWireOnlyWhatIsThere(t *testing.T) {
	_, rows := fixture.Wire()
	f := wireOf(t, rows[2:3])
	for _, name := range []string{"handshake/after", "sent, B/0-RTT"} {
		if cells(f, name) != nil {
			t.Errorf("%s is shown", name)
		}
	}
	for _, note := range f.Notes {
		for _, start := range []string{"messages in brackets", "0-RTT", retried} {
			if strings.HasPrefix(note, start) {
				t.Errorf("note %q", note)
			}
		}
	}
	rows[2].Wire = &result.Wire{RecordBytes: 36}
	if tables := Sections(rows[2:3])[0].Tables(result.Run{}); len(tables) != 1 {
		t.Errorf("%d tables, want that of the times", len(tables))
	}
}

// TestWirePackets: the note says to what packets are filled.
func TestWirePackets(t *testing.T) {
	_, rows := fixture.Wire()
	rows[0].Wire.MSS = 1220
	want := "each packet is filled to the MSS, 1,220 and 1,460 B of payload."
	if notes := strings.Join(wireOf(t, rows).Notes, "\n"); !strings.Contains(notes, want) {
		t.Errorf("no %q in\n%s", want, notes)
	}
}

// TestProcess: connections with a process stand among the times where a row has
// them, beside what was published.
func TestProcess(t *testing.T) {
	_, rows := fixture.Wire()
	times := Sections(rows)[0].Tables(result.Run{})[0]
	if diff := cmp.Diff([]string{"-", "21.3", "21.9", "-", "-", "-"}, cells(times, "with process, ms/median")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"-", "20.8 ms [1]", "20.8 ms [1]", "-", "-", "-"}, cells(times, "published/time with process")); diff != "" {
		t.Error(diff)
	}
	times = Sections(rows[3:])[0].Tables(result.Run{})[0]
	if cells(times, "with process, ms/median") != nil || strings.Contains(strings.Join(times.Notes, ""), "with process") {
		t.Error("shown where no row has it")
	}
}

// TestWireWords: what a comparison means on the wire is said once, with what
// decides: round trips, hellos and packets, for those stacks where they differ.
func TestWireWords(t *testing.T) {
	of := func(stack, group string, trips, hello, packets int) result.Row {
		r := result.Row{ID: stack + group, Status: result.OK, Wire: &result.Wire{Exchange: &result.Exchange{
			RoundTrips: trips, MSS: 1448, PacketsLabel: result.Composed,
			ClientHello: result.Hello{Message: hello, Packets: packets}, ServerHello: result.Hello{Message: 100},
		}}}
		r.Case.Client, r.Case.Server, r.Case.Group = stack, stack, group
		return r
	}
	rows := []result.Row{
		of("go@1", "x25519", 1, 300, 1), of("go@1", "X25519MLKEM768", 1, 1500, 2),
		of("openssl@3", "x25519", 1, 300, 1), of("openssl@3", "X25519MLKEM768", 2, 1300, 1),
	}
	for _, title := range []string{"one", "another"} {
		for i := 1; i < len(rows); i += 2 {
			rows[i].Comparisons = append(rows[i].Comparisons, result.Comparison{Title: title, Metric: "response", Base: rows[i-1].ID})
		}
	}
	want := "X25519MLKEM768 against x25519, on the wire: 2 round trips instead of 1 with openssl@3; " +
		"both hellos 1,600 instead of 400 B (×4.0) with go@1, 1,400 instead of 400 B (×3.5) with openssl@3; " +
		"the ClientHello in 2 packets instead of 1 with go@1 (composed, MSS 1,448 B)."
	var said []string
	for _, sentence := range Words(rows) {
		if strings.Contains(sentence, "on the wire") {
			said = append(said, sentence)
		}
	}
	if diff := cmp.Diff([]string{want}, said); diff != "" {
		t.Error(diff)
	}
}
