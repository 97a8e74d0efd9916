package msgpack

import (
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// complex64Codec is the codec of complex64. The real and the imaginary part are encoded
// as an array of two float 32. The array counts as a level of nesting, because [Valid]
// and [Raw] count it when they see only the bytes.
var complex64Codec = codec{
	func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		if depth == 0 {
			return dst, failed(ErrDepth, "complex64")
		}
		c := *mem.At[complex64](p)
		dst = wire.AppendArrayHeader(dst, 2)
		return wire.AppendFloat32(wire.AppendFloat32(dst, real(c)), imag(c)), nil
	},
	func(d *decoder, p mem.Ptr) error {
		var part [2]float32
		err := d.complex("complex64", getFloat32, mem.PtrTo(&part[0]), mem.PtrTo(&part[1]))
		if err == nil {
			*mem.At[complex64](p) = complex(part[0], part[1])
		}
		return err
	},
}

// complex128Codec is complex64Codec for complex128, with two float 64.
var complex128Codec = codec{
	func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		if depth == 0 {
			return dst, failed(ErrDepth, "complex128")
		}
		c := *mem.At[complex128](p)
		dst = wire.AppendArrayHeader(dst, 2)
		return wire.AppendFloat64(wire.AppendFloat64(dst, real(c)), imag(c)), nil
	},
	func(d *decoder, p mem.Ptr) error {
		var part [2]float64
		err := d.complex("complex128", getFloat64, mem.PtrTo(&part[0]), mem.PtrTo(&part[1]))
		if err == nil {
			*mem.At[complex128](p) = complex(part[0], part[1])
		}
		return err
	},
}

// complex decodes an array of two floats into the variables at re and im. It leaves
// them zero for a nil. o is the operation of the floats.
func (d *decoder) complex(want string, o getOp, re, im mem.Ptr) error {
	if d.isNil() {
		return nil
	}
	owed, err := d.arrayOf(2, want)
	if err != nil {
		return err
	}
	for i, part := range [...]mem.Ptr{re, im} {
		if err := d.float(o, part, want); err != nil {
			return underIndex(i, err)
		}
	}
	d.close(owed)
	return nil
}
