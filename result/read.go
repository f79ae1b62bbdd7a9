package result

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// maxLine bounds one line of a journal, in bytes.
const maxLine = 16 << 20

// ReadRun reads the description of a run.
func ReadRun(path string) (Run, error) {
	var run Run
	data, err := os.ReadFile(filepath.Join(path, runFile))
	if errors.Is(err, os.ErrNotExist) {
		return run, fmt.Errorf("%s holds no run (no %s in it)", path, runFile)
	}
	if err != nil {
		return run, err
	}
	if err := json.Unmarshal(data, &run); err != nil {
		return run, fmt.Errorf("%s: %w", filepath.Join(path, runFile), err)
	}
	if run.Schema != Schema {
		return run, fmt.Errorf("%s: schema %d, this shakedown reads %d", path, run.Schema, Schema)
	}
	return run, nil
}

// ReadRows reads the rows of a run: of each case the last row written.
func ReadRows(path string) ([]Row, error) {
	f, err := os.Open(filepath.Join(path, rowsFile))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var rows []Row
	index := map[string]int{}
	err = eachLine(f, func(line []byte) error {
		var r Row
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		if i, known := index[r.ID]; known {
			rows[i] = r
			return nil
		}
		index[r.ID] = len(rows)
		rows = append(rows, r)
		return nil
	})
	return rows, err
}

// ReadBlocks reads the journal, in the order of writing.
func ReadBlocks(path string) ([]Block, error) {
	in, err := samplesReader(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var blocks []Block
	err = eachLine(in, func(line []byte) error {
		var b Block
		if err := json.Unmarshal(line, &b); err != nil {
			return err
		}
		blocks = append(blocks, b)
		return nil
	})
	return blocks, err
}

// samplesReader opens the journal, plain while the run is open, else packed.
func samplesReader(path string) (io.ReadCloser, error) {
	f, err := os.Open(filepath.Join(path, samplesFile))
	if err == nil {
		return f, nil
	}
	packed, packedErr := os.Open(filepath.Join(path, compressedFile))
	if packedErr != nil {
		return nil, err
	}
	dec, err := zstd.NewReader(packed, zstd.WithDecoderMaxMemory(256<<20))
	if err != nil {
		_ = packed.Close()
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{dec, closers{dec.IOReadCloser(), packed}}, nil
}

type closers []io.Closer

func (c closers) Close() error {
	var all error
	for _, one := range c {
		all = errors.Join(all, one.Close())
	}
	return all
}

// eachLine calls take for each whole line; an error names the line. A last line
// without newline was left by a killed writer and does not count.
func eachLine(in io.Reader, take func([]byte) error) error {
	scan := bufio.NewScanner(in)
	scan.Buffer(make([]byte, 64<<10), maxLine)
	scan.Split(wholeLine)
	for n := 1; scan.Scan(); n++ {
		if err := take(scan.Bytes()); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return scan.Err()
}

func wholeLine(data []byte, _ bool) (advance int, line []byte, err error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	return 0, nil, nil
}
