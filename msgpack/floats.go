package msgpack

import (
	"slices"

	"github.com/octet-go/octet/internal/kernel"
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// All elements of a slice of floats have the same format. The length of the output
// is therefore known in advance, and a kernel can process many elements at a time
// with vector instructions.

const (
	float32Size = 5 // a float with its format byte
	float64Size = 9
)

// appendFloats appends the count floats at data, which are contiguous. o is
// putFloat32 or putFloat64.
func appendFloats(dst []byte, o putOp, data mem.Ptr, count int) []byte {
	n := len(dst)
	if o == putFloat32 {
		dst = slices.Grow(dst, count*float32Size)
		kernel.Tag4(mem.Bytes(dst).Add(uintptr(n)), data, count, byte(wire.Float32))
		return dst[:n+count*float32Size]
	}
	dst = slices.Grow(dst, count*float64Size)
	kernel.Tag8(mem.Bytes(dst).Add(uintptr(n)), data, count, byte(wire.Float64))
	return dst[:n+count*float64Size]
}

// fastFloats decodes floats from data[pos:] into the memory s, as long as they are
// in the format of o, which is getFloat32 or getFloat64. It stops before the first
// value in another format, and returns the number of floats and their end.
func fastFloats(data []byte, pos int, o getOp, s []byte) (done, end int) {
	left := len(data) - pos
	if o == getFloat32 {
		if n := min(len(s)/4, left/float32Size); n > 0 {
			done = kernel.Untag4(mem.Bytes(s), mem.Bytes(data).Add(uintptr(pos)), n, byte(wire.Float32))
		}
		return done, pos + done*float32Size
	}
	if n := min(len(s)/8, left/float64Size); n > 0 {
		done = kernel.Untag8(mem.Bytes(s), mem.Bytes(data).Add(uintptr(pos)), n, byte(wire.Float64))
	}
	return done, pos + done*float64Size
}
