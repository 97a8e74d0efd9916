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
			return typedInt(o)
		case k.plans.TypedInts:
			// int and uint have 64 bits in the message on every machine, so that
			// programs on a 32-bit machine write the same bytes.
			if t.Kind() == reflect.Int && o == putInt32 {
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

// typedInt returns the encoder of an integer type in the format of the same width.
func typedInt(o putOp) encodeFunc {
	width := int(o-putInt8) & 3 // 0 to 3, the order of the operations and of the formats
	f, size := wire.Int8+wire.Format(width), 1<<width
	if o >= putUint8 {
		f = wire.Uint8 + wire.Format(width)
	}
	return func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
		v := uint64(loadInteger(o, p)) << (64 - 8*size) // the first bytes in big-endian order
		var b [8]byte
		binary.BigEndian.PutUint64(b[:], v)
		return append(append(dst, byte(f)), b[:size]...), nil
	}
}

// signedInt returns the encoder of a signed integer type in the shortest signed format.
func signedInt(o putOp) encodeFunc {
	return func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
		switch v := loadInteger(o, p); {
		case v <= math.MaxInt8: // the formats of negative integers are signed
			return wire.AppendInt(dst, v), nil
		case v <= math.MaxInt16:
			return binary.BigEndian.AppendUint16(append(dst, byte(wire.Int16)), uint16(v)), nil
		case v <= math.MaxInt32:
			return binary.BigEndian.AppendUint32(append(dst, byte(wire.Int32)), uint32(v)), nil
		default:
			return binary.BigEndian.AppendUint64(append(dst, byte(wire.Int64)), uint64(v)), nil
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
