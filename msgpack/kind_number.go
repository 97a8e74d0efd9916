package msgpack

import (
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/internal/syntax"
	"github.com/octet-go/octet/msgpack/wire"
)

// A Number is an integer or float as it was written: the bytes of the value,
// format byte included. It is written as it is, and takes numbers of all
// formats. The empty Number is written as nil and read from it.
type Number string

// Int64 returns the number as an int64, and whether it is one: an integer that
// fits, or such a float without a fraction.
func (n Number) Int64() (v int64, ok bool) {
	u, negative, ok := n.integer()
	if !ok || negative != (int64(u) < 0) {
		return 0, false
	}
	return int64(u), true
}

// Uint64 is Int64 for a uint64.
func (n Number) Uint64() (v uint64, ok bool) {
	v, negative, ok := n.integer()
	if !ok || negative {
		return 0, false
	}
	return v, true
}

func (n Number) integer() (v uint64, negative, ok bool) {
	d := decoder{data: []byte(n)}
	v, negative, err := d.integer("")
	return v, negative, err == nil && n.valid()
}

// Float64 returns the number as a float64, and whether it is one: a float, or an
// integer that a float64 holds exactly.
func (n Number) Float64() (v float64, ok bool) {
	d := decoder{data: []byte(n)}
	err := d.float(getFloat64, mem.PtrTo(&v), "")
	return v, err == nil && n.valid()
}

// Format returns the format that the number was written in, such as
// [wire.Uint16].
func (n Number) Format() wire.Format {
	if n == "" {
		return wire.Nil
	}
	return wire.FormatOf(n[0])
}

// String returns the number in decimal, floats in the fewest digits that tell
// them from others.
func (n Number) String() string {
	if n == "" {
		return "nil"
	}
	if !n.valid() {
		return "not a number"
	}
	return syntax.Number([]byte(n))
}

// valid reports whether n is one whole number.
func (n Number) valid() bool {
	h, size, err := wire.ConsumeHeader([]byte(n))
	k := h.Format.Kind()
	return err == nil && (k == wire.KindInt || k == wire.KindFloat) && uint64(size)+uint64(h.Payload) == uint64(len(n))
}

// numberCodec is for [Number].
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
	func(d *decoder, p mem.Ptr) error {
		const want = "msgpack.Number"
		n := mem.At[Number](p)
		if d.isNil() {
			*n = ""
			return nil
		}
		h, err := d.header(want)
		if err != nil {
			return err
		}
		if k := h.Format.Kind(); k != wire.KindInt && k != wire.KindFloat {
			return d.mismatch(want)
		}
		b, err := d.rawValue()
		if err == nil {
			*n = Number(b)
		}
		return err
	},
}
