//go:build !purego && !race

package kernel

import "github.com/octet-go/octet/internal/mem"

// Below minSwap bytes, and below minTag4 and minTag8 numbers, the Go loop is done
// before a call would be. 8-byte numbers are tagged one by one in either way.
const (
	minSwap = 32
	minTag4 = 8
	minTag8 = int(^uint(0) >> 1)
)

// NEON is part of every arm64 processor that Go runs on.
const (
	hasStream    = false
	hasPermute64 = false
	hasPermute16 = true
)

// swapVector turns round the numbers in as many of the n bytes as fill whole
// registers, and returns how many that are.
func swapVector(dst, src mem.Ptr, n int, mask *[16]byte) int {
	n &^= 15
	swapNEON(dst, src, n, mask)
	return n
}

func swapStream(dst, src mem.Ptr, n int, mask *[16]byte) {}

// swapNEON takes a multiple of 16 bytes.
//
//go:noescape
func swapNEON(dst, src mem.Ptr, n int, mask *[16]byte)

// permute carries p out on n elements.
//
//go:noescape
func permute(dst, src mem.Ptr, n int, p *Permutation)

func permuteFull(dst, src mem.Ptr, p *Permutation) { permute(dst, src, 1, p) }

func permuteOne(dst, src mem.Ptr, p *Permutation) { permute(dst, src, 1, p) }

// tagVector tags as many of n numbers as it can, and returns how many it did.
func tagVector(dst, src mem.Ptr, n int, t *tags, tag byte) int {
	return tagNEON(dst, src, n, t, tag)
}

// untagVector is the opposite. It stops before a wrong tag.
func untagVector(dst, src mem.Ptr, n int, t *tags, tag byte) int {
	return untagNEON(dst, src, n, t, tag)
}

//go:noescape
func tagNEON(dst, src mem.Ptr, n int, t *tags, tag byte) int

//go:noescape
func untagNEON(dst, src mem.Ptr, n int, t *tags, tag byte) int
