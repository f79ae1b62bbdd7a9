// Package report shows a run to people and programs: a plain-text report, rows
// as JSON Lines, and the Go benchmark format, from package result alone.
//
// Figures of four origins (measured, composed, predicted, published) never share
// a column, and a case without figures is shown with its reason.
package report
