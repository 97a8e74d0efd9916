//go:build !race

package heaptest

// Race reports whether the race detector is on.
const Race = false
