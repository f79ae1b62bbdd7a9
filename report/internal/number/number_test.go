package number

import (
	"strings"
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
		s := ScaleFor(c.unit, c.values)
		if got := s.Print(c.values[0]) + " " + s.Unit; got != c.want {
			t.Errorf("%v %s: %q, want %q", c.values, c.unit, got, c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for got, want := range map[string]string{
		Grouped(0):                 "0",
		Grouped(999):               "999",
		Grouped(1234567):           "1,234,567",
		Count(1, "case"):           "1 case",
		Count(2000, "case"):        "2,000 cases",
		Percent(0.01):              "1 %",
		Percent(0.9951):            "99.5 %",
		Signed(0.2694):             "+26.9 %",
		Relative(0.9, 1, 1.1):      "±10.0%",
		Relative(-2, 1, 2):         ">100%",
		Relative(0, 0, 1):          None,
		Duration(90 * time.Second): "90 s",
		Duration(time.Hour):        "60 min",
		Duration(1500e6):           "1.5s",
		Published("%", 39.94):      "+39.94 %",
		Published("s", 35e-6):      "35.0 µs",
		Published("W", 1.25):       "1.25 W",
		PublishedCount("B", 1494):  "1,494 B",
		PublishedCount("", 10):     "10",
		PublishedCount("B", 1.5):   "1.5 B",
		PublishedCount("B", 1e300): "1" + strings.Repeat("0", 300) + " B",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
