//go:build purego || race || !(amd64 || arm64)

package kernel

import "github.com/octet-go/octet/internal/mem"

// Without assembly, these limits are never reached.
const (
	minSwap      = int(^uint(0) >> 1)
	minTag4      = minSwap
	minTag8      = minSwap
	hasStream    = false
	hasPermute64 = false
	hasBits64    = false
	hasPermute16 = false
	hasTriples   = false
	hasFold      = false
)

func swapVector(dst, src mem.Ptr, n int, mask *[16]byte) int { return 0 }

func swapStream(dst, src mem.Ptr, n int, mask *[16]byte) {}

func permute(dst, src mem.Ptr, n int, p *Permutation) {}

func permuteFull(dst, src mem.Ptr, p *Permutation) { permute(dst, src, 1, p) }

func permuteOne(dst, src mem.Ptr, p *Permutation) { permute(dst, src, 1, p) }

func tagVector(dst, src mem.Ptr, n int, t *tags, tag byte) int { return 0 }

func untagVector(dst, src mem.Ptr, n int, t *tags, tag byte) int { return 0 }

func foldCRC32C(crc uint32, p mem.Ptr, n int) uint32 { return 0 }

func indexTriples(p mem.Ptr, n int, t *[2][3]byte) int { return 0 }
