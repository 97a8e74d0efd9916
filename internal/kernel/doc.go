// Package kernel rearranges the bytes of fixed-size values, many values at a
// time. It reverses the bytes of numbers ([Swap2], [Swap4], [Swap8]), also with
// a tag byte before each number ([Tag4], [Tag8], and the inverses [Untag4],
// [Untag8]), and it rearranges the bytes of whole structs ([Permutation]).
// [CRC32C] computes a checksum, and [IndexTriples] searches for three bytes.
//
// Every kernel has one signature and several implementations: a Go function,
// and assembly for amd64 (SSSE3, AVX2, AVX-512) and arm64 (NEON). The features
// of the processor select one of them when the program starts. With the build
// tag purego, and under the race detector, only the Go implementation exists,
// because the race detector does not see memory accesses in assembly. Permutations
// exist only on processors that have the instructions; elsewhere their users do the same
// step by step.
//
// All implementations guarantee three properties. They access no byte outside
// the given ranges. They leave the vector registers in the state that Go code
// expects. They return after at most 64 KiB, because assembly cannot be
// preempted and delays a garbage collection; the exported Go functions call
// them repeatedly.
package kernel

// maxCall is the maximum number of bytes that one call of an assembly function
// reads or writes.
const maxCall = 64 << 10
