package msgpack

import (
	"encoding/binary"
	"math"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// makeWideEncoder returns the encoder of a number whose format a Config has
// chosen, nil where it is the usual one.
func (k *compiler) makeWideEncoder(t reflect.Type, o putOp) encodeFunc {
	switch o {
	case putBool, putString:
	case putFloat32:
		if k.plans.Canonical {
			return func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
				return appendNarrow(dst, float64(*mem.At[float32](p))), nil
			}
		}
	case putFloat64:
		if k.plans.NarrowFloats {
			canonical := k.plans.Canonical
			return func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
				f := *mem.At[float64](p)
				if f != f && !canonical {
					return wire.AppendFloat64(dst, f), nil // a NaN keeps its bits
				}
				return appendNarrow(dst, f), nil
			}
		}
	default:
		if k.plans.TypedInts {
			if t.Kind() == reflect.Int && o == putInt32 { // on a 32-bit machine
				return func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
					return binary.BigEndian.AppendUint64(append(dst, byte(wire.Int64)), uint64(*mem.At[int](p))), nil
				}
			}
			if t.Kind() == reflect.Uint && o == putUint32 {
				return func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
					return binary.BigEndian.AppendUint64(append(dst, byte(wire.Uint64)), uint64(*mem.At[uint](p))), nil
				}
			}
			return typedInt(o)
		}
	}
	return nil
}

// appendNarrow appends f as float 32 where that is exact, and any NaN as the one
// with a single bit of payload.
func appendNarrow(dst []byte, f float64) []byte {
	if f != f {
		return append(dst, byte(wire.Float32), 0x7f, 0xc0, 0, 0)
	}
	if float64(float32(f)) == f {
		return wire.AppendFloat32(dst, float32(f))
	}
	return wire.AppendFloat64(dst, f)
}

// typedInt returns the encoder of an integer in the format of its width.
func typedInt(o putOp) encodeFunc {
	switch o {
	case putInt8:
		return makeTypedInt[int8](wire.Int8)
	case putInt16:
		return makeTypedInt[int16](wire.Int16)
	case putInt32:
		return makeTypedInt[int32](wire.Int32)
	case putUint8:
		return makeTypedInt[uint8](wire.Uint8)
	case putUint16:
		return makeTypedInt[uint16](wire.Uint16)
	case putUint32:
		return makeTypedInt[uint32](wire.Uint32)
	case putUint64:
		return makeTypedInt[uint64](wire.Uint64)
	}
	return makeTypedInt[int64](wire.Int64)
}

func makeTypedInt[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](f wire.Format) encodeFunc {
	size := mem.SizeOf[T]()
	return func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
		v := uint64(*mem.At[T](p)) << (64 - 8*size)
		var b [8]byte
		binary.BigEndian.PutUint64(b[:], v)
		return append(append(dst, byte(f)), b[:size]...), nil
	}
}

// makeComplexCodec is for complex numbers, in the form that the Config has
// chosen: c is the one for arrays.
func (k *compiler) makeComplexCodec(c codec, t reflect.Type) codec {
	id := k.plans.ComplexExt
	long := t.Kind() == reflect.Complex128
	size := 8
	if long {
		size = 16
	}
	want := t.String()
	return codec{
		func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
			dst = wire.AppendExtHeader(dst, id, uint32(size))
			if long {
				v := *mem.At[complex128](p)
				dst = binary.BigEndian.AppendUint64(dst, math.Float64bits(real(v)))
				return binary.BigEndian.AppendUint64(dst, math.Float64bits(imag(v))), nil
			}
			v := *mem.At[complex64](p)
			dst = binary.BigEndian.AppendUint32(dst, math.Float32bits(real(v)))
			return binary.BigEndian.AppendUint32(dst, math.Float32bits(imag(v))), nil
		},
		func(d *decoder, p mem.Ptr) error {
			h, err := d.header(want)
			if err != nil {
				return err
			}
			if h.Format.Kind() != wire.KindExt || h.Ext != id {
				return c.decode(d, p)
			}
			if int(h.Payload) != size {
				return d.fail(ErrMismatch, want)
			}
			b, err := d.payload(h, want)
			if err != nil {
				return err
			}
			if long {
				re, im := binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])
				*mem.At[complex128](p) = complex(math.Float64frombits(re), math.Float64frombits(im))
				return nil
			}
			re, im := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
			*mem.At[complex64](p) = complex(math.Float32frombits(re), math.Float32frombits(im))
			return nil
		},
	}
}
