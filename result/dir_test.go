package result

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func newRun(t *testing.T) (*Dir, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run")
	d, err := Create(path, Run{Schema: Schema, Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	return d, path
}

func block(id string, n int) Block {
	return Block{Case: id, Number: n, Attempted: 2, Completed: 2, Metrics: map[string][]float64{"response": {0.1, 0.2}}}
}

func numbers(t *testing.T, path string) []int {
	t.Helper()
	blocks, err := ReadBlocks(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	for _, b := range blocks {
		out = append(out, b.Number)
	}
	return out
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestJournal: what was appended is read back, before and after the run is
// closed and compressed, and a closed run can be resumed.
func TestJournal(t *testing.T) {
	d, path := newRun(t)
	must(t, d.AppendBlock(block("a", 0)))
	must(t, d.AppendBlock(block("a", 1)))
	if diff := cmp.Diff([]int{0, 1}, numbers(t, path)); diff != "" {
		t.Error("open run:", diff)
	}
	must(t, d.Close())
	if _, err := os.Stat(filepath.Join(path, compressedFile)); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]int{0, 1}, numbers(t, path)); diff != "" {
		t.Error("closed run:", diff)
	}
	d, run, blocks, err := Resume(path)
	must(t, err)
	if run.Seed != 7 || len(blocks) != 2 {
		t.Errorf("resumed with seed %d and %d blocks", run.Seed, len(blocks))
	}
	must(t, d.AppendBlock(block("a", 2)))
	must(t, d.Leave())
	if diff := cmp.Diff([]int{0, 1, 2}, numbers(t, path)); diff != "" {
		t.Error("resumed run:", diff)
	}
}

// TestTornLine: the line that a killed writer left unfinished is cut off, the
// next one starts clean.
func TestTornLine(t *testing.T) {
	d, path := newRun(t)
	must(t, d.AppendBlock(block("a", 0)))
	must(t, d.Leave())
	f, err := os.OpenFile(filepath.Join(path, samplesFile), os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteString(`{"case":"a","block":1,"metr`)
	must(t, err)
	must(t, f.Close())

	if diff := cmp.Diff([]int{0}, numbers(t, path)); diff != "" {
		t.Error("before resuming:", diff)
	}
	d, _, blocks, err := Resume(path)
	must(t, err)
	if len(blocks) != 1 {
		t.Errorf("%d blocks, want the whole one", len(blocks))
	}
	must(t, d.AppendBlock(block("a", 1)))
	must(t, d.Close())
	if diff := cmp.Diff([]int{0, 1}, numbers(t, path)); diff != "" {
		t.Error("after resuming:", diff)
	}
}

// TestOneWriter: a run that is being written cannot be resumed beside it.
func TestOneWriter(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no lock on this system")
	}
	d, path := newRun(t)
	must(t, d.AppendBlock(block("a", 0)))
	if _, _, _, err := Resume(path); err == nil || !strings.Contains(err.Error(), "another shakedown") {
		t.Errorf("resumed beside the writer: %v", err)
	}
	must(t, d.Leave())
	d, _, _, err := Resume(path)
	must(t, err)
	must(t, d.Leave())
}

func TestLastRowWins(t *testing.T) {
	d, path := newRun(t)
	must(t, d.AppendRow(Row{ID: "a", Attempted: 1}))
	must(t, d.AppendRow(Row{ID: "b", Attempted: 1}))
	must(t, d.AppendRow(Row{ID: "a", Attempted: 5}))
	rows, err := ReadRows(path)
	must(t, err)
	if len(rows) != 2 || rows[0].ID != "a" || rows[0].Attempted != 5 {
		t.Errorf("rows %+v", rows)
	}
}

func TestCreateRefusesARun(t *testing.T) {
	_, path := newRun(t)
	_, err := Create(path, Run{Schema: Schema})
	if err == nil || !strings.Contains(err.Error(), "--resume") {
		t.Errorf("got %v, want a hint at --resume", err)
	}
}

func TestNoRun(t *testing.T) {
	if _, err := ReadRun(t.TempDir()); err == nil || !strings.Contains(err.Error(), "holds no run") {
		t.Errorf("got %v", err)
	}
}

// TestReadOnly: a directory that cannot be written is an error at once.
func TestReadOnly(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("root may write anywhere")
	}
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o500))
	if _, err := Create(filepath.Join(dir, "run"), Run{Schema: Schema}); err == nil {
		t.Error("made a run in a read-only directory")
	}
}

// TestFullDisk fills a tiny file system: the failed line is taken back, and
// what was written before stays readable.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "shakedown-test", dir).CombinedOutput(); err != nil {
		t.Skipf("no small file system to fill (mount needs root): %s", bytes.TrimSpace(out))
	}
	t.Cleanup(func() { _ = exec.Command("umount", dir).Run() })
	path := filepath.Join(dir, "run")
	d, err := Create(path, Run{Schema: Schema})
	must(t, err)
	written := 0
	for ; err == nil && written < 10000; written++ {
		err = d.AppendBlock(block("a", written))
	}
	if err == nil || written < 2 {
		t.Fatalf("the disk did not fill up: %d blocks, %v", written, err)
	}
	got := numbers(t, path)
	if len(got) != written-1 {
		t.Errorf("%d whole blocks of %d", len(got), written-1)
	}
	must(t, d.Leave())
}
