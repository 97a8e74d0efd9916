package msgpack

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/octet-go/octet/msgpack/wire"
)

// DecodeNil reads nil.
func (d *Decoder) DecodeNil() error {
	c, err := d.next()
	if err == nil && wire.FormatOf(c) != wire.Nil {
		err = invalid(c, "nil")
	}
	return err
}

func invalid(c byte, what string) error {
	return fmt.Errorf("msgpack: invalid code=%x decoding %s", c, what)
}

// DecodeBool reads a bool. nil is false.
func (d *Decoder) DecodeBool() (bool, error) {
	c, err := d.next()
	if err != nil {
		return false, err
	}
	switch wire.FormatOf(c) {
	case wire.True:
		return true, nil
	case wire.False, wire.Nil:
		return false, nil
	}
	return false, invalid(c, "bool")
}

// bits reads the payload of a number, of up to 8 bytes.
func (d *Decoder) bits(width int) (uint64, error) {
	if width == 1 {
		c, err := d.next()
		return uint64(c), err
	}
	b, err := d.take(width)
	if err != nil {
		return 0, err
	}
	var all [8]byte
	copy(all[8-width:], b)
	return binary.BigEndian.Uint64(all[:]), nil
}

// integer reads the payload of the integer that begins with c, and extends its sign. nil is 0.
func (d *Decoder) integer(c byte, what string) (int64, error) {
	f := wire.FormatOf(c)
	switch f {
	case wire.PositiveFixint, wire.NegativeFixint:
		return int64(int8(c)), nil
	case wire.Nil:
		return 0, nil
	}
	width := numberWidth(f)
	if width == 0 || f == wire.Float32 || f == wire.Float64 {
		return 0, invalid(c, what)
	}
	u, err := d.bits(width)
	if f.Kind() == wire.KindInt && isSigned(f) {
		shift := 64 - 8*width
		return int64(u<<shift) >> shift, err
	}
	return int64(u), err
}

func isSigned(f wire.Format) bool {
	return f == wire.Int8 || f == wire.Int16 || f == wire.Int32 || f == wire.Int64
}

// numberWidth returns the length of the payload of a number, or 0.
func numberWidth(f wire.Format) int {
	switch f {
	case wire.Uint8, wire.Int8:
		return 1
	case wire.Uint16, wire.Int16:
		return 2
	case wire.Uint32, wire.Int32, wire.Float32:
		return 4
	case wire.Uint64, wire.Int64, wire.Float64:
		return 8
	}
	return 0
}

// DecodeInt64 reads an integer. One that does not fit wraps. nil is 0.
func (d *Decoder) DecodeInt64() (int64, error) {
	c, err := d.next()
	if err != nil {
		return 0, err
	}
	return d.integer(c, "int64")
}

// DecodeUint64 reads an integer. One that does not fit wraps. nil is 0.
func (d *Decoder) DecodeUint64() (uint64, error) {
	c, err := d.next()
	if err != nil {
		return 0, err
	}
	n, err := d.integer(c, "uint64")
	return uint64(n), err
}

// DecodeInt is like [Decoder.DecodeInt64].
func (d *Decoder) DecodeInt() (int, error) { return converted[int](d.DecodeInt64()) }

// DecodeInt8 is like [Decoder.DecodeInt64].
func (d *Decoder) DecodeInt8() (int8, error) { return converted[int8](d.DecodeInt64()) }

// DecodeInt16 is like [Decoder.DecodeInt64].
func (d *Decoder) DecodeInt16() (int16, error) { return converted[int16](d.DecodeInt64()) }

// DecodeInt32 is like [Decoder.DecodeInt64].
func (d *Decoder) DecodeInt32() (int32, error) { return converted[int32](d.DecodeInt64()) }

// DecodeUint is like [Decoder.DecodeUint64].
func (d *Decoder) DecodeUint() (uint, error) { return converted[uint](d.DecodeUint64()) }

// DecodeUint8 is like [Decoder.DecodeUint64].
func (d *Decoder) DecodeUint8() (uint8, error) { return converted[uint8](d.DecodeUint64()) }

// DecodeUint16 is like [Decoder.DecodeUint64].
func (d *Decoder) DecodeUint16() (uint16, error) { return converted[uint16](d.DecodeUint64()) }

// DecodeUint32 is like [Decoder.DecodeUint64].
func (d *Decoder) DecodeUint32() (uint32, error) { return converted[uint32](d.DecodeUint64()) }

// DecodeDuration reads an integer of nanoseconds.
func (d *Decoder) DecodeDuration() (time.Duration, error) {
	return converted[time.Duration](d.DecodeInt64())
}

type integers interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

func converted[T, F integers](n F, err error) (T, error) { return T(n), err }

// DecodeFloat32 reads a float 32 or an integer. nil is 0.
func (d *Decoder) DecodeFloat32() (float32, error) {
	c, err := d.next()
	if err != nil {
		return 0, err
	}
	f, err := d.float(c, false)
	return float32(f), err
}

// DecodeFloat64 reads a float or an integer. nil is 0.
func (d *Decoder) DecodeFloat64() (float64, error) {
	c, err := d.next()
	if err != nil {
		return 0, err
	}
	return d.float(c, true)
}

// float reads the payload of the float or integer that begins with c.
func (d *Decoder) float(c byte, double bool) (float64, error) {
	switch f := wire.FormatOf(c); {
	case f == wire.Float32:
		u, err := d.bits(4)
		return float64(math.Float32frombits(uint32(u))), err
	case f == wire.Float64 && double:
		u, err := d.bits(8)
		return math.Float64frombits(u), err
	}
	n, err := d.integer(c, "float32")
	switch {
	case err != nil: // the library does not say that bytes are missing
		return 0, invalid(c, "float32")
	case double:
		return float64(n), nil
	}
	return float64(float32(n)), nil
}

// bytesLength returns the length of the str or bin that begins with c, or -1 for nil.
func (d *Decoder) bytesLength(c byte) (int, error) {
	f := wire.FormatOf(c)
	switch f.Kind() {
	case wire.KindNil:
		return -1, nil
	case wire.KindStr, wire.KindBin:
		if f == wire.FixStr {
			return int(c & 0x1f), nil
		}
		return d.length(c)
	}
	return 0, invalid(c, "string/bytes length")
}

// length reads the length in the header that begins with c.
func (d *Decoder) length(c byte) (int, error) {
	u, err := d.bits(headerLength(c) - 1)
	if u > math.MaxInt {
		return 0, errLength
	}
	return int(u), err
}

// DecodeBytesLen reads the header of a str or bin and returns its length, or -1 for nil.
func (d *Decoder) DecodeBytesLen() (int, error) {
	c, err := d.next()
	if err != nil {
		return 0, err
	}
	return d.bytesLength(c)
}

// DecodeString reads a str or bin. nil is the empty string.
func (d *Decoder) DecodeString() (string, error) {
	if d.intern || len(d.dict) > 0 {
		return d.decodeInterned(d.intern)
	}
	return d.plainString()
}

func (d *Decoder) plainString() (string, error) {
	if m := d.mem; m != nil && m.pos < len(m.data) {
		if n, rest := int(m.data[m.pos]&0x1f), m.data[m.pos+1:]; wire.FormatOf(m.data[m.pos]) == wire.FixStr && n <= len(rest) {
			m.pos += 1 + n
			return string(rest[:n]), nil
		}
	}
	n, err := d.DecodeBytesLen()
	if err != nil || n <= 0 {
		return "", err
	}
	b, err := d.take(n)
	if err != nil {
		return "", err
	}
	return string(b), nil
}

// DecodeBytes reads a str or bin into new memory. nil is nil.
func (d *Decoder) DecodeBytes() ([]byte, error) {
	n, err := d.DecodeBytesLen()
	if err != nil || n < 0 {
		return nil, err
	}
	return d.takeCopy(n)
}

// DecodeArrayLen reads the header of an array and returns the number of elements, or -1 for
// nil.
func (d *Decoder) DecodeArrayLen() (int, error) {
	c, err := d.next()
	if err != nil {
		return 0, err
	}
	return d.arrayLength(c)
}

func (d *Decoder) arrayLength(c byte) (int, error) {
	f := wire.FormatOf(c)
	switch {
	case f == wire.Nil:
		return -1, nil
	case f == wire.FixArray:
		return int(c & 0x0f), nil
	case f.Kind() == wire.KindArray:
		return d.length(c)
	}
	return 0, invalid(c, "array length")
}

// DecodeMapLen reads the header of a map and returns the number of pairs, or -1 for nil. It
// skips the header of an ext before it.
func (d *Decoder) DecodeMapLen() (int, error) {
	c, err := d.next()
	if err != nil {
		return 0, err
	}
	if wire.FormatOf(c).Kind() == wire.KindExt {
		if _, err := d.take(headerLength(c) - 1); err != nil {
			return 0, err
		}
		if c, err = d.next(); err != nil {
			return 0, err
		}
	}
	return d.mapLength(c)
}

func (d *Decoder) mapLength(c byte) (int, error) {
	f := wire.FormatOf(c)
	switch {
	case f == wire.Nil:
		return -1, nil
	case f == wire.FixMap:
		return int(c & 0x0f), nil
	case f.Kind() == wire.KindMap:
		return d.length(c)
	}
	return 0, codeError{c, "map length"}
}

// DecodeExtHeader reads the header of an ext and returns its type and the length of its
// payload, which [Decoder.ReadFull] reads.
func (d *Decoder) DecodeExtHeader() (extID int8, extLen int, err error) {
	c, err := d.PeekCode()
	if err != nil {
		return 0, 0, err
	}
	return d.extHeader(c)
}

// extHeader reads the header of an ext, which begins with c.
func (d *Decoder) extHeader(c byte) (extID int8, extLen int, err error) {
	if wire.FormatOf(c).Kind() != wire.KindExt {
		_, err := d.next()
		if err == nil {
			err = invalid(c, "ext len")
		}
		return 0, 0, err
	}
	h, err := d.header()
	if err == nil && uint64(h.Payload) > math.MaxInt {
		err = errLength
	}
	return h.Ext, int(h.Payload), err
}
