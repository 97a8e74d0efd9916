package msgpack

import (
	"encoding/binary"
	"math"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/syntax"
	"github.com/octet-go/octet/msgpack/wire"
)

// A Number holds the encoded bytes of an integer or float, including the format byte.
// A number of any format can be decoded into it, and it is encoded without a change.
// The empty Number is nil.
type Number string

// Int64 returns the number as an int64. A float without a fraction is converted. ok is
// false if the number has a fraction or is out of range, or if n is empty or invalid.
func (n Number) Int64() (v int64, ok bool) {
	u, negative, ok := n.integer()
	if !ok || negative != (int64(u) < 0) {
		return 0, false
	}
	return int64(u), true
}

// Uint64 returns the number as a uint64, like Int64.
func (n Number) Uint64() (v uint64, ok bool) {
	v, negative, ok := n.integer()
	if !ok || negative {
		return 0, false
	}
	return v, true
}

// integer returns the number as 64 bits in two's complement.
func (n Number) integer() (v uint64, negative, ok bool) {
	d := decoder{data: []byte(n)}
	v, negative, err := d.integer("")
	return v, negative, err == nil && n.valid()
}

// Float64 returns the number as a float64. ok is false if the number is an integer that
// a float64 cannot represent exactly, or if n is empty or invalid.
func (n Number) Float64() (v float64, ok bool) {
	d := decoder{data: []byte(n)}
	err := d.float(getFloat64, mem.PtrTo(&v), "")
	return v, err == nil && n.valid()
}

// Format returns the MessagePack format of the number, such as [wire.Uint16], or
// [wire.Nil] for the empty Number.
func (n Number) Format() wire.Format {
	if n == "" {
		return wire.Nil
	}
	return wire.FormatOf(n[0])
}

// String returns the number in decimal. A float has the fewest digits that identify
// its value. The result is "nil" for the empty Number, and "not a number" if the bytes
// are invalid.
func (n Number) String() string {
	if n == "" {
		return "nil"
	}
	if !n.valid() {
		return "not a number"
	}
	return syntax.Number([]byte(n))
}

// valid reports whether n is exactly one complete number.
func (n Number) valid() bool {
	h, size, err := wire.ConsumeHeader([]byte(n))
	k := h.Format.Kind()
	return err == nil && (k == wire.KindInt || k == wire.KindFloat) && uint64(size)+uint64(h.Payload) == uint64(len(n))
}

// numberCodec is the codec of [Number]. A program can convert any string to a Number,
// so the bytes are checked when they are encoded.
var numberCodec = codec{
	func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
		n := *mem.At[Number](p)
		if n == "" {
			return wire.AppendNil(dst), nil
		}
		if !n.valid() {
			return dst, failed(ErrInvalid, "Number")
		}
		return append(dst, n...), nil
	},
	zeroForNil(numberType, func(d *decoder, p mem.Ptr) error {
		const want = "msgpack.Number"
		h, err := d.header(want)
		if err != nil {
			return err
		}
		if k := h.Format.Kind(); k != wire.KindInt && k != wire.KindFloat {
			return d.mismatch(want)
		}
		b, err := d.rawValue()
		if err == nil {
			*mem.At[Number](p) = Number(b)
		}
		return err
	}),
}

// makeComplexCodec returns the codec of a complex type, which has the memory of two
// floats of the given size: the real part, then the imaginary part. They are encoded
// as an array, which counts as a level of nesting, because [Valid] and [Raw] count it
// when they see only the bytes.
func (k *compiler) makeComplexCodec(t reflect.Type, put putOp, get getOp, size int) codec {
	want := t.Kind().String()
	part := func(dst []byte, p mem.Ptr, _ int) ([]byte, error) { return appendOp(dst, put, p) }
	if k.plans.number != nil {
		if other := k.plans.number(k, t, put); other != nil {
			part = other
		}
	}
	return codec{
		func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
			if depth == 0 {
				return dst, failed(ErrDepth, want)
			}
			dst, _ = part(wire.AppendArrayHeader(dst, 2), p, depth) // no float is an error
			return part(dst, p.Add(uintptr(size)), depth)
		},
		zeroForNil(t, func(d *decoder, p mem.Ptr) error {
			owed, err := d.arrayOf(2, want)
			if err != nil {
				return err
			}
			for i := range 2 {
				if err := d.float(get, p.Add(uintptr(i*size)), want); err != nil {
					return underIndex(i, err)
				}
			}
			d.close(owed)
			return nil
		}),
	}
}

// makeWideEncoder returns the encoder of a number or string in the format that the
// Options select, or nil if that is the default format.
func (k *compiler) makeWideEncoder(t reflect.Type, o putOp) encodeFunc {
	switch o {
	case putBool: // no option applies
	case putString:
		// Strings of 32 to 255 bytes are str 16, because str 8 did not exist.
		if k.plans.Compat.OldFormats {
			result := asPayload("string", appendOldStringHeader)
			return func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
				s := *mem.At[string](p)
				return result(dst, mem.Slice(mem.StringBytes(s), len(s)), depth)
			}
		}
	case putFloat32:
		// NaN is the only float32 whose encoding differs.
		if k.plans.Canonical {
			return func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
				return appendNarrow(dst, float64(*mem.At[float32](p))), nil
			}
		}
	case putFloat64:
		if k.plans.NarrowFloats || k.plans.Canonical {
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
		case k.plans.Compat.SignedInts && isSigned:
			return signedInt(o)
		case k.plans.Compat.MixedInts && !isInt:
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
	size := 1 << width
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
