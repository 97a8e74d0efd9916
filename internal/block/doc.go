// Package block encodes and decodes fixed-size values, one or many at a time. The
// bytes of a value on the wire are a permutation of its bytes in memory, or the
// result of a few copies and swaps. Packages binary and layout use it.
package block
