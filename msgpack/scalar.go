package msgpack

import (
	"math"
	"math/bits"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// A scalar is a kind of Go value that structs, slices and maps handle in their
// own loops instead of through a call. The zero scalar is none.
type scalar uint8

const (
	scalarNone scalar = iota
	scalarBool
	scalarInt8
	scalarInt16
	scalarInt32
	scalarInt64
	scalarUint8
	scalarUint16
	scalarUint32
	scalarUint64
	scalarFloat32
	scalarFloat64
	scalarString
)

// scalarOf returns the scalar of a type; int and uint are those of their width.
func scalarOf(t reflect.Type) scalar {
	switch t.Kind() {
	case reflect.Bool:
		return scalarBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return scalarInt8 + scalar(bits.TrailingZeros(uint(t.Size())))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return scalarUint8 + scalar(bits.TrailingZeros(uint(t.Size())))
	case reflect.Float32:
		return scalarFloat32
	case reflect.Float64:
		return scalarFloat64
	case reflect.String:
		return scalarString
	}
	return scalarNone
}

// makeScalarCodec returns the functions for a value that stands alone. want is
// what errors call the type.
func (k *compiler) makeScalarCodec(t reflect.Type, s scalar, p *plan) codec {
	want := t.String()
	p.scalar, p.stored = s, s
	if s == scalarString && k.plans.AliasInput {
		p.scalar = scalarNone
		return codec{encodeString, func(d *decoder, p mem.Ptr) error { return d.stringAliased(mem.At[string](p), want) }}
	}
	encode := func(dst []byte, p mem.Ptr, _ int) ([]byte, error) { return appendScalar(dst, s, p) }
	switch s {
	case scalarInt64:
		encode = func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
			return wire.AppendInt(dst, *mem.At[int64](p)), nil
		}
	case scalarString:
		encode = encodeString
	}
	if k.plans.number != nil {
		if other := k.plans.number(k, t, s); other != nil {
			encode, p.stored = other, scalarNone
		}
	}
	return codec{encode, func(d *decoder, p mem.Ptr) error { return d.scalar(s, p, want) }}
}

// appendScalar is the general path: it grows dst by what the value takes and
// no more.
func appendScalar(dst []byte, s scalar, p mem.Ptr) ([]byte, error) {
	switch s {
	case scalarBool:
		return wire.AppendBool(dst, *mem.At[bool](p)), nil
	case scalarInt8:
		return wire.AppendInt(dst, int64(*mem.At[int8](p))), nil
	case scalarInt16:
		return wire.AppendInt(dst, int64(*mem.At[int16](p))), nil
	case scalarInt32:
		return wire.AppendInt(dst, int64(*mem.At[int32](p))), nil
	case scalarInt64:
		return wire.AppendInt(dst, *mem.At[int64](p)), nil
	case scalarUint8:
		return wire.AppendUint(dst, uint64(*mem.At[uint8](p))), nil
	case scalarUint16:
		return wire.AppendUint(dst, uint64(*mem.At[uint16](p))), nil
	case scalarUint32:
		return wire.AppendUint(dst, uint64(*mem.At[uint32](p))), nil
	case scalarUint64:
		return wire.AppendUint(dst, *mem.At[uint64](p)), nil
	case scalarFloat32:
		return wire.AppendFloat32(dst, *mem.At[float32](p)), nil
	case scalarFloat64:
		return wire.AppendFloat64(dst, *mem.At[float64](p)), nil
	default:
		return encodeString(dst, p, 0)
	}
}

func encodeString(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
	return appendText(dst, *mem.At[string](p))
}

func appendText(dst []byte, s string) ([]byte, error) {
	if uint64(len(s)) > math.MaxUint32 {
		return dst, failed(ErrLimit, "string")
	}
	return wire.AppendString(dst, s), nil
}

// scalar decodes the next value into the scalar at p, from any format that
// holds it without loss.
func (d *decoder) scalar(s scalar, p mem.Ptr, want string) error {
	start := d.pos
	switch s {
	case scalarBool:
		return d.bool(mem.At[bool](p), want)
	case scalarString:
		return d.stringInto(mem.At[string](p), want)
	case scalarFloat32, scalarFloat64:
		return d.float(s, p, want)
	}
	v, negative, err := d.integer(want)
	if err != nil {
		return err
	}
	var fits bool
	switch i := int64(v); s {
	case scalarInt8:
		fits = int64(int8(i)) == i && negative == (i < 0)
		set(p, int8(i), fits)
	case scalarInt16:
		fits = int64(int16(i)) == i && negative == (i < 0)
		set(p, int16(i), fits)
	case scalarInt32:
		fits = int64(int32(i)) == i && negative == (i < 0)
		set(p, int32(i), fits)
	case scalarInt64:
		fits = negative == (i < 0)
		set(p, i, fits)
	case scalarUint8:
		fits = uint64(uint8(v)) == v && !negative
		set(p, uint8(v), fits)
	case scalarUint16:
		fits = uint64(uint16(v)) == v && !negative
		set(p, uint16(v), fits)
	case scalarUint32:
		fits = uint64(uint32(v)) == v && !negative
		set(p, uint32(v), fits)
	case scalarUint64:
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
func (d *decoder) float(s scalar, p mem.Ptr, want string) error {
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
		if s == scalarFloat32 {
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
		if s == scalarFloat32 && math.IsInf(float64(float32(f)), 0) && !math.IsInf(f, 0) {
			return d.rangeError(start, want)
		}
	default:
		v, negative, err := d.integer(want)
		if err != nil {
			return err
		}
		if !exactFloat(v, negative, s) {
			return d.rangeError(start, want)
		}
		if f = float64(v); negative {
			f = float64(int64(v))
		}
	}
	if s == scalarFloat32 {
		*mem.At[float32](p) = float32(f)
	} else {
		*mem.At[float64](p) = f
	}
	return nil
}

// exactFloat reports whether a float of the width holds an integer exactly,
// which is so when its significant bits are no more than the float's.
func exactFloat(v uint64, negative bool, s scalar) bool {
	if negative {
		v = -v
	}
	significant := bits.Len64(v) - bits.TrailingZeros64(v)
	if s == scalarFloat32 {
		return significant <= 24
	}
	return significant <= 53
}
