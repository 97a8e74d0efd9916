// Package diag writes MessagePack as text and reads the text back to the same
// bytes. docs/diagnostic-notation.md has the grammar.
//
// The notation looks like JSON. It adds what JSON lacks: exts, timestamps, bin,
// keys of every kind, bytes that are not UTF-8, and the format of a value if it
// is not the shortest one.
//
//	{"id": 5_u64, "when": time'2026-11-21T08:00:00Z', 7: h'0102'}
//
// [Write] handles a stream of any length in constant memory. [Read] needs memory
// for the largest top-level value, because the number of elements of an array
// precedes them in MessagePack.
package diag
