//go:build purego || race || !(amd64 || arm64)

package kernel

import "github.com/octet-go/octet/internal/mem"

// Without assembly, nothing is large enough for it.
const (
	minSwap      = int(^uint(0) >> 1)
	hasStream    = false
	hasPermute64 = false
	hasPermute16 = false
)

func swapVector(dst, src mem.Ptr, n int, mask *[16]byte) int { return 0 }

func swapStream(dst, src mem.Ptr, n int, mask *[16]byte) {}

func permute64(dst, src mem.Ptr, n, dstStride, srcStride int, blocks *block64, count int) {}

func permute16(dst, src mem.Ptr, n, dstStride, srcStride int, blocks *block16, count int) {}
