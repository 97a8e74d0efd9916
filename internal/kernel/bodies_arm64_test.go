//go:build linux && !purego && !race

package kernel

import "github.com/octet-go/octet/internal/mem"

type swapBody struct {
	name                   string
	least, multiple, align int
	swap                   func(dst, src mem.Ptr, n int, mask *[16]byte)
}

func swapBodies() []swapBody { return []swapBody{{"NEON", 16, 16, 1, swapNEON}} }

const permute16Body = true

func permute64Body() bool { return false }

type tagBody struct {
	name       string
	tag, untag func(dst, src mem.Ptr, n int, t *tags, tag byte) int
}

func tagBodies() []tagBody { return []tagBody{{"NEON", tagNEON, untagNEON}} }
