package msgpack

import (
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// fastElements decodes elements of an array that lie size bytes apart, as long
// as they come in the usual formats, and returns how many it did.
func (d *decoder) fastElements(o getOp, data mem.Ptr, n int, size uintptr) int {
	if o == getString {
		h := mem.SliceHeader{Data: data, Len: n, Cap: n}
		return d.fastStrings(*mem.At[[]string](mem.PtrTo(&h)))
	}
	b := mem.Slice(data, n*int(size))
	switch o {
	case getInt8:
		return fastIntegers(d, mem.SliceOf[int8](b))
	case getInt16:
		return fastIntegers(d, mem.SliceOf[int16](b))
	case getInt32:
		return fastIntegers(d, mem.SliceOf[int32](b))
	case getInt64:
		return fastIntegers(d, mem.SliceOf[int64](b))
	case getUint8:
		return fastIntegers(d, b)
	case getUint16:
		return fastIntegers(d, mem.SliceOf[uint16](b))
	case getUint32:
		return fastIntegers(d, mem.SliceOf[uint32](b))
	case getUint64:
		return fastIntegers(d, mem.SliceOf[uint64](b))
	case getFloat32, getFloat64:
		return d.fastFloats(o, data, n)
	case getBool:
		return d.fastBools(b)
	}
	return 0
}

func (d *decoder) fastBools(s []byte) (i int) {
	for ; i < len(s) && d.pos < len(d.data) && d.data[d.pos]|1 == byte(wire.True); i++ {
		s[i] = d.data[d.pos] & 1
		d.pos++
	}
	return i
}

// fastIntegers is like [decoder.fastInteger], as long as there are words to load.
// That the format is often the same as before is a guess which spares the
// processor to wait for the table before it knows where the next one begins.
func fastIntegers[T integer](d *decoder, s []T) (i int) {
	in, pos, last := mem.Bytes(d.data), d.pos, len(d.data)
	var before byte
	var f uint16
	for ; i < len(s) && pos < last; i++ {
		b := mem.Load8(in, pos)
		v, end := int64(int8(b)), pos+1
		if int8(b) < -32 {
			if pos+maxInteger > last {
				if v, end = d.fastInteger(pos); end == 0 {
					break
				}
			} else {
				if b != before {
					before, f = b, integerFormats[b]
				}
				end = pos + int(f>>8)
				u := mem.Load64BE(in, pos+1)
				if f&signedInteger != 0 {
					v = int64(u) >> (f & 63)
				} else if v = int64(u >> (f & 63)); v < 0 {
					if f == 0 || T(v) < 0 || uint64(T(v)) != uint64(v) {
						break // no integer, or more than an int64 holds
					}
					s[i] = T(v) // a uint64
					pos = end
					continue
				} else if f == 0 {
					break
				}
			}
		}
		if int64(T(v)) != v || (T(v) < 0) != (v < 0) {
			break
		}
		s[i] = T(v)
		pos = end
	}
	d.pos = pos
	return i
}

// fastStrings decodes strings of up to shortString bytes.
func (d *decoder) fastStrings(s []string) (i int) {
	in, last := mem.Bytes(d.data), len(d.data)
	for ; i < len(s) && d.pos < last; i++ {
		start := d.pos + 1
		size := int(mem.Load8(in, d.pos) ^ byte(wire.FixStr))
		if size > shortString || start+size > last {
			break
		}
		d.pos = start + size // for the size of a new chunk
		s[i] = d.newString(d.data[start:d.pos])
	}
	return i
}
