//go:build !asan && !msan

package heaptest

// Sanitized reports whether the address or memory sanitizer of a C compiler is on.
const Sanitized = false
