// Package canonical rewrites encoded MessagePack values in one fixed form, so
// that equal values have equal bytes. The form is that of Options.Canonical of
// package msgpack:
//
//   - every header and integer has the shortest format, see [AppendShortest]
//   - a float 64 that a float 32 holds exactly is a float 32
//   - every NaN is the float 32 with the bits 7fc00000
//   - maps are sorted by their keys, see [Compare]
//
// The functions work on bytes and build no Go values.
package canonical
