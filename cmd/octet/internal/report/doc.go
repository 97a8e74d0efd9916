// Package report prints what lint, diff and stat have found: lines or tables for people,
// and JSON objects for programs. It counts what it prints, for the summary and the exit
// code.
package report
