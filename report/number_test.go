package report

import (
	"testing"
	"time"
)

func TestScale(t *testing.T) {
	for _, c := range []struct {
		unit   string
		values []float64
		want   string // the first value, with its unit
	}{
		{"s", []float64{0.000713, 0.0124}, "713 µs"},
		{"s", []float64{0.00179, 0.0124}, "1.79 ms"},
		{"s", []float64{3.4e-8}, "34.0 ns"},
		{"s", []float64{4e-10}, "0.40 ns"},
		{"s", []float64{12.34, 100}, "12.3 s"},
		{"s", []float64{0, 0.5}, "0 ms"},
		{"s", []float64{0}, "0 s"},
		{"B", []float64{512, 4096}, "512 B"},
		{"B", []float64{118_000}, "115 KiB"},
		{"B", []float64{5 << 20}, "5.00 MiB"},
		{"", []float64{0.4921}, "49.2 %"},
		{"B/s", []float64{1234.5}, "1234 B/s"},
	} {
		s := scaleFor(c.unit, c.values)
		if got := s.print(c.values[0]) + " " + s.unit; got != c.want {
			t.Errorf("%v %s: %q, want %q", c.values, c.unit, got, c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for got, want := range map[string]string{
		grouped(0):                   "0",
		grouped(999):                 "999",
		grouped(1234567):             "1,234,567",
		count(1, "case"):             "1 case",
		count(2000, "case"):          "2,000 cases",
		percent(0.01):                "1 %",
		percent(0.9951):              "99.5 %",
		signed(0.2694):               "+26.9 %",
		relative(0.9, 1, 1.1):        "±10.0%",
		relative(-2, 1, 2):           ">100%",
		relative(0, 0, 1):            none,
		duration(90 * time.Second):   "90 s",
		duration(time.Hour):          "60 min",
		duration(1500e6):             "1.5s",
		all(nil):                     "",
		all([]string{"a"}):           "a",
		all([]string{"a", "b", "c"}): "a, b and c",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
