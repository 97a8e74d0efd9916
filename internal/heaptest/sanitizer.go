//go:build asan || msan

package heaptest

// Sanitized reports whether the address or memory sanitizer of a C compiler is on. Objects then
// have room around them, and more variables are on the heap.
const Sanitized = true
