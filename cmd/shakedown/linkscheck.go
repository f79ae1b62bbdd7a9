package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"

	"shakedown/link/accuracy"
	"shakedown/link/space"
)

// check is `shakedown links --check`: rows as they come, then a verdict.
func (c *linksCmd) check(e *env) error {
	if done, err := enterUserNamespace(); done || err != nil {
		return err
	}
	watch := checkWatch{out: e.stdout, progress: io.Discard, json: c.JSON}
	if isTerminal(e.stderr) {
		watch.progress = e.stderr
	}
	rows, err := accuracy.Measure(e.ctx, accuracy.Options{
		Emulator: []string{self(), emulatorVerb}, Quick: c.Quick, Seed: rand.Uint64(), Begin: watch.begin, Tell: watch.tell,
	})
	watch.clear()
	if err := errors.Join(notHere(err), watch.err); err != nil {
		return err
	}
	return checkVerdict(e, rows, c.JSON)
}

// enterUserNamespace runs this program once more as root of a user namespace where
// the user may not make network namespaces; done says that it ran.
func enterUserNamespace() (done bool, err error) {
	status, done, err := space.Enter()
	if done && status != exitDone {
		return true, &exitError{status: status}
	}
	return done, notHere(err)
}

// notHere gives an error of a system that allows no emulated links its hint.
func notHere(err error) error {
	var refused *space.RefusedError
	if errors.As(err, &refused) {
		return &exitError{exitFailed, err, refused.Hint}
	}
	return err
}

// checkVerdict sums up in one line, which does not stand among rows of JSON.
func checkVerdict(e *env, rows []accuracy.Row, json bool) error {
	out := e.stdout
	if json {
		out = e.stderr
	}
	var outside []string
	for _, r := range rows {
		if !r.OK {
			outside = append(outside, r.Name+" with "+r.Setting)
		}
	}
	if outside == nil {
		_, err := fmt.Fprintf(out, "emulated links are true here: all %d figures are within what is allowed\n", len(rows))
		return err
	}
	fmt.Fprintf(out, "%d of %d figures are outside what is allowed: %s\n", len(outside), len(rows), strings.Join(outside, "; "))
	fmt.Fprintln(e.stderr, "shakedown: hint: other load makes packets late; check an idle machine")
	return &exitError{status: exitGate}
}

// checkWatch prints rows as they come, and on a terminal what is measured.
type checkWatch struct {
	out, progress io.Writer
	json, begun   bool
	err           error // of the output
}

// begin shows what is measured next.
func (w *checkWatch) begin(next accuracy.Row, done, all int) {
	fmt.Fprintf(w.progress, "\r\x1b[K%d of %d: %s with %s", done+1, all, next.Name, next.Setting)
}

// clear takes that away.
func (w *checkWatch) clear() { fmt.Fprint(w.progress, "\r\x1b[K") }

// tell prints a row.
func (w *checkWatch) tell(r accuracy.Row) {
	w.clear()
	var err error
	switch {
	case w.json:
		err = jsonLine(w.out, r)
	case w.begun:
		err = checkLine(w.out, checkCells(r))
	default:
		err = errors.Join(checkLine(w.out, checkHead), checkLine(w.out, checkCells(r)))
	}
	w.begun = true
	w.err = errors.Join(w.err, err)
}

// checkHead are the columns: what is measured, on which link, the figures, whether
// they are within, and a note.
var checkHead = []string{"figure", "link", "want", "got", "error", "allowed", "", ""}

func checkLine(w io.Writer, cells []string) error {
	line := ""
	for i, width := range []int{10, 26, 12, 13, 9, 8, 7} {
		line += fmt.Sprintf("%-*s  ", width, cells[i])
	}
	_, err := fmt.Fprintln(w, strings.TrimRight(line+cells[7], " "))
	return err
}

// checkCells prints a row for people: errors of times in us, of rates in percent.
func checkCells(r accuracy.Row) []string {
	amount, off := percent, percent
	switch r.Unit {
	case "s":
		amount, off = milliseconds, microseconds
	case "bit/s":
		amount, off = bits, func(rate float64) string { return percent(rate / r.Want) }
	}
	sign := ""
	if r.Error > 0 {
		sign = "+"
	}
	cells := []string{r.Name, r.Setting, amount(r.Want), amount(r.Got), sign + off(r.Error), off(r.Allowed), "ok", r.Note}
	switch r.Bound {
	case accuracy.Least:
		cells[2], cells[5] = "≥ "+cells[2], "-"
	case accuracy.Most:
		cells[2], cells[5] = "≤ "+cells[2], "-"
	case accuracy.About:
	}
	if !r.OK {
		cells[6] = "outside"
	}
	return cells
}

func milliseconds(s float64) string { return fmt.Sprintf("%.6g ms", 1e3*s) }
func microseconds(s float64) string { return fmt.Sprintf("%.0f us", 1e6*s) }
func percent(share float64) string  { return fmt.Sprintf("%.6g %%", math.Round(1e5*share)/1e3) }

// bits prints a rate in the unit that leaves at most three digits in front.
func bits(rate float64) string {
	for _, u := range []struct {
		times float64
		name  string
	}{{1e9, "Gbit/s"}, {1e6, "Mbit/s"}, {1e3, "kbit/s"}} {
		if rate >= u.times {
			return fmt.Sprintf("%.5g %s", rate/u.times, u.name)
		}
	}
	return fmt.Sprintf("%.5g bit/s", rate)
}
