package wire

import (
	"encoding/binary"
	"math"

	"github.com/octet-go/octet/internal/mem"
)

// AppendNil appends nil: c0.
func AppendNil(dst []byte) []byte { return append(dst, byte(Nil)) }

// AppendBool appends false or true: c2 or c3.
func AppendBool(dst []byte, v bool) []byte {
	b := int(False)
	if v {
		b++ // without a branch
	}
	return append(dst, byte(b))
}

// AppendInt appends v in the shortest integer format, 1 to 9 bytes. Positive values
// are written in the unsigned formats.
func AppendInt(dst []byte, v int64) []byte {
	switch {
	case v >= 0:
		return AppendUint(dst, uint64(v))
	case v >= -32:
		return append(dst, byte(v))
	case v >= math.MinInt8:
		return append(dst, byte(Int8), byte(v))
	case v >= math.MinInt16:
		return binary.BigEndian.AppendUint16(append(dst, byte(Int16)), uint16(v))
	case v >= math.MinInt32:
		return binary.BigEndian.AppendUint32(append(dst, byte(Int32)), uint32(v))
	default:
		return binary.BigEndian.AppendUint64(append(dst, byte(Int64)), uint64(v))
	}
}

// AppendUint appends v in the shortest integer format, 1 to 9 bytes.
func AppendUint(dst []byte, v uint64) []byte {
	switch {
	case v < 0x80:
		return append(dst, byte(v))
	case v <= math.MaxUint8:
		return append(dst, byte(Uint8), byte(v))
	case v <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, byte(Uint16)), uint16(v))
	case v <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(dst, byte(Uint32)), uint32(v))
	default:
		return binary.BigEndian.AppendUint64(append(dst, byte(Uint64)), v)
	}
}

// AppendFloat32 appends v as float 32, 5 bytes. NaN payloads are kept.
func AppendFloat32(dst []byte, v float32) []byte {
	return binary.BigEndian.AppendUint32(append(dst, byte(Float32)), math.Float32bits(v))
}

// AppendFloat64 appends v as float 64, 9 bytes. NaN payloads are kept.
func AppendFloat64(dst []byte, v float64) []byte {
	return binary.BigEndian.AppendUint64(append(dst, byte(Float64)), math.Float64bits(v))
}

// AppendString appends s as str. It does not check that s is UTF-8. It panics if s
// is 4 GiB or longer.
func AppendString(dst []byte, s string) []byte {
	n, end := len(s), len(dst)
	switch room := cap(dst) - end; {
	case n < 32 && n < room:
		// Most strings are short. Two copies that overlap cover a range of lengths, and take
		// less time than a call of the function that copies any number of bytes.
		to, from := mem.Bytes(dst).Add(uintptr(end)), mem.StringBytes(s)
		mem.Store8(to, 0, byte(FixStr)|byte(n))
		switch {
		case n > 16:
			mem.Copy16(to, 1, from, 0)
			mem.Copy16(to, n-15, from, n-16)
		case n >= 4:
			mem.CopyWords(to.Add(1), from, n)
		case n > 0:
			mem.Store8(to, 1, mem.Load8(from, 0))
			mem.Store8(to, 1+n/2, mem.Load8(from, n/2))
			mem.Store8(to, n, mem.Load8(from, n-1))
		}
		return dst[:end+1+n]
	case n > 31 && n <= math.MaxUint8 && n+1 < room:
		dst = dst[:end+2+n]
		dst[end], dst[end+1] = byte(Str8), byte(n)
		copy(dst[end+2:], s)
		return dst
	}
	return append(AppendStringHeader(dst, length(n)), s...)
}

// AppendStringHeader appends the header of a str of n bytes; the caller
// appends the bytes.
func AppendStringHeader(dst []byte, n uint32) []byte {
	if n < 32 {
		return append(dst, byte(FixStr)|byte(n))
	}
	return appendLength(dst, Str8, n)
}

// AppendBin appends b as bin. It panics if b is 4 GiB or longer.
func AppendBin(dst, b []byte) []byte {
	n, end := len(b), len(dst)
	if n <= math.MaxUint8 && n+1 < cap(dst)-end { // most values: with one test for room
		dst = dst[:end+2+n]
		dst[end], dst[end+1] = byte(Bin8), byte(n)
		copy(dst[end+2:], b)
		return dst
	}
	return append(AppendBinHeader(dst, length(len(b))), b...)
}

// AppendBinHeader appends the header of a bin of n bytes; the caller appends
// the bytes.
func AppendBinHeader(dst []byte, n uint32) []byte { return appendLength(dst, Bin8, n) }

// AppendArrayHeader appends the header of an array; the caller appends its n
// elements.
func AppendArrayHeader(dst []byte, n uint32) []byte {
	if n < 16 {
		return append(dst, byte(FixArray)|byte(n))
	}
	return appendCount(dst, Array16, n)
}

// AppendMapHeader appends the header of a map; the caller appends its n pairs,
// each a key and then a value.
func AppendMapHeader(dst []byte, n uint32) []byte {
	if n < 16 {
		return append(dst, byte(FixMap)|byte(n))
	}
	return appendCount(dst, Map16, n)
}

// AppendExt appends an ext of the given type with data as its payload. It panics if
// data is 4 GiB or longer.
func AppendExt(dst []byte, typ int8, data []byte) []byte {
	return append(AppendExtHeader(dst, typ, length(len(data))), data...)
}

// AppendExtHeader appends the header of an ext of the given type with n bytes of
// payload; the caller appends the payload. Lengths of 1, 2, 4, 8 and 16 are written
// in the fixext formats.
func AppendExtHeader(dst []byte, typ int8, n uint32) []byte {
	switch n {
	case 1:
		dst = append(dst, byte(FixExt1))
	case 2:
		dst = append(dst, byte(FixExt2))
	case 4:
		dst = append(dst, byte(FixExt4))
	case 8:
		dst = append(dst, byte(FixExt8))
	case 16:
		dst = append(dst, byte(FixExt16))
	default:
		dst = appendLength(dst, Ext8, n)
	}
	return append(dst, byte(typ))
}

// appendLength appends the shortest format for a length of n bytes, and the length.
// The formats of a family with 8, 16 and 32 bits follow each other from first on.
func appendLength(dst []byte, first Format, n uint32) []byte {
	if n <= math.MaxUint8 {
		return append(dst, byte(first), byte(n))
	}
	return appendCount(dst, first+1, n)
}

// appendCount is like appendLength, for families without an 8-bit format.
func appendCount(dst []byte, first Format, n uint32) []byte {
	if n <= math.MaxUint16 {
		return binary.BigEndian.AppendUint16(append(dst, byte(first)), uint16(n))
	}
	return binary.BigEndian.AppendUint32(append(dst, byte(first)+1), n)
}

// length converts a Go length to a MessagePack length.
func length(n int) uint32 {
	if uint64(n) > math.MaxUint32 {
		panic("msgpack/wire: length of 4 GiB or more")
	}
	return uint32(n)
}
