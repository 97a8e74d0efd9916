// Package block encodes and decodes fixed-size values, one or many at a time: a
// value is a permutation of the bytes that it has in memory, or a few copies and
// swaps. Packages binary and layout use it.
package block
