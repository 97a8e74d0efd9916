package msgpack

import (
	"encoding/binary"
	"math"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// makeWideEncoder returns the encoder of a number or string in the format that the
// Config selects, or nil if that is the default format.
func (k *compiler) makeWideEncoder(t reflect.Type, o putOp) encodeFunc {
	switch o {
	case putBool: // no option applies
	case putString:
		// Strings of 32 to 255 bytes are str 16, because str 8 did not exist.
		if k.plans.OldFormats {
			return func(dst []byte, p mem.Ptr, _ int) ([]byte, error) { return appendOldText(dst, *mem.At[string](p)) }
		}
	case putFloat32:
		// NaN is the only float32 whose encoding differs.
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
		switch isInt, isSigned := t.Kind() == reflect.Int || t.Kind() == reflect.Uint, putInt8 <= o && o <= putInt64; {
		// Unsigned types keep the default, which is the shortest unsigned format.
		case k.plans.SignedInts && isSigned:
			return signedInt(o)
		case k.plans.MixedInts && !isInt:
			return typedInt(o, false)
		case k.plans.TypedInts:
			return typedInt(o, isInt)
		}
	}
	return nil
}

// appendNarrow appends f as float 32 if that loses nothing, otherwise as float 64. All
// NaNs become the float 32 with the bits 7fc00000, so that equal values have equal
// bytes.
func appendNarrow(dst []byte, f float64) []byte {
	// The comparison below would be false for a NaN.
	if f != f {
		return append(dst, byte(wire.Float32), 0x7f, 0xc0, 0, 0)
	}
	if float64(float32(f)) == f {
		return wire.AppendFloat32(dst, float32(f))
	}
	return wire.AppendFloat64(dst, f)
}

// typedInt returns the encoder of an integer type in the format of the same width. int
// and uint have 64 bits in the message on every machine, so that programs on a 32-bit
// machine write the same bytes.
func typedInt(o putOp, isInt bool) encodeFunc {
	width := int(o-putInt8) & 3 // 0 to 3, the order of the operations and of the formats
	if isInt {
		width = 3
	}
	f := wire.Int8 + wire.Format(width)
	if o >= putUint8 {
		f = wire.Uint8 + wire.Format(width)
	}
	return func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
		return appendWidth(dst, f, width, loadInteger(o, p)), nil
	}
}

// appendWidth appends the format byte and the last 1<<width bytes of v.
func appendWidth(dst []byte, f wire.Format, width int, v int64) []byte {
	var b [1 + 8]byte
	size := 1 << width
	b[0] = byte(f)
	binary.BigEndian.PutUint64(b[1:], uint64(v)<<(64-8*size))
	return append(dst, b[:1+size]...)
}

// signedInt returns the encoder of a signed integer type in the shortest signed format.
func signedInt(o putOp) encodeFunc {
	return func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
		switch v := loadInteger(o, p); {
		case v <= math.MaxInt8: // the formats of negative integers are signed
			return wire.AppendInt(dst, v), nil
		case v <= math.MaxInt16:
			return appendWidth(dst, wire.Int16, 1, v), nil
		case v <= math.MaxInt32:
			return appendWidth(dst, wire.Int32, 2, v), nil
		default:
			return appendWidth(dst, wire.Int64, 3, v), nil
		}
	}
}

// stringHeader returns the function that appends the header of a str.
func (o *options) stringHeader() headerFunc {
	if o.text != nil {
		return o.text
	}
	return wire.AppendStringHeader
}

// binHeader returns the function that appends the header of a bin.
func (o *options) binHeader() headerFunc {
	if o.text != nil {
		return o.text
	}
	return wire.AppendBinHeader
}

// appendOldStringHeader appends the header of a str of n bytes without str 8.
func appendOldStringHeader(dst []byte, n uint32) []byte {
	// AppendStringHeader would write a str 8.
	if n > shortString && n <= math.MaxUint8 {
		return append(dst, byte(wire.Str16), 0, byte(n))
	}
	return wire.AppendStringHeader(dst, n)
}

// appendOldText is appendText without str 8.
func appendOldText(dst []byte, s string) ([]byte, error) {
	if uint64(len(s)) > math.MaxUint32 {
		return dst, failed(ErrLimit, "string")
	}
	return append(appendOldStringHeader(dst, uint32(len(s))), s...), nil
}
