// Package kernel moves bytes within fixed-size values, many at a time: it reverses
// the bytes of numbers ([Swap2], [Swap4], [Swap8]), does so with a tag byte before
// each number ([Tag4], [Tag8]) and back ([Untag4], [Untag8]), and rearranges the
// bytes of whole structs ([Permutation]).
//
// Every kernel has one signature and several bodies: plain Go, and assembly for
// amd64 (SSSE3, AVX2, AVX-512) and arm64 (NEON). Which one runs is decided once
// at start by what the processor offers. With the tags purego and race there is
// only the Go one: the race detector does not see what assembly touches.
//
// Three promises hold for all bodies. They touch no byte outside what they were
// told to read and write. They leave the vector registers in the state that Go
// code expects. They return after at most 64 KiB, because assembly cannot be
// preempted and a garbage collection waits for it; the Go functions around them
// call them again.
package kernel

// maxCall is how many bytes one call of an assembly body may read or write.
const maxCall = 64 << 10
