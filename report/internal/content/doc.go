// Package content holds what a report says, before it has a form: sections of
// cases with their tables, comparisons, sentences, warnings. The terminal and the
// page show the same.
package content
