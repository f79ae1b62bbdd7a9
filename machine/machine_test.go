package machine

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

func TestUsage(t *testing.T) {
	a := Reading{Busy: 10, Steal: 1, Total: 100, MemoryUsed: 0.2}
	b := Reading{Busy: 13, Steal: 2, Total: 110, MemoryUsed: 0.3}
	u := b.Since(a)
	if share, ok := u.CPUShare(); !ok || share < 0.299 || share > 0.301 {
		t.Errorf("CPU share %v, %v, want 0.3", share, ok)
	}
	if u.StealShare() != 0.1 {
		t.Errorf("steal share %v, want 0.1", u.StealShare())
	}
	sum := u.Add(Usage{Busy: 7, Total: 30, MemoryShare: 0.7})
	if share, _ := sum.CPUShare(); share != 0.25 || sum.MemoryShare < 0.599 || sum.MemoryShare > 0.601 {
		t.Errorf("sum: CPU %v, memory %v, want 0.25 and 0.6", share, sum.MemoryShare)
	}
	if _, ok := (Usage{}).CPUShare(); ok {
		t.Error("counters that did not move gave a share")
	}
}

func TestDescribe(t *testing.T) {
	e := Describe()
	if e.CPUs < 1 || e.OS != runtime.GOOS {
		t.Errorf("implausible: %+v", e)
	}
}

// TestAgainstSar holds both shares against sysstat over the same interval.
func TestAgainstSar(t *testing.T) {
	sar, err := exec.LookPath("sar")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("sar is not installed: scripts/setup-debian brings it (package sysstat)")
		}
		t.Skip("sar is not installed (package sysstat)")
	}
	before, err := Read()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(sar, "-u", "-r", "3", "1").Output()
	if err != nil {
		t.Fatal(err)
	}
	after, err := Read()
	if err != nil {
		t.Fatal(err)
	}
	u := after.Since(before)
	share, _ := u.CPUShare()
	compare(t, "processor", 100*share, 100-column(t, string(out), "%idle")-column(t, string(out), "%iowait"), 4)
	compare(t, "memory", 100*u.MemoryShare, column(t, string(out), "%memused"), 3)
}

func compare(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if got-want > within || want-got > within {
		t.Errorf("%s: %.2f %%, sar says %.2f %%", what, got, want)
	}
}

// column finds a column of sar's Average lines by its heading.
func column(t *testing.T, out, heading string) float64 {
	t.Helper()
	at := -1
	for line := range strings.SplitSeq(out, "\n") {
		fields := strings.Fields(line)
		for i, f := range fields {
			if f == heading {
				at = len(fields) - i // from the end: the time may be one or two words
			}
		}
		if strings.HasPrefix(line, "Average:") && at > 0 && len(fields) >= at {
			value, err := strconv.ParseFloat(fields[len(fields)-at], 64)
			if err == nil {
				return value
			}
		}
	}
	t.Fatalf("sar printed no %s:\n%s", heading, out)
	return 0
}
