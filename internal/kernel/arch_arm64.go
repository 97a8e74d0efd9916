//go:build !purego && !race

package kernel

import "github.com/octet-go/octet/internal/mem"

// For fewer than minSwap bytes, or minTag4 and minTag8 numbers, the Go loop is
// faster than a call of assembly. Tags of 8-byte numbers have no vector
// implementation.
const (
	minSwap = 32
	minTag4 = 8
	minTag8 = int(^uint(0) >> 1)
)

// Every arm64 processor that Go supports has NEON.
const (
	hasStream    = false
	hasPermute64 = false
	hasBits64    = false
	hasPermute16 = true
	hasTriples   = false
	hasFold      = false // package crc32 has the instructions
)

// swapVector swaps the bytes of the numbers in as many of the n bytes as fill
// whole registers, and returns how many bytes it processed.
func swapVector(dst, src mem.Ptr, n int, mask *[16]byte) int {
	n &^= 15
	swapNEON(dst, src, n, mask)
	return n
}

func swapStream(dst, src mem.Ptr, n int, mask *[16]byte) {}

// swapNEON requires that n is a multiple of 16.
//
//go:noescape
func swapNEON(dst, src mem.Ptr, n int, mask *[16]byte)

// permute applies p to n elements.
//
//go:noescape
func permute(dst, src mem.Ptr, n int, p *Permutation)

func permuteFull(dst, src mem.Ptr, p *Permutation) { permute(dst, src, 1, p) }

func permuteOne(dst, src mem.Ptr, p *Permutation) { permute(dst, src, 1, p) }

func foldCRC32C(crc uint32, p mem.Ptr, n int) uint32 { return 0 }

func indexTriples(p mem.Ptr, n int, t *[2][3]byte) int { return 0 }

// tagVector tags as many of n numbers as it can and returns how many it tagged.
func tagVector(dst, src mem.Ptr, n int, t *tags, tag byte) int {
	return tagNEON(dst, src, n, t, tag)
}

// untagVector is the inverse of tagVector. It stops before a wrong tag.
func untagVector(dst, src mem.Ptr, n int, t *tags, tag byte) int {
	return untagNEON(dst, src, n, t, tag)
}

//go:noescape
func tagNEON(dst, src mem.Ptr, n int, t *tags, tag byte) int

//go:noescape
func untagNEON(dst, src mem.Ptr, n int, t *tags, tag byte) int
