package msgpack

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/internal/syntax"
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
func makeComplexCodec(t reflect.Type, put putOp, get getOp, size int) codec {
	want := t.Kind().String()
	return codec{
		func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
			if depth == 0 {
				return dst, failed(ErrDepth, want)
			}
			dst, _ = appendOp(wire.AppendArrayHeader(dst, 2), put, p)
			return appendOp(dst, put, p.Add(uintptr(size)))
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
