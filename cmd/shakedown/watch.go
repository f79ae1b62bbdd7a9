package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"shakedown/lab"
	"shakedown/plan"
	"shakedown/result"
	"shakedown/spec"
)

// watcher shows progress on a terminal, and nothing anywhere else.
type watcher struct {
	bars    *mpb.Progress
	overall *mpb.Bar
	current *mpb.Bar
	text    string
	left    time.Duration
}

// scale is the resolution of the bars.
const scale = 1000

func newWatcher(e *env, _ bool) *watcher {
	if !isTerminal(e.stderr) {
		return &watcher{}
	}
	w := &watcher{bars: mpb.New(mpb.WithOutput(e.stderr), mpb.WithWidth(40), mpb.WithAutoRefresh())}
	w.overall = w.bars.AddBar(scale,
		mpb.PrependDecorators(decor.Name("all cases    ")),
		mpb.AppendDecorators(decor.Percentage(decor.WC{W: 5}), decor.Any(func(decor.Statistics) string { return w.timeLeft() })),
		mpb.BarRemoveOnComplete())
	w.current = w.bars.AddBar(scale,
		mpb.PrependDecorators(decor.Name("current case ")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return "  " + w.text })),
		mpb.BarRemoveOnComplete())
	return w
}

// isTerminal: bars go to terminals only.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func (w *watcher) timeLeft() string {
	if w.left <= 0 {
		return ""
	}
	return fmt.Sprintf("  %v left", w.left.Round(time.Second))
}

// Begin, Starting, Progress and Row are called by the lab.
func (w *watcher) Begin([]result.CaseEntry, plan.Effort) {}

// Starting shows which drivers are being started.
func (w *watcher) Starting(c spec.Case) { w.text = "starting " + c.String() }

// Progress moves the bars.
func (w *watcher) Progress(p lab.Progress) {
	if w.bars == nil {
		return
	}
	w.text, w.left = p.Case.String(), p.Left
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
