package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Names of the files of a run directory.
const (
	runFile        = "run.json"
	rowsFile       = "rows.jsonl"
	samplesFile    = "samples.jsonl"     // while the run is open
	compressedFile = "samples.jsonl.zst" // once it is closed
	transcripts    = "transcripts"       // a directory: one file a case
)

// Dir is a run directory open for writing. Lines are appended whole and synced
// to the operating system before the call returns, so that a killed run loses
// at most the block it was in.
type Dir struct {
	Path string

	mu      sync.Mutex
	rows    *os.File
	samples *os.File
}

// Create makes a new run directory with its description. It refuses a directory
// that already holds a run.
func Create(path string, run Run) (*Dir, error) {
	if _, err := os.Stat(filepath.Join(path, runFile)); err == nil {
		return nil, fmt.Errorf("%s already holds a run: choose another --out, or continue it with --resume %s", path, path)
	}
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, err
	}
	if err := writeRun(path, run); err != nil {
		return nil, err
	}
	return open(path)
}

func writeRun(path string, run Run) error {
	text, err := json.MarshalIndent(run, "", " ")
	if err != nil {
		return err
	}
	return writeAtomic(filepath.Join(path, runFile), append(text, '\n'))
}

// writeAtomic writes beside the file and renames, so that nobody sees a half.
func writeAtomic(name string, data []byte) error {
	part := name + ".part"
	if err := os.WriteFile(part, data, 0o644); err != nil {
		_ = os.Remove(part)
		return err
	}
	return os.Rename(part, name)
}

func open(path string) (*Dir, error) {
	rows, err := openLines(filepath.Join(path, rowsFile))
	if err != nil {
		return nil, err
	}
	samples, err := openLines(filepath.Join(path, samplesFile))
	if err != nil {
		_ = rows.Close()
		return nil, err
	}
	return &Dir{Path: path, rows: rows, samples: samples}, nil
}

// Resume opens the directory of a run that was interrupted or killed, cuts off
// a torn last line, and returns what was measured.
func Resume(path string) (*Dir, Run, []Block, error) {
	run, err := ReadRun(path)
	if err != nil {
		return nil, run, nil, err
	}
	if err := reopenSamples(path); err != nil {
		return nil, run, nil, err
	}
	d, err := open(path)
	if err != nil {
		return nil, run, nil, err
	}
	blocks, err := ReadBlocks(path)
	if err != nil {
		_ = d.rows.Close()
		_ = d.samples.Close()
		return nil, run, nil, err
	}
	return d, run, blocks, nil
}

// openLines opens a file for appending whole lines, after cutting off a line
// that a killed writer left unfinished.
func openLines(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	var end int64
	if err = lock(f); err == nil {
		end, err = lastNewline(f)
	}
	if err == nil {
		err = f.Truncate(end)
	}
	if err == nil {
		_, err = f.Seek(end, io.SeekStart)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// lastNewline gives the offset behind the last newline of the file.
func lastNewline(f *os.File) (int64, error) {
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	buf := make([]byte, 64<<10)
	for end > 0 {
		n := min(end, int64(len(buf)))
		if _, err := f.ReadAt(buf[:n], end-n); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return end - n + int64(i) + 1, nil
		}
		end -= n
	}
	return 0, nil
}

// AppendRow writes a row. A later row of the same id replaces an earlier one.
func (d *Dir) AppendRow(r Row) error { return d.append(d.rows, r) }

// AppendBlock writes a block to the journal.
func (d *Dir) AppendBlock(b Block) error { return d.append(d.samples, b) }

// WriteTranscript writes the transcript of a case.
func (d *Dir) WriteTranscript(t Transcript) error {
	text, err := json.MarshalIndent(t, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(d.Path, transcripts), 0o755); err != nil {
		return err
	}
	return writeAtomic(filepath.Join(d.Path, transcripts, t.ID+".json"), append(text, '\n'))
}

// append writes one line with a single write, and takes it back when only a
// part of it went in (a full disk).
func (d *Dir) append(f *os.File, v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	start, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		cut := f.Truncate(start)
		_, seek := f.Seek(start, io.SeekStart)
		return errors.Join(err, cut, seek)
	}
	return nil
}

// Close ends the run: the journal is compressed and the plain one removed. When
// that fails the plain journal stays and is as good.
func (d *Dir) Close() error {
	err := errors.Join(d.rows.Close(), d.samples.Close())
	plain := filepath.Join(d.Path, samplesFile)
	packed := filepath.Join(d.Path, compressedFile)
	if err := compress(plain, packed); err != nil {
		return fmt.Errorf("the samples stay uncompressed: %w", err)
	}
	return errors.Join(err, os.Remove(plain))
}

// Leave closes the files and leaves the run open for Resume.
func (d *Dir) Leave() error { return errors.Join(d.rows.Close(), d.samples.Close()) }

func compress(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		return err
	}
	defer enc.Close()
	return writeAtomic(to, enc.EncodeAll(data, nil))
}

// reopenSamples turns the journal of a closed run back into a plain one.
func reopenSamples(path string) error {
	plain := filepath.Join(path, samplesFile)
	if _, err := os.Stat(plain); err == nil {
		return nil
	}
	in, err := samplesReader(path)
	if err != nil {
		return err
	}
	defer in.Close()
	data, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	return writeAtomic(plain, data)
}
