package prose

import (
	"slices"
	"strings"
	"testing"
)

func TestGlued(t *testing.T) {
	got := Glued("TLS 1.3 took 12 ms, (5.0 % more) of 3 cases")
	want := []string{"TLS 1.3", "took", "12 ms,", "(5.0 %", "more)", "of", "3", "cases"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPrintable(t *testing.T) {
	if got := strings.Map(Printable, "é\x1b[31m\u202e\n\u00a0"); got != "é?[31m???" {
		t.Errorf("%q", got)
	}
}

func TestJoined(t *testing.T) {
	for got, want := range map[string]string{
		All(nil):                     "",
		All([]string{"a"}):           "a",
		All([]string{"a", "b", "c"}): "a, b and c",
		Sentence("THE MACHINE"):      "The machine",
		Sentence(""):                 "",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
