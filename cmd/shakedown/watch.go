package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"shakedown/lab"
	"shakedown/plan"
	"shakedown/result"
	"shakedown/spec"
)

// watcher shows progress on a terminal, and nothing anywhere else. The bars are
// drawn by a goroutine of their own, so what they say is handed over atomically.
type watcher struct {
	bars    *mpb.Progress
	overall *mpb.Bar
	current *mpb.Bar
	text    atomic.Value // string
	left    atomic.Int64 // ns
}

// scale is the resolution of the bars.
const scale = 1000

func newWatcher(e *env) *watcher {
	if !isTerminal(e.stderr) {
		return &watcher{}
	}
	w := &watcher{}
	w.text.Store("")
	w.bars = mpb.New(mpb.WithOutput(e.stderr), mpb.WithWidth(40), mpb.WithAutoRefresh())
	w.overall = w.bars.AddBar(scale,
		mpb.PrependDecorators(decor.Name("all cases    ")),
		mpb.AppendDecorators(decor.Percentage(decor.WC{W: 5}), decor.Any(func(decor.Statistics) string { return w.timeLeft() })),
		mpb.BarRemoveOnComplete())
	w.current = w.bars.AddBar(scale,
		mpb.PrependDecorators(decor.Name("current case ")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return fmt.Sprintf("  %s", w.text.Load()) })),
		mpb.BarRemoveOnComplete())
	return w
}

// isTerminal: bars go to terminals only.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func (w *watcher) timeLeft() string {
	left := time.Duration(w.left.Load())
	if left <= 0 {
		return ""
	}
	return fmt.Sprintf("  %v left", left.Round(time.Second))
}

// Begin, Starting, Progress and Row are called by the lab.
func (w *watcher) Begin([]result.CaseEntry, plan.Effort) {}

// Starting shows which drivers are being started.
func (w *watcher) Starting(c spec.Case) { w.text.Store("starting " + c.String()) }

// Progress moves the bars.
func (w *watcher) Progress(p lab.Progress) {
	if w.bars == nil {
		return
	}
	w.text.Store(p.Case.String())
	w.left.Store(int64(p.Left))
	w.overall.SetCurrent(min(scale-1, int64(p.Overall*scale)))
	w.current.SetCurrent(min(scale-1, int64(p.Done*scale)))
}

// Row is told of rows; the table comes at the end.
func (w *watcher) Row(result.Row) {}

// end takes the bars away.
func (w *watcher) end() {
	if w.bars == nil {
		return
	}
	w.overall.Abort(true)
	w.current.Abort(true)
	w.bars.Wait()
}
