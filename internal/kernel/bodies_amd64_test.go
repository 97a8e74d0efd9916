//go:build linux && !purego && !race

package kernel

import "github.com/octet-go/octet/internal/mem"

type swapBody struct {
	name                   string
	least, multiple, align int
	swap                   func(dst, src mem.Ptr, n int, mask *[16]byte)
}

func swapBodies() (bodies []swapBody) {
	if hasAVX2 {
		bodies = append(bodies, swapBody{"AVX2", 32, 2, 1, swapAVX2}, swapBody{"AVX2 stream", 256, 256, 64, swapStreamAVX2})
	}
	if hasAVX512 {
		bodies = append(bodies, swapBody{"AVX512", 2, 2, 1, swapAVX512}, swapBody{"AVX512 stream", 256, 256, 64, swapStreamAVX512})
	}
	return bodies
}

const permute16Body = true

func permute64Body() bool { return hasPermute64 }

type tagBody struct {
	name       string
	tag, untag func(dst, src mem.Ptr, n int, t *tags, tag byte) int
}

func tagBodies() (bodies []tagBody) {
	if hasTag64 {
		bodies = append(bodies, tagBody{"VBMI", tagVBMI, untagVBMI})
	}
	if hasPermute16 {
		bodies = append(bodies, tagBody{"SSSE3", tagSSSE3, untagSSSE3})
	}
	return bodies
}
