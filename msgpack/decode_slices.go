package msgpack

import (
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// fastElements decodes elements of an array that lie size bytes apart, as long
// as they come in the usual formats, and returns how many it did.
func (d *decoder) fastElements(o getOp, data mem.Ptr, n int, size uintptr) (done int) {
	if o == getString {
		h := mem.SliceHeader{Data: data, Len: n, Cap: n}
		return d.fastStrings(*mem.At[[]string](mem.PtrTo(&h)))
	}
	done, d.pos = fastNumbers(d.data, d.pos, o, mem.Slice(data, n*int(size)))
	return done
}

// fastNumbers decodes numbers from pos on into the memory s, as fastElements does,
// and returns where the last of them ends, too.
func fastNumbers(data []byte, pos int, o getOp, s []byte) (done, end int) {
	switch o {
	case getInt8:
		return fastIntegers(data, pos, mem.SliceOf[int8](s))
	case getInt16:
		return fastIntegers(data, pos, mem.SliceOf[int16](s))
	case getInt32:
		return fastIntegers(data, pos, mem.SliceOf[int32](s))
	case getInt64:
		return fastIntegers(data, pos, mem.SliceOf[int64](s))
	case getUint8:
		return fastIntegers(data, pos, s)
	case getUint16:
		return fastIntegers(data, pos, mem.SliceOf[uint16](s))
	case getUint32:
		return fastIntegers(data, pos, mem.SliceOf[uint32](s))
	case getUint64:
		return fastIntegers(data, pos, mem.SliceOf[uint64](s))
	case getFloat32, getFloat64:
		return fastFloats(data, pos, o, s)
	case getBool:
		return fastBools(data, pos, s)
	}
	return 0, pos
}

func fastBools(data []byte, pos int, s []byte) (done, end int) {
	for ; done < len(s) && pos < len(data) && data[pos]|1 == byte(wire.True); done++ {
		s[done] = data[pos] & 1
		pos++
	}
	return done, pos
}

// fastIntegers is like [fastInteger], as long as there are words to load. That the
// format is often the same as before is a guess which spares the processor to wait
// for the table before it knows where the next one begins.
func fastIntegers[T integer](data []byte, pos int, s []T) (done, end int) {
	in, last := mem.Bytes(data), len(data)
	var before byte
	var f uint16
	for ; done < len(s) && pos < last; done++ {
		b := mem.Load8(in, pos)
		v, end := int64(int8(b)), pos+1
		if int8(b) < -32 {
			if pos+maxInteger > last {
				if v, end = fastInteger(data, pos); end == 0 {
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
					s[done] = T(v) // a uint64
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
		s[done] = T(v)
		pos = end
	}
	return done, pos
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

// fastAlone decodes the value that data begins with, if it comes in a usual format,
// and returns where it ends; otherwise 0. It needs no decoder.
func fastAlone(data []byte, p *plan, target mem.Ptr) (end int) {
	if p.get != getString {
		if done, end := fastNumbers(data, 0, p.get, mem.Slice(target, p.size)); done > 0 {
			return end
		}
		return 0
	}
	if len(data) > 0 {
		size := int(data[0] ^ byte(wire.FixStr))
		if end = 1 + size; size <= shortString && end <= len(data) {
			*mem.At[string](target) = string(data[1:end])
			return end
		}
	}
	return 0
}

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
func fastInteger(data []byte, pos int) (v int64, end int) {
	in := mem.Bytes(data)
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
	case pos+maxInteger <= len(data):
		u = mem.Load64BE(in, pos+1)
	case end > len(data):
		return 0, 0
	case end >= 8:
		u = mem.Load64BE(in, end-8) << (f & 63)
	default:
		for i := pos + 1; i < end; i++ {
			u = u<<8 | uint64(mem.Load8(in, i))
		}
		u <<= f & 63
	}
	if f&signedInteger != 0 {
		return int64(u) >> (f & 63), end
	}
	if v = int64(u >> (f & 63)); v < 0 {
		return 0, 0 // more than an int64 holds
	}
	return v, end
}
