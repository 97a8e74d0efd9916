package msgpack

import (
	"math"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// The functions here decode what is usual: scalars in the formats that our
// encoder and most others choose. They leave everything else, errors included,
// to the general path, having changed nothing.
//
// A word is loaded from where a value begins, or where that would reach behind
// the input such that it ends where the value ends.

// integerFormats holds, by format byte, how to take an integer out of eight
// bytes: in the low six bits, how far to shift them right; from bit 8 on, how
// long the value is, 0 for what is no integer or a fixint.
var integerFormats = makeIntegerFormats()

const signedInteger = 1 << 7 // the shift is arithmetic

func makeIntegerFormats() (t [256]uint16) {
	for i := range 4 {
		size := 1 << i
		form := uint16(64-8*size) | uint16(1+size)<<8
		t[int(wire.Uint8)+i] = form
		t[int(wire.Int8)+i] = form | signedInteger
	}
	return t
}

// fastInteger reads the integer at pos, of any format, and returns where it
// ends, or 0.
func (d *decoder) fastInteger(pos int) (v int64, end int) {
	in := mem.Bytes(d.data)
	b := mem.Load8(in, pos)
	if int8(b) >= -32 {
		return int64(int8(b)), pos + 1
	}
	f := integerFormats[b]
	end = pos + int(f>>8)
	var u uint64
	switch {
	case f == 0:
		return 0, 0
	case pos+maxInteger <= len(d.data):
		u = mem.Load64BE(in, pos+1)
	case end <= len(d.data) && end >= 8:
		u = mem.Load64BE(in, end-8) << (f & 63)
	default:
		return 0, 0
	}
	if f&signedInteger != 0 {
		return int64(u) >> (f & 63), end
	}
	if v = int64(u >> (f & 63)); v < 0 {
		return 0, 0 // more than an int64 holds
	}
	return v, end
}

// integerRanges says which integers fit a scalar, of those that an int64 holds.
var integerRanges = [16]struct{ min, max int64 }{
	scalarInt8:   {math.MinInt8, math.MaxInt8},
	scalarInt16:  {math.MinInt16, math.MaxInt16},
	scalarInt32:  {math.MinInt32, math.MaxInt32},
	scalarInt64:  {math.MinInt64, math.MaxInt64},
	scalarUint8:  {0, math.MaxUint8},
	scalarUint16: {0, math.MaxUint16},
	scalarUint32: {0, math.MaxUint32},
	scalarUint64: {0, math.MaxInt64},
}

// setInteger stores v at p if it fits.
func setInteger(s scalar, p mem.Ptr, v int64) bool {
	if r := &integerRanges[s&15]; v < r.min || v > r.max {
		return false
	}
	switch s {
	case scalarInt64, scalarUint64:
		*mem.At[int64](p) = v
	case scalarInt32, scalarUint32:
		*mem.At[int32](p) = int32(v)
	case scalarInt16, scalarUint16:
		*mem.At[int16](p) = int16(v)
	default:
		*mem.At[int8](p) = int8(v)
	}
	return true
}

// scalarOr decodes a scalar in one of the usual formats into the variable at p,
// and anything else by the function of its type.
func (d *decoder) scalarOr(s scalar, p mem.Ptr, decode decodeFunc) error {
	if fast && s != scalarNone && d.pos < len(d.data) {
		if end := d.fastScalar(d.pos, s, p); end > 0 {
			d.pos = end
			return nil
		}
	}
	return decode(d, p)
}

// fastScalar returns where the value at pos ends, or 0.
func (d *decoder) fastScalar(pos int, s scalar, p mem.Ptr) (end int) {
	in := mem.Bytes(d.data)
	b := mem.Load8(in, pos)
	switch s {
	case scalarBool:
		if b|1 != byte(wire.True) {
			return 0
		}
		mem.Store8(p, 0, b&1)
		return pos + 1
	case scalarFloat32:
		if end = pos + 5; b != byte(wire.Float32) || end > len(d.data) {
			return 0
		}
		*mem.At[uint32](p) = mem.Load32BE(in, pos+1)
		return end
	case scalarFloat64:
		if end = pos + 9; b != byte(wire.Float64) || end > len(d.data) {
			return 0
		}
		*mem.At[uint64](p) = mem.Load64BE(in, pos+1)
		return end
	case scalarString:
		n := int(b ^ byte(wire.FixStr))
		if end = pos + 1 + n; n > shortString || end > len(d.data) {
			return 0
		}
		d.pos = end // for the size of a new chunk
		*mem.At[string](p) = d.newString(d.data[pos+1 : end])
		return end
	}
	v, end := d.fastInteger(pos)
	if end == 0 || !setInteger(s, p, v) {
		return 0
	}
	return end
}

// fastScalars decodes elements of an array that lie size bytes apart, and
// returns how many it did.
func (d *decoder) fastScalars(data mem.Ptr, n int, size uintptr, s scalar) (i int) {
	in, pos, last := mem.Bytes(d.data), d.pos, len(d.data)
	switch s {
	case scalarFloat64:
		for ; i < n && pos+9 <= last && mem.Load8(in, pos) == byte(wire.Float64); i++ {
			*mem.At[uint64](data.Add(uintptr(i) * 8)) = mem.Load64BE(in, pos+1)
			pos += 9
		}
	case scalarInt64:
		// As fastInteger does it, as long as there are words to load. That the
		// format is often the same as before is a guess which spares the processor
		// to wait for the table before it knows where the next one begins.
		var before byte
		var f uint16
		for ; i < n && pos+maxInteger <= last; i++ {
			b := mem.Load8(in, pos)
			if int8(b) >= -32 {
				*mem.At[int64](data.Add(uintptr(i) * 8)) = int64(int8(b))
				pos++
				continue
			}
			if b != before {
				before, f = b, integerFormats[b]
			}
			u := mem.Load64BE(in, pos+1)
			v := int64(u) >> (f & 63)
			if f&signedInteger == 0 {
				if v = int64(u >> (f & 63)); f == 0 || v < 0 {
					break
				}
			}
			*mem.At[int64](data.Add(uintptr(i) * 8)) = v
			pos += int(f >> 8)
		}
		for ; i < n && pos < last; i++ {
			v, end := d.fastInteger(pos)
			if end == 0 {
				break
			}
			*mem.At[int64](data.Add(uintptr(i) * 8)) = v
			pos = end
		}
	default:
		for ; i < n && pos < last; i++ {
			end := d.fastScalar(pos, s, data.Add(uintptr(i)*size))
			if end == 0 {
				break
			}
			pos = end
		}
	}
	d.pos = pos
	return i
}

// An expectedKey is a key of a struct with its header, as it is compared by
// words, and the scalar behind it.
type expectedKey struct {
	first, last uint64 // its first and last eight bytes, the same where it is shorter
	mask        uint64 // which bytes of them count
	offset      uintptr
	whole       string // the key, if it is longer than these two
	tail        uint8  // where last begins
	size        uint8  // 0 for a key that is too long to be compared like this
	reach       uint8  // bytes that must be left to load the words, 0 for no key
	scalar      scalar
}

// What fastFields knows of values that are no scalars.
const (
	nilPointer = scalarString + 1 + iota // a pointer or map, if it is nil
	emptyList                            // a slice, if it is nil or empty
)

const maxExpected = math.MaxUint8 // bytes of a key with its header

func makeExpectedKey(name string, offset uintptr, s scalar) expectedKey {
	key := wire.AppendString(nil, name)
	n := len(key)
	if n > maxExpected {
		return expectedKey{last: 1, mask: math.MaxUint64, reach: 8} // one word twice is never 0 and 1
	}
	k := expectedKey{offset: offset, size: uint8(n), reach: uint8(max(n, 8)), scalar: s, mask: math.MaxUint64}
	if n < 8 {
		k.mask = 1<<(8*n) - 1
	} else {
		k.tail = uint8(n - 8)
	}
	if n > 16 {
		k.whole = string(key)
	}
	p := mem.Bytes(append(key, make([]byte, 8)...))
	k.first, k.last = mem.Load64(p, 0)&k.mask, mem.Load64(p, int(k.tail))&k.mask
	return k
}

// unnamed is a field without a key, as an array or a map has them.
func unnamed(offset uintptr, s scalar) expectedKey {
	return expectedKey{offset: offset, scalar: s}
}

// is reports whether the bytes at in+pos, of which reach are left, are the key.
func (k *expectedKey) is(in mem.Ptr, pos int) bool {
	first := mem.Load64(in, pos) ^ k.first
	last := mem.Load64(in, pos+int(k.tail)) ^ k.last
	return (first|last)&k.mask == 0
}

// isLast is for a key of less than a word so close to the end, last, that a
// word from pos on would reach behind it.
func (k *expectedKey) isLast(in mem.Ptr, pos, last int) bool {
	return k.size > 0 && k.reach == 8 && pos+int(k.size) <= last && last >= 8 &&
		(mem.Load64(in, last-8)>>(8*uint(pos+8-last)&63)^k.first)&k.mask == 0
}

// isBetween compares what lies between the first and the last word.
func (k *expectedKey) isBetween(in mem.Ptr, pos int) bool {
	key := mem.StringBytes(k.whole)
	for i := 8; i < len(k.whole)-8; i += 8 {
		if mem.Load64(in, pos+i) != mem.Load64(key, i) {
			return false
		}
	}
	return true
}

// fastFields decodes up to n fields of a struct whose keys come as expected and
// whose values are scalars in one of the usual formats, nil, or empty, and returns how many it
// did. It stops at the first that is anything else: before its key, or behind
// it if the key is as expected.
//
// It calls nothing, which keeps its variables in registers.
func (d *decoder) fastFields(keys []expectedKey, n int, p mem.Ptr) (done int, keyed bool) {
	in, pos, last := mem.Bytes(d.data), d.pos, len(d.data)
	if n < len(keys) {
		keys = keys[:n]
	}
	if len(keys) == 0 {
		return 0, false
	}
	k := &keys[0]
	for i := 0; ; {
		if k.reach > 0 {
			if pos+int(k.reach) > last {
				if !k.isLast(in, pos, last) {
					d.pos = pos
					return i, false
				}
			} else if !k.is(in, pos) {
				d.pos = pos
				return i, false
			}
		}
		start, at := pos+int(k.size), p.Add(k.offset)
		if k.size > 16 && !k.isBetween(in, pos) {
			d.pos = pos
			return i, false
		}
		d.pos = start
		if start >= last {
			return i, true
		}
		b := mem.Load8(in, start)
		switch k.scalar {
		case scalarNone:
			return i, true
		case nilPointer:
			if b != byte(wire.Nil) {
				return i, true
			}
			at.SetPtr(mem.Ptr{})
			pos = start + 1
		case emptyList:
			switch h := mem.At[mem.SliceHeader](at); {
			case b == byte(wire.Nil):
				*h = mem.SliceHeader{}
			case b != byte(wire.FixArray) || d.depth == 0:
				return i, true
			case h.Data.IsNil():
				h.Data = mem.Nothing()
			default:
				h.Len = 0
			}
			pos = start + 1
		case scalarBool:
			if b|1 != byte(wire.True) {
				return i, true
			}
			mem.Store8(at, 0, b&1)
			pos = start + 1
		case scalarFloat32:
			if b != byte(wire.Float32) || start+5 > last {
				return i, true
			}
			*mem.At[uint32](at) = mem.Load32BE(in, start+1)
			pos = start + 5
		case scalarFloat64:
			if b != byte(wire.Float64) || start+9 > last {
				return i, true
			}
			*mem.At[uint64](at) = mem.Load64BE(in, start+1)
			pos = start + 9
		case scalarString:
			size := int(b ^ byte(wire.FixStr))
			start++
			if size > shortString || start+size > last || size >= len(d.chunk)-d.used {
				return i, true
			}
			to := mem.Bytes(d.chunk).Add(uintptr(d.used))
			switch {
			case size >= 4 && size <= 16:
				second := size >> 1 &^ 3
				third := size - 4 - second
				w, x := mem.Load32(in, start), mem.Load32(in, start+second)
				y, z := mem.Load32(in, start+third), mem.Load32(in, start+size-4)
				mem.Store32(to, 0, w)
				mem.Store32(to, second, x)
				mem.Store32(to, third, y)
				mem.Store32(to, size-4, z)
			case size > 16:
				mem.Copy16(to, 0, in, start)
				mem.Copy16(to, size-16, in, start+size-16)
			case size > 0:
				mem.Store8(to, 0, mem.Load8(in, start))
				mem.Store8(to, size/2, mem.Load8(in, start+size/2))
				mem.Store8(to, size-1, mem.Load8(in, start+size-1))
			}
			*mem.At[string](at) = mem.StringAt(to, size)
			d.used += size
			pos = start + size
		default:
			// By branches rather than by a table, since a field tends to have
			// the same format in all messages, and then nothing waits for b.
			v, end := int64(int8(b)), start+1
			if int8(b) < -32 {
				if start+maxInteger > last {
					return i, true
				}
				switch wire.Format(b) {
				case wire.Uint8:
					v, end = int64(mem.Load8(in, start+1)), start+2
				case wire.Uint16:
					v, end = int64(mem.Load16BE(in, start+1)), start+3
				case wire.Uint32:
					v, end = int64(mem.Load32BE(in, start+1)), start+5
				case wire.Uint64:
					v, end = int64(mem.Load64BE(in, start+1)), start+9
					if v < 0 && k.scalar != scalarUint64 {
						return i, true // more than an int64 holds
					}
				case wire.Int8:
					v, end = int64(int8(mem.Load8(in, start+1))), start+2
				case wire.Int16:
					v, end = int64(int16(mem.Load16BE(in, start+1))), start+3
				case wire.Int32:
					v, end = int64(int32(mem.Load32BE(in, start+1))), start+5
				case wire.Int64:
					v, end = int64(mem.Load64BE(in, start+1)), start+9
				default:
					return i, true
				}
			}
			switch k.scalar {
			case scalarInt8:
				if int64(int8(v)) != v {
					return i, true
				}
				*mem.At[int8](at) = int8(v)
			case scalarInt16:
				if int64(int16(v)) != v {
					return i, true
				}
				*mem.At[int16](at) = int16(v)
			case scalarInt32:
				if int64(int32(v)) != v {
					return i, true
				}
				*mem.At[int32](at) = int32(v)
			case scalarInt64:
				*mem.At[int64](at) = v
			case scalarUint8:
				if int64(uint8(v)) != v {
					return i, true
				}
				*mem.At[uint8](at) = uint8(v)
			case scalarUint16:
				if int64(uint16(v)) != v {
					return i, true
				}
				*mem.At[uint16](at) = uint16(v)
			case scalarUint32:
				if int64(uint32(v)) != v {
					return i, true
				}
				*mem.At[uint32](at) = uint32(v)
			case scalarUint64:
				if v < 0 && b != byte(wire.Uint64) {
					return i, true
				}
				*mem.At[uint64](at) = uint64(v)
			}
			pos = end
		}
		if i++; i == len(keys) {
			d.pos = pos
			return i, false
		}
		k = mem.Next(k)
	}
}
