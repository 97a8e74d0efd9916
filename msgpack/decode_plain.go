package msgpack

import (
	"math"
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// decodeOp is the plain twin of [fieldSet.decode] for a get: it takes any
// format that holds the value without loss. want is what errors call the type.
func (d *decoder) decodeOp(o getOp, p mem.Ptr, want string) error {
	start := d.pos
	switch o {
	case getBool:
		return d.bool(mem.At[bool](p), want)
	case getString:
		return d.stringInto(mem.At[string](p), want)
	case getFloat32, getFloat64:
		return d.float(o, p, want)
	}
	v, negative, err := d.integer(want)
	if err != nil {
		return err
	}
	var fits bool
	switch i := int64(v); o {
	case getInt8:
		fits = int64(int8(i)) == i && negative == (i < 0)
		set(p, int8(i), fits)
	case getInt16:
		fits = int64(int16(i)) == i && negative == (i < 0)
		set(p, int16(i), fits)
	case getInt32:
		fits = int64(int32(i)) == i && negative == (i < 0)
		set(p, int32(i), fits)
	case getInt64:
		fits = negative == (i < 0)
		set(p, i, fits)
	case getUint8:
		fits = uint64(uint8(v)) == v && !negative
		set(p, uint8(v), fits)
	case getUint16:
		fits = uint64(uint16(v)) == v && !negative
		set(p, uint16(v), fits)
	case getUint32:
		fits = uint64(uint32(v)) == v && !negative
		set(p, uint32(v), fits)
	case getUint64:
		fits = !negative
		set(p, v, fits)
	}
	if !fits {
		return d.rangeError(start, want)
	}
	return nil
}

// set stores v at p if ok, so that a value out of range changes nothing.
func set[T any](p mem.Ptr, v T, ok bool) {
	if ok {
		*mem.At[T](p) = v
	}
}

func (d *decoder) bool(v *bool, want string) error {
	b, err := d.formatByte(want)
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

// integer reads any integer, nil as 0, or a float without a fraction, as 64 bits
// of two's complement and whether it is below zero.
func (d *decoder) integer(want string) (v uint64, negative bool, err error) {
	b, err := d.formatByte(want)
	if err != nil {
		return 0, false, err
	}
	switch wire.Format(b) {
	case wire.Nil:
		d.pos++
		return 0, false, nil
	case wire.Float32, wire.Float64:
		f, n, err := wire.ConsumeFloat64(d.data[d.pos:])
		if err != nil {
			return 0, false, d.fail(err, want)
		}
		// The bounds are powers of two, which floats hold exactly. Of NaN
		// every comparison is false.
		switch {
		case f != math.Trunc(f):
			return 0, false, d.rangeError(d.pos, want)
		case f >= 0 && f < 1<<64:
			d.pos += n
			return uint64(f), false, nil
		case f < 0 && f >= -1<<63:
			d.pos += n
			return uint64(int64(f)), true, nil
		}
		return 0, false, d.rangeError(d.pos, want)
	case wire.Uint64:
		v, n, err := wire.ConsumeUint(d.data[d.pos:])
		if err != nil {
			return 0, false, d.fail(err, want)
		}
		d.pos += n
		return v, false, nil
	}
	i, n, err := wire.ConsumeInt(d.data[d.pos:])
	if err != nil {
		return 0, false, d.fail(err, want)
	}
	d.pos += n
	return uint64(i), i < 0, nil
}

// float reads a float, nil as 0, or an integer that a float of the width holds
// exactly. A float 64 is rounded to the nearest float32, but not to infinity.
func (d *decoder) float(o getOp, p mem.Ptr, want string) error {
	b, err := d.formatByte(want)
	if err != nil {
		return err
	}
	var f float64
	start := d.pos
	switch wire.Format(b) {
	case wire.Float32:
		f32, n, err := wire.ConsumeFloat32(d.data[d.pos:])
		if err != nil {
			return d.fail(err, want)
		}
		d.pos += n
		if o == getFloat32 {
			*mem.At[float32](p) = f32 // not through float64, which would quiet a NaN
			return nil
		}
		f = float64(f32)
	case wire.Float64:
		f64, n, err := wire.ConsumeFloat64(d.data[d.pos:])
		if err != nil {
			return d.fail(err, want)
		}
		d.pos += n
		f = f64
		if o == getFloat32 && math.IsInf(float64(float32(f)), 0) && !math.IsInf(f, 0) {
			return d.rangeError(start, want)
		}
	default:
		v, negative, err := d.integer(want)
		if err != nil {
			return err
		}
		if !exactFloat(v, negative, o) {
			return d.rangeError(start, want)
		}
		if f = float64(v); negative {
			f = float64(int64(v))
		}
	}
	if o == getFloat32 {
		*mem.At[float32](p) = float32(f)
	} else {
		*mem.At[float64](p) = f
	}
	return nil
}

// exactFloat reports whether a float of the width holds an integer exactly,
// which is so when its significant bits are no more than the float's.
func exactFloat(v uint64, negative bool, o getOp) bool {
	if negative {
		v = -v
	}
	significant := bits.Len64(v) - bits.TrailingZeros64(v)
	if o == getFloat32 {
		return significant <= 24
	}
	return significant <= 53
}
