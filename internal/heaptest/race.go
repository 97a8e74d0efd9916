//go:build race

package heaptest

// Race reports whether the race detector is on. A sync.Pool then drops items at random, more
// variables are on the heap, and all code is several times slower.
const Race = true
