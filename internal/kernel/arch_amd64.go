//go:build !purego && !race

package kernel

import (
	"golang.org/x/sys/cpu"

	"github.com/octet-go/octet/internal/mem"
)

// For fewer than minSwap bytes, or minTag4 and minTag8 numbers, the Go loop is
// faster than a call of assembly.
const (
	minSwap = 32
	minTag4 = 12
	minTag8 = 12
)

var (
	hasAVX2   = cpu.X86.HasAVX2
	hasAVX512 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasBMI2

	hasStream    = hasAVX2
	hasPermute64 = hasAVX512 && cpu.X86.HasAVX512VBMI
	hasPermute16 = cpu.X86.HasSSSE3
	hasTag64     = hasPermute64 && cpu.X86.HasBMI1 && cpu.X86.HasPOPCNT
	hasTriples   = hasAVX512 && cpu.X86.HasBMI1
	hasFold      = hasAVX512 && cpu.X86.HasAVX512VPCLMULQDQ && cpu.X86.HasSSE42
)

// swapVector swaps the bytes of the numbers in n bytes and returns how many
// bytes it processed. n must be a multiple of the size of a number and at least
// minSwap.
func swapVector(dst, src mem.Ptr, n int, mask *[16]byte) int {
	switch {
	case hasAVX512:
		swapAVX512(dst, src, n, mask)
	case hasAVX2:
		swapAVX2(dst, src, n, mask)
	default:
		return 0
	}
	return n
}

// swapStream does the same with stores that bypass the caches. The caller
// guarantees that dst is aligned to 64 bytes and that n is a multiple of 256.
func swapStream(dst, src mem.Ptr, n int, mask *[16]byte) {
	if hasAVX512 {
		swapStreamAVX512(dst, src, n, mask)
	} else {
		swapStreamAVX2(dst, src, n, mask)
	}
}

//go:noescape
func swapAVX2(dst, src mem.Ptr, n int, mask *[16]byte)

//go:noescape
func swapAVX512(dst, src mem.Ptr, n int, mask *[16]byte)

//go:noescape
func swapStreamAVX2(dst, src mem.Ptr, n int, mask *[16]byte)

//go:noescape
func swapStreamAVX512(dst, src mem.Ptr, n int, mask *[16]byte)

// permute applies p to n elements. It uses AVX-512 if p has blocks for it, and
// SSSE3 otherwise.
//
//go:noescape
func permute(dst, src mem.Ptr, n int, p *Permutation)

// permuteFull applies a full permutation to one element.
//
//go:noescape
func permuteFull(dst, src mem.Ptr, p *Permutation)

// permuteOne applies p to one element.
//
//go:noescape
func permuteOne(dst, src mem.Ptr, p *Permutation)

// tagVector tags as many of n numbers as it can and returns how many it tagged.
func tagVector(dst, src mem.Ptr, n int, t *tags, tag byte) int {
	switch {
	case hasTag64:
		return tagVBMI(dst, src, n, t, tag)
	case hasPermute16:
		return tagSSSE3(dst, src, n, t, tag)
	}
	return 0
}

// untagVector is the inverse of tagVector. It stops before a wrong tag.
func untagVector(dst, src mem.Ptr, n int, t *tags, tag byte) int {
	switch {
	case hasTag64:
		return untagVBMI(dst, src, n, t, tag)
	case hasPermute16:
		return untagSSSE3(dst, src, n, t, tag)
	}
	return 0
}

//go:noescape
func tagVBMI(dst, src mem.Ptr, n int, t *tags, tag byte) int

//go:noescape
func untagVBMI(dst, src mem.Ptr, n int, t *tags, tag byte) int

//go:noescape
func tagSSSE3(dst, src mem.Ptr, n int, t *tags, tag byte) int

//go:noescape
func untagSSSE3(dst, src mem.Ptr, n int, t *tags, tag byte) int

// foldCRC32C returns the checksum of n bytes at p, without the inversions before and
// after. n must be a multiple of 256 and not 0.
//
//go:noescape
func foldCRC32C(crc uint32, p mem.Ptr, n int) uint32

// indexTriples returns the index of the first triple at p, or n. n must be a multiple
// of 64 and not 0; the bytes up to n+2 are read.
//
//go:noescape
func indexTriples(p mem.Ptr, n int, t *[2][3]byte) int
