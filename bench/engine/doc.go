// Package engine measures, stores and compares. A [Contest] is one value or task with a [Loop] for each library and
// operation; [TimeInTurns] times the loops; [Results] is what a run writes; [CompareFiles] judges two of them. It
// knows no library and no value, so that a program that another program has written can use it as well.
//
// The files: contest.go is what is measured, rounds.go times it, stats.go reduces the times, results.go stores them,
// and compare.go compares two runs.
package engine
