package msgpack

import (
	"math"
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// decodeOp is the simple counterpart of [fieldSet.decode] for a scalar. It accepts
// every format that holds the value without loss. want is the name of the type in
// errors.
func (d *decoder) decodeOp(o getOp, p mem.Ptr, want string) error {
	start := d.pos // of the value, for errors
	switch o {
	// These types have formats of their own. All others share the code for
	// integers.
	case getBool:
		return d.bool(mem.At[bool](p), want)
	case getString:
		return d.stringInto(mem.At[string](p), want)
	case getAlias:
		b, err := d.bytes(want)
		if err == nil {
			*mem.At[string](p) = mem.String(b) // without a copy
		}
		return err
	case getFloat32, getFloat64:
		return d.float(o, p, want)
	}
	v, negative, err := d.integer(want)
	if err != nil {
		return err
	}
	// v has 64 bits in two's complement. negative == (i < 0) is false for a uint 64
	// above the range of int64.
	fits := false
	if i := int64(v); negative == (i < 0) {
		fits = setInteger(o, p, i)
	} else if o == getUint64 {
		*mem.At[uint64](p), fits = v, true
	}
	if fits {
		return nil
	}
	if f := wire.FormatOf(d.data[start]); d.wraps() && f.Kind() == wire.KindInt {
		setLowBits(o, p, v)
		return nil
	}
	return d.rangeError(start, want)
}

// wraps reports whether integers that are out of range lose their high bits.
func (d *decoder) wraps() bool { return d.plans != nil && d.plans.Compat.WrapInts }

// rounds reports whether a float type holds the nearest float of an integer.
func (d *decoder) rounds() bool { return d.plans != nil && d.plans.Compat.RoundInts }

// setInteger stores v at p and returns true if the type of the operation holds it.
func setInteger(o getOp, p mem.Ptr, v int64) bool {
	width := uint(o-getInt8) & 3 // 0 to 3, as in scalarOps
	// Shifting the high bits out and back changes a number that does not fit.
	shift := 64 - 8<<width
	fits := v<<shift>>shift == v
	if o >= getUint8 {
		fits = v >= 0 && int64(uint64(v)<<shift>>shift) == v
	}
	if !fits {
		return false
	}
	setLowBits(o, p, uint64(v))
	return true
}

// setLowBits stores the low bits of v at p. Signed and unsigned integers of the same
// width have the same bits in memory.
func setLowBits(o getOp, p mem.Ptr, v uint64) {
	switch uint(o-getInt8) & 3 {
	case 0:
		*mem.At[uint8](p) = uint8(v)
	case 1:
		*mem.At[uint16](p) = uint16(v)
	case 2:
		*mem.At[uint32](p) = uint32(v)
	default:
		*mem.At[uint64](p) = v
	}
}

// bool decodes a bool, or nil as false.
func (d *decoder) bool(v *bool, want string) error {
	b, err := d.formatByte(want) // an error if the input has ended
	if err != nil {
		return err
	}
	switch wire.Format(b) {
	case wire.False, wire.True:
		*v = b == byte(wire.True)
	case wire.Nil:
		*v = false
	default:
		return d.mismatch(want)
	}
	d.pos++
	return nil
}

// integer reads an integer of any format, nil as 0, or a float without a fraction.
// It returns 64 bits in two's complement and whether the number is negative.
func (d *decoder) integer(want string) (v uint64, negative bool, err error) {
	b, err := d.formatByte(want)
	if err != nil {
		return 0, false, err
	}
	switch wire.Format(b) {
	case wire.Nil:
		d.pos++
		return 0, false, nil
	// Some senders, such as JavaScript programs, write integers as floats.
	case wire.Float32, wire.Float64:
		start := d.pos
		f, err := consume(d, wire.ConsumeFloat64, want)
		switch {
		case err != nil:
			return 0, false, err
		// The bounds are powers of two, which floats represent exactly. A NaN is not
		// equal to anything.
		case f != math.Trunc(f) || f < -1<<63 || f >= 1<<64:
			return 0, false, d.rangeError(start, want)
		case f < 0:
			return uint64(int64(f)), true, nil
		}
		return uint64(f), false, nil
	case wire.Uint64: // the only format above the range of int64
		v, err := consume(d, wire.ConsumeUint, want)
		return v, false, err
	}
	i, err := consume(d, wire.ConsumeInt, want)
	return uint64(i), i < 0, err
}

// consume reads the next value with a function of package wire.
func consume[T any](d *decoder, read func(src []byte) (T, int, error), want string) (T, error) {
	v, n, err := read(d.data[d.pos:])
	if err != nil {
		return v, d.fail(err, want)
	}
	d.pos += n
	return v, nil
}

// float decodes a float, nil as 0, or an integer that the type represents exactly. A
// float 64 is rounded to the nearest float32, but not to infinity.
func (d *decoder) float(o getOp, p mem.Ptr, want string) error {
	b, err := d.formatByte(want)
	if err != nil {
		return err
	}
	var f float64
	start := d.pos
	switch format := wire.Format(b); {
	case format == wire.Float32 && o == getFloat32:
		f32, err := consume(d, wire.ConsumeFloat32, want)
		if err == nil {
			*mem.At[float32](p) = f32 // a conversion to float64 and back would change the bits of some NaNs
		}
		return err
	case format == wire.Float32 || format == wire.Float64:
		if f, err = consume(d, wire.ConsumeFloat64, want); err != nil {
			return err
		}
		// Rounding is normal for floats, but a finite number must not become infinite.
		if o == getFloat32 && math.IsInf(float64(float32(f)), 0) && !math.IsInf(f, 0) {
			return d.rangeError(start, want)
		}
	default:
		v, negative, err := d.integer(want)
		if err != nil {
			return err
		}
		// An integer is exact, so a loss of digits is an error here, unless it is rounded.
		if !exactFloat(v, negative, o) && !d.rounds() && !d.wraps() {
			return d.rangeError(start, want)
		}
		signed := negative || d.wraps() // v has the bits in two's complement
		switch {
		case o == getFloat32 && signed: // a float64 in between would round twice
			f = float64(float32(int64(v)))
		case o == getFloat32:
			f = float64(float32(v))
		case signed:
			f = float64(int64(v))
		default:
			f = float64(v)
		}
	}
	if o == getFloat32 {
		*mem.At[float32](p) = float32(f)
	} else {
		*mem.At[float64](p) = f
	}
	return nil
}

// exactFloat reports whether a float32 or float64 represents an integer exactly: the
// bits from the first to the last 1 must fit in its mantissa.
func exactFloat(v uint64, negative bool, o getOp) bool {
	if negative {
		// The sign takes no bit of the mantissa.
		v = -v // the absolute value, also of the smallest int64
	}
	significant := bits.Len64(v) - bits.TrailingZeros64(v)
	if o == getFloat32 {
		return significant <= 24
	}
	return significant <= 53
}
