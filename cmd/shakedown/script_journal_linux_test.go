package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
)

// block is a line of the journal as another program reads it.
type block struct {
	Case      string               `json:"case"`
	Number    int                  `json:"block"`
	Attempted int                  `json:"attempted"`
	Completed int                  `json:"completed"`
	Metrics   map[string][]float64 `json:"metrics"`
}

// passNumbers are those of the blocks that hold something else than times: what
// the tap saw, and memory.
var passNumbers = []int{-2, -1}

// journalText is the journal, packed or not.
func journalText(ts *testscript.TestScript, dir string) []byte {
	dir = ts.MkAbs(dir)
	packed, err := os.ReadFile(filepath.Join(dir, "samples.jsonl.zst"))
	if errors.Is(err, fs.ErrNotExist) {
		packed, err = os.ReadFile(filepath.Join(dir, "samples.jsonl"))
		ts.Check(err)
		return packed
	}
	ts.Check(err)
	dec, err := zstd.NewReader(nil)
	ts.Check(err)
	defer dec.Close()
	text, err := dec.DecodeAll(packed, nil)
	ts.Check(err)
	return text
}

func readBlocks(ts *testscript.TestScript, text []byte) (list []block) {
	for line := range bytes.Lines(text) {
		var b block
		if err := json.Unmarshal(line, &b); err != nil {
			ts.Fatalf("journal: %v in %.200q", err, line)
		}
		list = append(list, b)
	}
	return list
}

// journal is `journal DIR CASES SAMPLES`.
func journal(ts *testscript.TestScript, _ bool, args []string) {
	byCase := map[string][]block{}
	for _, b := range readBlocks(ts, journalText(ts, args[0])) {
		byCase[b.Case] = append(byCase[b.Case], b)
	}
	if len(byCase) != number(ts, args[1]) {
		ts.Fatalf("%d cases in the journal, want %s", len(byCase), args[1])
	}
	for id, list := range byCase {
		eachOnce(ts, id, list)
		samples := 0
		for _, b := range list {
			samples += len(b.Metrics["response"])
		}
		if samples != number(ts, args[2]) {
			ts.Fatalf("case %s has %d samples, want %s", id, samples, args[2])
		}
	}
}

// eachOnce: the passes and the blocks from 0 on, none left out and none twice, and
// as many samples in a block as completed.
func eachOnce(ts *testscript.TestScript, id string, list []block) {
	slices.SortFunc(list, func(a, b block) int { return a.Number - b.Number })
	for i, b := range list {
		if b.Number != passNumbers[0]+i {
			ts.Fatalf("case %s: block %d where %d should be", id, b.Number, passNumbers[0]+i)
		}
		if len(b.Metrics["response"]) != b.Completed {
			ts.Fatalf("case %s, block %d: %d samples, %d completed", id, b.Number, len(b.Metrics["response"]), b.Completed)
		}
	}
}

// begins is `begins DIR FILE`.
func begins(ts *testscript.TestScript, _ bool, args []string) {
	before := []byte(ts.ReadFile(args[1]))
	before = before[:bytes.LastIndexByte(before, '\n')+1]
	if len(before) == 0 {
		ts.Fatalf("%s has no whole line", args[1])
	}
	if !bytes.HasPrefix(journalText(ts, args[0]), before) {
		ts.Fatalf("the journal of %s does not begin with %s", args[0], args[1])
	}
}

// unfinish is `unfinish DIR`: the run as a kill leaves it that comes right
// after the last block.
func unfinish(ts *testscript.TestScript, _ bool, args []string) {
	var kept []byte
	for line := range bytes.Lines(journalText(ts, args[0])) {
		if readBlocks(ts, line)[0].Number >= 0 {
			kept = append(kept, line...)
		}
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.Remove(filepath.Join(dir, "samples.jsonl.zst")))
	ts.Check(os.WriteFile(filepath.Join(dir, "samples.jsonl"), kept, 0o644))
	ts.Check(os.Truncate(filepath.Join(dir, "rows.jsonl"), 0))
}
