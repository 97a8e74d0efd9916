package msgpack

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/octet-go/octet/msgpack/wire"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// EncodeNil writes nil.
func (e *Encoder) EncodeNil() error { return e.put(wire.AppendNil(e.buf)) }

// EncodeBool writes a bool.
func (e *Encoder) EncodeBool(value bool) error { return e.put(wire.AppendBool(e.buf, value)) }

// EncodeInt writes n in the shortest format.
func (e *Encoder) EncodeInt(n int64) error { return e.put(wire.AppendInt(e.buf, n)) }

// EncodeUint writes n in the shortest format.
func (e *Encoder) EncodeUint(n uint64) error { return e.put(wire.AppendUint(e.buf, n)) }

// EncodeInt8 writes n in 2 bytes.
func (e *Encoder) EncodeInt8(n int8) error { return e.put(append(e.buf, msgpcode.Int8, byte(n))) }

// EncodeInt16 writes n in 3 bytes.
func (e *Encoder) EncodeInt16(n int16) error {
	return e.put(binary.BigEndian.AppendUint16(append(e.buf, msgpcode.Int16), uint16(n)))
}

// EncodeInt32 writes n in 5 bytes.
func (e *Encoder) EncodeInt32(n int32) error {
	return e.put(binary.BigEndian.AppendUint32(append(e.buf, msgpcode.Int32), uint32(n)))
}

// EncodeInt64 writes n in 9 bytes.
func (e *Encoder) EncodeInt64(n int64) error {
	return e.put(binary.BigEndian.AppendUint64(append(e.buf, msgpcode.Int64), uint64(n)))
}

// EncodeUint8 writes n in 2 bytes.
func (e *Encoder) EncodeUint8(n uint8) error { return e.put(append(e.buf, msgpcode.Uint8, n)) }

// EncodeUint16 writes n in 3 bytes.
func (e *Encoder) EncodeUint16(n uint16) error {
	return e.put(binary.BigEndian.AppendUint16(append(e.buf, msgpcode.Uint16), n))
}

// EncodeUint32 writes n in 5 bytes.
func (e *Encoder) EncodeUint32(n uint32) error {
	return e.put(binary.BigEndian.AppendUint32(append(e.buf, msgpcode.Uint32), n))
}

// EncodeUint64 writes n in 9 bytes.
func (e *Encoder) EncodeUint64(n uint64) error {
	return e.put(binary.BigEndian.AppendUint64(append(e.buf, msgpcode.Uint64), n))
}

// sized writes an int64 as UseCompactInts says.
func (e *Encoder) sized(n int64) error {
	if e.compactInts {
		return e.EncodeInt(n)
	}
	return e.EncodeInt64(n)
}

// sizedUint writes an unsigned integer of a type of the width, in bytes, as UseCompactInts
// says.
func (e *Encoder) sizedUint(n uint64, width uintptr) error {
	switch {
	case e.compactInts:
		return e.EncodeUint(n)
	case width == 1:
		return e.EncodeUint8(uint8(n))
	case width == 2:
		return e.EncodeUint16(uint16(n))
	case width == 4:
		return e.EncodeUint32(uint32(n))
	}
	return e.EncodeUint64(n)
}

// sizedInt does the same for a signed integer.
func (e *Encoder) sizedInt(n int64, width uintptr) error {
	switch {
	case e.compactInts:
		return e.EncodeInt(n)
	case width == 1:
		return e.EncodeInt8(int8(n))
	case width == 2:
		return e.EncodeInt16(int16(n))
	case width == 4:
		return e.EncodeInt32(int32(n))
	}
	return e.EncodeInt64(n)
}

// EncodeFloat32 writes a float 32.
func (e *Encoder) EncodeFloat32(n float32) error {
	if e.compactFloats && isInt(float64(n)) {
		return e.EncodeInt(int64(n))
	}
	return e.put(wire.AppendFloat32(e.buf, n))
}

// EncodeFloat64 writes a float 64.
func (e *Encoder) EncodeFloat64(n float64) error {
	if e.compactFloats && isInt(n) {
		return e.EncodeInt(int64(n))
	}
	return e.put(wire.AppendFloat64(e.buf, n))
}

// isInt reports whether an int64 has the value of f.
func isInt(f float64) bool { return f >= -(1<<63) && f < 1<<63 && f == math.Trunc(f) }

// EncodeString writes a str, or the number of an interned string.
func (e *Encoder) EncodeString(v string) error {
	if e.intern || len(e.dict) > 0 {
		return e.encodeInterned(v, e.intern)
	}
	if uint64(len(v)) > math.MaxUint32 {
		return errLength
	}
	return e.put(wire.AppendString(e.buf, v))
}

// EncodeBytes writes a bin, or nil for a nil slice.
func (e *Encoder) EncodeBytes(v []byte) error {
	switch {
	case v == nil:
		return e.EncodeNil()
	case uint64(len(v)) > math.MaxUint32:
		return errLength
	}
	return e.put(wire.AppendBin(e.buf, v))
}

// header writes a header for n bytes or values.
func (e *Encoder) header(n int, header func(dst []byte, n uint32) []byte) error {
	if n < 0 || uint64(n) > math.MaxUint32 {
		return errLength
	}
	return e.put(header(e.buf, uint32(n)))
}

// EncodeBytesLen writes the header of a bin of l bytes.
func (e *Encoder) EncodeBytesLen(l int) error { return e.header(l, wire.AppendBinHeader) }

// EncodeArrayLen writes the header of an array of l values.
func (e *Encoder) EncodeArrayLen(l int) error { return e.header(l, wire.AppendArrayHeader) }

// EncodeMapLen writes the header of a map of l pairs.
func (e *Encoder) EncodeMapLen(l int) error { return e.header(l, wire.AppendMapHeader) }

// EncodeExtHeader writes the header of an ext of extLen bytes.
func (e *Encoder) EncodeExtHeader(extID int8, extLen int) error {
	return e.header(extLen, func(dst []byte, n uint32) []byte { return wire.AppendExtHeader(dst, extID, n) })
}

// EncodeDuration writes d as an integer in the shortest format.
func (e *Encoder) EncodeDuration(d time.Duration) error { return e.EncodeInt(int64(d)) }

// EncodeTime writes a timestamp, the ext of type -1.
func (e *Encoder) EncodeTime(tm time.Time) error { return e.put(wire.AppendTime(e.buf, tm)) }
